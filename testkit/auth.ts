/**
 * What the tests of authentication share: the exact bodies of refusals, accounts in every state, a
 * look into the tables, and requests that `fetch` refuses to send.
 */

import http from "node:http";
import { mock } from "node:test";
import { raw, type Sql } from "sql-template-tag";
import { sql } from "../src/infra/db/query.ts";
import type { TestAnswer, TestService } from "./service.ts";
import { PASSWORD, type Person } from "./world.ts";

export const UNAUTHORIZED = '{"message":"Unauthorized"}';
export const INCORRECT =
  '{"message":"The user credentials were incorrect.","error":"invalid_credentials",' +
  '"error_description":"The user credentials were incorrect."}';
export const REFRESH_INVALID =
  '{"message":"The refresh token is invalid.","error":"invalid_grant",' +
  '"error_description":"The refresh token is invalid."}';
export const SCOPE_REFUSED = '{"message":"Invalid scope(s) provided."}';
export const TOO_MANY = '{"message":"Too Many Attempts."}';

/** One sign-in attempt, from another address where one is given (the service must trust us). */
export function attempt(
  service: TestService,
  who: { email: string },
  more: { password?: string; scopes?: string; from?: string } = {},
): Promise<TestAnswer> {
  return service.request("/auth/tokens", {
    method: "POST",
    form: {
      email: who.email,
      password: more.password ?? PASSWORD,
      scopes: more.scopes ?? "svc-user-all",
    },
    headers: more.from === undefined ? {} : { "x-forwarded-for": more.from },
  });
}

export function refresh(service: TestService, token: string): Promise<TestAnswer> {
  return service.request("/auth/tokens/refresh", {
    method: "POST",
    form: { refresh_token: token },
  });
}

export function whoami(
  service: TestService,
  credential: { token?: string; key?: string; from?: string },
): Promise<TestAnswer> {
  const { from, ...credentials } = credential;
  const headers: Record<string, string> = from === undefined ? {} : { "x-forwarded-for": from };
  return service.request("/auth/whoami", { ...credentials, headers });
}

/** The statements about credentials that a process sent while something happened. */
export async function statementsOf(one: TestService, happening: () => Promise<unknown>) {
  const rows = mock.method(one.ctx.db, "rows");
  await happening();
  const names = rows.mock.calls.map((call) => (call.arguments[0] as { name?: string }).name);
  rows.mock.restore();
  return names.filter((name) => /^(read_grants|read_keys|count_remembered)$/.test(name ?? ""));
}

/**
 * Uses a credential without a pause while it is being revoked; gives the statuses of the uses that
 * began after the revocation was answered, five by each user.
 */
export async function usedAfter(
  users: readonly TestService[],
  credential: { token?: string; key?: string },
  revocation: () => Promise<void>,
): Promise<number[]> {
  let answered = false;
  const late: number[] = [];
  const hammer = async (one: TestService) => {
    for (let after = 0; after < 5; ) {
      const beganAfter = answered;
      const { status } = await whoami(one, credential);
      if (!beganAfter) continue;
      late.push(status);
      after++;
    }
  };
  const hammers = users.map(hammer);
  await revocation();
  answered = true;
  await Promise.all(hammers);
  return late;
}

export const CHANGES = {
  frozen: sql`status = 'frozen'`,
  closed: sql`status = 'closed', closed_at = app_now()`,
  "given a new password": sql`credential_epoch = credential_epoch + 1`,
  "no main merchant any more": sql`is_main_merchant = false`,
  "made PERSONAL": sql`account_type = 'PERSONAL'`,
};

export async function change(
  service: TestService,
  who: Person,
  what: keyof typeof CHANGES,
): Promise<void> {
  await service.ctx.db.run(
    sql`update accounts set ${CHANGES[what]} where account_number = ${who.accountNumber}`,
  );
}

export async function countOf(service: TestService, from: Sql): Promise<number> {
  const { count } = await service.ctx.db.one<{ count: number }>(
    sql`select count(*)::int as count from ${from}`,
  );
  return count;
}

export function grantsOf(service: TestService, who: Person): Promise<number> {
  return countOf(service, sql`grants where account_number = ${who.accountNumber}`);
}

/** How many refresh tokens the sign-ins of somebody have, used ones included. */
export function refreshTokensOf(service: TestService, who: Person): Promise<number> {
  return countOf(
    service,
    sql`refresh_tokens join grants using (grant_id) where account_number = ${who.accountNumber}`,
  );
}

export function auditsOf(service: TestService, who: Person, action: string): Promise<number> {
  return countOf(
    service,
    sql`audit_entries where account_number = ${who.accountNumber} and action = ${action}`,
  );
}

/** Every row of every table as text, as a thief of the database would read them. */
export async function wholeDatabase(service: TestService): Promise<string> {
  const { db } = service.ctx;
  const tables = await db.rows<{ name: string }>(sql`
    select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`);
  let dump = "";
  for (const { name } of tables) {
    const rows = await db.rows<{ row: string }>(
      sql`select row_to_json(one)::text as row from ${raw(name)} as one`,
    );
    dump += rows.map(({ row }) => `${name} ${row}\n`).join("");
  }
  return dump;
}

/** A request with exactly these header lines, repeated or odd as they may be. */
export function exactRequest(
  service: TestService,
  path: string,
  lines: readonly [name: string, value: string][],
): Promise<{ status: number; text: string }> {
  const { hostname, port, host } = new URL(service.url);
  return new Promise((resolve, reject) => {
    const headers = [["host", host], ...lines].flat();
    const request = http.request({ hostname, port, path, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
    });
    request.on("error", reject).end();
  });
}
