/**
 * A search whose indexes begin with the account: of one, or of all, some at a time. An index
 * without it would be written with each payment, for a question that is asked a few times a day;
 * this costs a few lookups per account instead (Decision 0139).
 */

import type { Database } from "../../../infra/db/database.ts";
import { gaveUpWaiting } from "../../../infra/db/database-errors.ts";
import { OperatorError, Unavailable } from "../../../kit/errors.ts";
import { accountsOf } from "../../accounts/each-account.ts";
import { type Found, newestFirst, type PaymentRow, type Search } from "./found-payment.ts";

/** After how many looks something is said; each takes 50 to 100 ms. */
const PROGRESS_EVERY = 10;

export async function findByAccount(
  db: Database,
  search: Search,
  ofAccounts: (accounts: readonly string[]) => Promise<PaymentRow[]>,
): Promise<Found> {
  let rows: PaymentRow[] = [];
  let looks = 0;
  let looked = 0;
  for await (const accounts of accountsOf(db, { accountNumber: search.account })) {
    if (looks > 0 && performance.now() >= search.stopAt)
      return { rows, unseen: { words: "Not all accounts were looked at: name one." } };
    rows.push(...(await ofAccounts(accounts).catch(sayTooLong)));
    rows = newestFirst(rows).slice(0, search.max);
    looked += accounts.length;
    if (++looks % PROGRESS_EVERY === 0) search.sayProgress(`looked at ${looked} accounts`);
  }
  return { rows };
}

/** A statement that reached its limit is no failure of ours (Decision 0133). */
function sayTooLong(error: unknown): never {
  if (!(error instanceof Unavailable && gaveUpWaiting(error.cause))) throw error;
  throw new OperatorError(
    "The search takes too long: ask for less with --account, --since and --until.",
  );
}
