/** What the tests of accounts share: main merchants with a token in hand, and the books. */

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mock } from "node:test";
import { sql } from "../src/infra/db/query.ts";
import type { Scope } from "../src/kit/scopes.ts";
import type { CountryCode } from "../src/kit/vocabulary.ts";
import { type Credential, mintToken } from "./credentials.ts";
import type { TestAnswer, TestService } from "./service.ts";
import type { Person } from "./world.ts";

export const NOT_FOUND = '{"message":"Not Found"}';
export const EMAIL_TAKEN = '{"message":"The email has already been taken."}';
export const NOTHING_GIVEN = "Give at least one of email, first_name, last_name and phone.";

export type Main = Person & { readonly token: string };

export async function mainMerchant(
  service: TestService,
  options: { countryCode?: CountryCode; scopes?: readonly Scope[] } = {},
): Promise<Main> {
  const { countryCode = "TT", scopes = ["svc-accounts-all"] } = options;
  const person = await service.world.mainMerchant({ countryCode });
  return { ...person, token: (await mintToken(service.ctx, person, scopes)).token };
}

export function newEmail(): string {
  return `made-${randomBytes(5).toString("hex")}@example.com`;
}

/** A good request; each is for another person. */
export function newAccount(change: Record<string, unknown> = {}): Record<string, unknown> {
  const good = { email: newEmail(), password: "Sandbox-2026", first_name: "Anika" };
  return { ...good, last_name: "Mohammed", ...change };
}

export function create(
  service: TestService,
  credential: Credential,
  json: unknown,
  headers: Record<string, string> = {},
): Promise<TestAnswer> {
  return service.request("/accounts", { method: "POST", ...credential, json, headers });
}

/** Its number and how its owner signs in. */
export async function made(
  service: TestService,
  maker: Credential,
  change: Record<string, unknown> = {},
): Promise<{ accountNumber: string; email: string; password: string }> {
  const json = newAccount(change);
  const answer = await create(service, maker, json);
  assert.equal(answer.status, 201, answer.text);
  const accountNumber: string = answer.body.data.account_number;
  return { accountNumber, email: String(json.email), password: String(json.password) };
}

/**
 * While the work runs, every password of these processes has this digest already: hashing admits
 * two at a time, and a race is wanted where the rows are.
 */
export async function withoutHashing<T>(
  services: readonly TestService[],
  work: () => Promise<T>,
): Promise<T> {
  const digest = await services[0]?.ctx.passwords.digest("Sandbox-2026");
  assert(digest !== undefined);
  const mocks = services.map(({ ctx }) => mock.method(ctx.passwords, "digest", async () => digest));
  try {
    return await work();
  } finally {
    for (const one of mocks) one.mock.restore();
  }
}

export function retrieve(service: TestService, who: Credential, number: string) {
  return service.request(`/accounts/${number}`, who);
}

export function change(service: TestService, who: Credential, number: string, json: unknown) {
  return service.request(`/accounts/${number}`, { method: "PATCH", ...who, json });
}

export function close(service: TestService, who: Credential, number: string) {
  return service.request(`/accounts/${number}`, { method: "DELETE", ...who });
}

/** Every row that an account request may write, as text: equal before and after a refusal. */
export async function books(service: TestService): Promise<string> {
  const { text } = await service.ctx.db.one<{ text: string }>(sql`
    select concat(
      (select json_agg(one order by account_number) from accounts as one),
      (select json_agg(one order by entry_id) from audit_entries as one),
      (select json_agg(one order by created_at) from idempotency_keys as one)) as text`);
  return text;
}

export interface AuditEntry {
  readonly action: string;
  readonly actor: string;
  readonly detail: Record<string, unknown>;
}

export function auditEntriesOn(service: TestService, accountNumber: string): Promise<AuditEntry[]> {
  return service.ctx.db.rows<AuditEntry & Record<string, unknown>>(sql`
    select action, actor, detail from audit_entries
    where account_number = ${accountNumber} and action like 'account\_%' order by entry_id`);
}
