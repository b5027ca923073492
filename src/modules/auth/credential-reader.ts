/**
 * Reads the state of credentials and counts their use, many at a time: one statement for those
 * that are remembered, one for the others. Requests that arrive meanwhile share the next ones. Each
 * is decided by a statement that *began after it did*, so a revocation that was answered before is
 * always seen, whether a credential is remembered or read (Decision 0059). Only a valid one is
 * counted, so that a guess or an expired token cannot use up an account's limit.
 */

import assert from "node:assert/strict";
import type { Database } from "../../infra/db/database.ts";
import { bigint, list, pick, type Row, text } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import type { Identified } from "../../infra/http/admit/admit-request.ts";
import { type CallLimit, MAYBE_WINDOW, windowsOf } from "../../infra/http/admit/rate-limiter.ts";
import type { Caller } from "../../infra/http/caller.ts";
import { createBatcher, GATHER_MS_MAX } from "../../kit/batch.ts";
import type { Scope } from "../../kit/scopes.ts";
import { mayHold } from "./allowed-scopes.ts";
import {
  type CredentialMemory,
  createCredentialMemory,
  type GoodCredential,
  type NextResult,
  type Uses,
} from "./credential-memory.ts";
import { Unauthorized, type UnauthorizedReason } from "./unauthorized.ts";

const BATCH_MAX = 500;

/** What the statement of a credential's kind returns for each that is found. */
export const CREDENTIAL = {
  /** Which of those presented, counted from 1. */
  place: bigint,
  /** Of all credentials, when it was read. */
  version: text,
  ...pick(tables.accounts, "account_number", "account_type", "country_code", "is_main_merchant"),
  scopes: list<Scope>(),
  ...MAYBE_WINDOW,
};

export type CredentialRow = Row<typeof CREDENTIAL>;

/** A valid one, or why it is refused. */
export type Verdict = GoodCredential | UnauthorizedReason;

interface ReaderOptions<Credential, Found> {
  read(presented: readonly Uses<Credential>[]): Promise<Found[]>;
  judge(credential: Credential, row: Found): Verdict;
  /** The verdict on one without a row. */
  readonly unknown: UnauthorizedReason;
}

export type CredentialReader<Credential> = (
  credential: Credential,
  limit: CallLimit | undefined,
) => Promise<Identified>;

export function createCredentialReader<Credential extends object, Found extends CredentialRow>(
  db: Database,
  options: ReaderOptions<Credential, Found>,
): CredentialReader<Credential> {
  const memory = createCredentialMemory<Credential>(db);
  const identify = createBatcher<Use<Credential>, Identified>({
    sizeMax: BATCH_MAX,
    gatherMsMax: GATHER_MS_MAX,
    async run(uses) {
      const { each, distinct } = groupUses(uses);
      const recalled = await memory.recall(distinct);
      const others = distinct.filter((one) => !recalled.has(one));
      const read = others.length === 0 ? [] : await readOthers(others, options, memory);
      const results = new Map<Uses<Credential>, NextResult<Identified | Error>>([
        ...recalled,
        ...read,
      ]);
      return each.map((one) => {
        const next = results.get(one);
        assert(next !== undefined, "every credential that was presented has a verdict");
        return next();
      });
    },
  });
  return (credential, limit) => identify({ credential, limit });
}

type Use<Credential> = Omit<Uses<Credential>, "hits">;
type Counted<Credential> = Uses<Credential> & { hits: number };

/** For each use the group that it is counted with, and the groups without repetition. */
function groupUses<Credential>(uses: readonly Use<Credential>[]) {
  const byCredential = new Map<Credential, Counted<Credential>[]>();
  const each = uses.map(({ credential, limit }) => {
    const known = byCredential.get(credential) ?? [];
    if (known.length === 0) byCredential.set(credential, known);
    const found = known.find((one) => one.limit?.name === limit?.name);
    const one = found ?? { credential, limit, hits: 0 };
    if (found === undefined) known.push(one);
    one.hits += 1;
    return one;
  });
  return { each, distinct: [...byCredential.values()].flat() };
}

async function readOthers<Credential extends object, Found extends CredentialRow>(
  presented: readonly Uses<Credential>[],
  { read, judge, unknown }: ReaderOptions<Credential, Found>,
  memory: CredentialMemory<Credential>,
): Promise<[Uses<Credential>, NextResult<Identified | Error>][]> {
  const rows = await read(presented).catch((error: Error) => error);
  // Those that were recalled are already counted and must not fail with these.
  if (rows instanceof Error) return presented.map((one) => [one, () => rows]);
  const byPlace = new Map(rows.map((row) => [Number(row.place), row]));
  const windows = windowsOf(rows);
  return presented.map((one, index) => {
    const row = byPlace.get(index + 1);
    if (row === undefined) return [one, () => new Unauthorized(unknown)];
    const verdict = judge(one.credential, row);
    if ("cause" in verdict) return [one, () => new Unauthorized(verdict)];
    memory.keep(row.version, one.credential, verdict);
    const count = row.window_key === null ? undefined : windows.get(row.window_key);
    return [one, () => ({ caller: verdict.caller, count: count?.() })];
  });
}

export function holderOf(row: CredentialRow): Omit<Caller, "credential"> {
  const holder = { accountType: row.account_type, isMainMerchant: row.is_main_merchant };
  return {
    ...holder,
    accountNumber: row.account_number,
    countryCode: row.country_code,
    scopes: new Set(row.scopes.filter((scope) => mayHold(holder, scope))),
  };
}
