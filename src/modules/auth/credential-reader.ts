/**
 * Reads the state of credentials and counts their use, many at a time and in one statement:
 * requests that arrive while a read is under way share the next one. Each request is decided by a
 * read that *began after it did*, so a revocation that was answered before is always seen, without
 * any cache to invalidate; and only a credential that is good is counted, so that nobody can use
 * up somebody else's limit with a guess, or with a token that has ended.
 */

import assert from "node:assert/strict";
import type { Caller } from "../../infra/http/caller.ts";
import { shareOut, type Taken } from "../../infra/http/rate-limiter.ts";
import type { CallLimit, Identified } from "../../infra/http/route.ts";
import { createBatcher } from "../../kit/batch.ts";
import type { Scope } from "../../kit/scopes.ts";
import type { AccountType, CountryCode } from "../../kit/vocabulary.ts";
import { mayHold } from "./allowed-scopes.ts";
import { Unauthorized } from "./unauthorized.ts";

const BATCH_MAX = 500;

/** One credential that somebody presented to a route with this limit, so many times. */
export interface Presented<Credential> {
  readonly credential: Credential;
  readonly limit: CallLimit | undefined;
  readonly hits: number;
}

/** All null when it was not counted. */
type Uncounted = { readonly [Column in keyof Taken]: Taken[Column] | null };

/** What the statement of a credential's kind says of one of those it was asked about. */
export interface CredentialRow extends Uncounted {
  /** Which of them, counted from 1. */
  readonly place: bigint;
  readonly account_number: string;
  readonly account_type: AccountType;
  readonly country_code: CountryCode;
  readonly is_main_merchant: boolean;
  readonly scopes: Scope[];
}

/** Whoever holds the credential; or, for the log, why it opens nothing. */
export type Verdict = Caller | string;

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
  options: ReaderOptions<Credential, Row>,
): CredentialReader<Credential> {
  type Use = Omit<Presented<Credential>, "hits">;
  const read = createBatcher<Use, Identified>({
    sizeMax: BATCH_MAX,
    async run(uses) {
      const distinct = new Map<string, Presented<Credential> & { hits: number }>();
      const names = uses.map(({ credential, limit }) => {
        const name = `${limit?.name} ${options.nameOf(credential)}`;
        const known = distinct.get(name);
        if (known === undefined) distinct.set(name, { credential, limit, hits: 1 });
        else known.hits++;
        return name;
      });
      const rows = await options.read([...distinct.values()]);
      const decided = decide([...distinct], rows, options);
      return names.map((name) => {
        const tell = decided.get(name);
        assert(tell !== undefined, "every credential that was asked about is judged");
        return tell();
      });
    },
  });
  return (credential, limit) => read({ credential, limit });
}

function decide<Credential, Row extends CredentialRow>(
  distinct: readonly (readonly [string, Presented<Credential>])[],
  rows: readonly Row[],
  { judge }: Pick<ReaderOptions<Credential, Row>, "judge">,
): Map<string, () => Identified | Unauthorized> {
  const byPlace = new Map(rows.map((row) => [Number(row.place), row]));
  const counted: Uncounted[] = rows.filter(({ granted }) => granted !== null);
  const windows = new Map(counted.map((row) => [row.window_key, shareOut(row as Taken)]));
  const decided = new Map<string, () => Identified | Unauthorized>();
  for (const [index, [name, { credential }]] of distinct.entries()) {
    const row = byPlace.get(index + 1);
    const verdict = judge(credential, row);
    const count = row?.window_key ? windows.get(row.window_key) : undefined;
    decided.set(
      name,
      typeof verdict === "string"
        ? () => new Unauthorized(verdict)
        : () => ({ caller: verdict, count: count?.() }),
    );
  }
  return decided;
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
