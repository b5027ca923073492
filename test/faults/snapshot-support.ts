/** A whole service with its embedded database, its snapshots, and looks into its databases. */

import assert from "node:assert/strict";
import { type Database, openDatabase } from "../../src/infra/db/database.ts";
import { findRunningPostgres } from "../../src/infra/embedded-postgres/cluster.ts";
import { named } from "../../src/infra/embedded-postgres/snapshot-store.ts";
import { createLog } from "../../src/infra/log.ts";
import { SCOPES } from "../../src/kit/scopes.ts";
import { addUpStatements } from "../../src/modules/statements/add-up-statements.ts";
import { addUpCounts } from "../../src/modules/transactions/add-up-counts.ts";
import { type AskedAnswer, demoSignIn } from "../../testkit/ask.ts";
import { query } from "../../testkit/database-owners.ts";
import { type Running, start, UNHINDERED } from "../../testkit/processes.ts";
import { tableDigests } from "../../testkit/row-counts.ts";
import { until } from "../../testkit/until.ts";

/** Of the demo merchant. */
export const ACCOUNT = "1234567890";
const UNSETTLED = `
  select 1 from events where sequence is null
  union all select 1 from transaction_count_changes
  union all select 1
  from ledger_accounts join ledger_balances using (ledger_account_id)
  left join statement_positions using (ledger_account_id)
  where account_number is not null and entry_count > coalesce(entry, 0)`;

export async function startOn(dataDir: string, settings: Record<string, string> = {}) {
  const service = await start({ settings: { ...UNHINDERED, ...settings, DATA_DIR: dataDir } });
  const url = (await findRunningPostgres(dataDir)) ?? "";
  return { service, url };
}

export async function signIn(service: Running): Promise<string> {
  const scopes = SCOPES.filter((scope) => scope.endsWith("-all")).join(" ");
  const asked = demoSignIn("merchant@example.com", scopes);
  const answer = await persistently(() => service.ask("/auth/tokens", asked));
  assert.equal(answer.status, 200, answer.text);
  return answer.body.access_token;
}

/**
 * What a developer does with the sandbox's clock and snapshots. After a work of snapshots, another
 * process than the one that answered may still refuse for a moment: reading and moving the clock
 * are asked again then, and the works themselves only by `persistently`.
 */
export function sandboxOf(service: Running, token: string) {
  const path = "/sandbox/snapshots";
  const ask = (route: string, method: string, json?: object) =>
    service.ask(route, { method, token, ...(json && { json }) });
  const done = async (...asked: Parameters<typeof ask>) => {
    const answer = await persistently(() => ask(...asked));
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data;
  };
  return {
    make: (name: string) => ask(path, "POST", { name }),
    restore: (name: string) => ask(`${path}/${name}/restore`, "POST"),
    remove: (name: string) => ask(`${path}/${name}`, "DELETE"),
    advance: (seconds: number): Promise<void> =>
      done("/sandbox/clock", "POST", { advance: seconds }),
    shift: async (): Promise<number> => (await done("/sandbox/clock", "GET")).shift_seconds,
    names: async (): Promise<string[]> =>
      (await done(path, "GET")).map((one: { name: string }) => one.name),
  };
}

export type Sandbox = ReturnType<typeof sandboxOf>;

/** As a client does it that is told to come again: until it is not 503, with how often it was. */
export async function persistently(send: () => Promise<AskedAnswer>) {
  let refusals = -1;
  let answer: AskedAnswer | undefined;
  await until(
    async () => {
      refusals += 1;
      answer = await send();
      if (answer.status === 503) assert.match(answer.headers["retry-after"] ?? "", /^\d+$/);
      return answer.status !== 503;
    },
    "there is another answer than 503",
    120,
  );
  assert(answer !== undefined);
  return { ...answer, refusals };
}

/** The works, each in the end: what is refused for the moment has done nothing. */
export function patiently({ make, restore, remove }: Sandbox) {
  const end =
    (work: (name: string) => Promise<AskedAnswer>, wanted: number) => async (name: string) => {
      const answer = await persistently(() => work(name));
      assert.equal(answer.status, wanted, answer.text);
      return answer;
    };
  return { make: end(make, 201), restore: end(restore, 200), remove: end(remove, 200) };
}

export async function withDatabase<T>(url: string, work: (db: Database) => Promise<T>): Promise<T> {
  const db = openDatabase({ url, connectionsMax: 1, log: createLog({ level: "silent" }) });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

/** What every table says, in the database of that name. */
export const stateOf = (url: string, database = "windward") =>
  withDatabase(named(url, database), tableDigests);

export async function spareIsMade(url: string, of: string): Promise<void> {
  const text = `select from pg_database where datname = 'windward_spare_${of}'`;
  await until(async () => (await query(url, text)).length > 0, "there is a spare copy", 60);
}

/** Until jobs have nothing to do: otherwise they would change what was restored, at any moment. */
export async function settle(url: string, seconds = 30): Promise<void> {
  await withDatabase(url, async (db) => {
    await until(
      async () => {
        await addUpStatements(db);
        await addUpCounts(db);
        return (await query(url, UNSETTLED)).length === 0;
      },
      "events are numbered, statements and counts are added up",
      seconds,
    );
  });
}
