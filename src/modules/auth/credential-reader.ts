/**
 * Reads the state of credentials and counts their use, many at a time and in one statement:
 * requests that arrive while a read is under way share the next one. Each request is decided by a
 * statement that *began after it did*, so a revocation that was answered before is always seen,
 * whether a credential is remembered or read (Decision 0059). Only one that is good is counted, so
 * that nobody can use up somebody else's limit with a guess, or with a token that has ended.
 */

import assert from "node:assert/strict";
import type { Database } from "../../infra/db/database.ts";
import type { Caller } from "../../infra/http/caller.ts";
import { shareOut, type Taken } from "../../infra/http/rate-limiter.ts";
import type { CallLimit, Identified } from "../../infra/http/route.ts";
import { createBatcher } from "../../kit/batch.ts";
import type { Scope } from "../../kit/scopes.ts";
import type { AccountType, CountryCode } from "../../kit/vocabulary.ts";
import { mayHold } from "./allowed-scopes.ts";
import {
  type CredentialMemory,
  createCredentialMemory,
  type Good,
  type Tell,
  type Uses,
} from "./credential-memory.ts";
import { Unauthorized } from "./unauthorized.ts";

const BATCH_MAX = 500;
const GATHER_MS_MAX = 3;

/** One credential that somebody presented to routes of one limit, so many times. */
export interface Presented<Credential> extends Uses {
  readonly credential: Credential;
}

/** All null when it was not counted. */
type Uncounted = { readonly [Column in keyof Taken]: Taken[Column] | null };

/** What the statement of a credential's kind says of one of those it was asked about. */
export interface CredentialRow extends Uncounted {
  /** Which of them, counted from 1. */
  readonly place: bigint;
  /** Of all credentials, when it was read. */
  readonly version: string;
  readonly account_number: string;
  readonly account_type: AccountType;
  readonly country_code: CountryCode;
  readonly is_main_merchant: boolean;
  readonly scopes: Scope[];
}

/** A good one; or, for the log, why it opens nothing. */
export type Verdict = Good | string;

interface ReaderOptions<Credential, Row> {
  /** The same for uses that one row can answer. */
  nameOf(credential: Credential): string;
  read(presented: readonly Presented<Credential>[]): Promise<Row[]>;
  /** The row is absent when there is no such credential. */
  judge(credential: Credential, row: Row | undefined): Verdict;
}

export type CredentialReader<Credential> = (
  credential: Credential,
  limit: CallLimit | undefined,
) => Promise<Identified>;

export function createCredentialReader<Credential, Row extends CredentialRow>(
  db: Database,
  options: ReaderOptions<Credential, Row>,
): CredentialReader<Credential> {
  const memory = createCredentialMemory(db);
  const read = createBatcher<Use<Credential>, Identified>({
    sizeMax: BATCH_MAX,
    gatherMsMax: GATHER_MS_MAX,
    async run(uses) {
      const { each, distinct } = putTogether(uses);
      const told: Map<Uses, Tell<Identified | Unauthorized>> = await memory.recall(distinct);
      const others = distinct.filter((one) => !told.has(one));
      if (others.length > 0)
        for (const [one, tell] of await readAnew(others, options, memory)) told.set(one, tell);
      return each.map((one) => {
        const tell = told.get(one);
        assert(tell !== undefined, "every credential that was asked about is judged");
        return tell();
      });
    },
  });
  return (credential, limit) => read({ name: options.nameOf(credential), credential, limit });
}

type Use<Credential> = Omit<Presented<Credential>, "hits">;

/** For each use the one that it is counted with, and those without repetition. */
function putTogether<Credential>(uses: readonly Use<Credential>[]) {
  const distinct: Presented<Credential>[] = [];
  const byLimit = new Map<CallLimit | undefined, Map<string, Counted<Credential>>>();
  const each = uses.map((use) => {
    const byName = byLimit.get(use.limit) ?? new Map<string, Counted<Credential>>();
    if (byName.size === 0) byLimit.set(use.limit, byName);
    const one = byName.get(use.name) ?? { ...use, hits: 0 };
    if (one.hits === 0) {
      byName.set(use.name, one);
      distinct.push(one);
    }
    one.hits += 1;
    return one;
  });
  return { each, distinct };
}

type Counted<Credential> = Presented<Credential> & { hits: number };

async function readAnew<Credential, Row extends CredentialRow>(
  presented: readonly Presented<Credential>[],
  { read, judge }: ReaderOptions<Credential, Row>,
  memory: CredentialMemory,
): Promise<[Uses, Tell<Identified | Unauthorized>][]> {
  const rows = await read(presented);
  const byPlace = new Map(rows.map((row) => [Number(row.place), row]));
  const counted: Uncounted[] = rows.filter(({ granted }) => granted !== null);
  const windows = new Map(counted.map((row) => [row.window_key, shareOut(row as Taken)]));
  return presented.map((one, index) => {
    const row = byPlace.get(index + 1);
    const verdict = judge(one.credential, row);
    if (typeof verdict === "string") return [one, () => new Unauthorized(verdict)];
    if (row !== undefined) memory.keep(row.version, one.name, verdict);
    const count = row?.window_key ? windows.get(row.window_key) : undefined;
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
