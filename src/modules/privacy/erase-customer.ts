/**
 * Erases what is known of a customer, as far as no law needs it (Decision 0122): the merchant's and
 * our books keep amounts, times, ids and the card's last four digits.
 *
 * Everything is looked at before anything is erased, and again under locks: what is not finished
 * refuses the whole. Payments go a hundred at a time, each batch a tx of its own with its audit
 * entry; erasing again goes on where it stopped, and finds nothing when all is done.
 */

import type { Infra } from "../../infra/context.ts";
import { type Queryable, sql } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { Caller } from "../../infra/http/caller.ts";
import { accountsOf } from "../accounts/each-account.ts";
import { eraseSessions } from "../checkout/session/erase-sessions.ts";
import { eraseEvents } from "../events/erase-events.ts";
import { deleteMails, forgetBounce } from "../mail/forget-mails.ts";
import { forgetReceipts } from "../receipts/forget-receipts.ts";
import { blankLines, linesAbout, loggedAccounts } from "../request-log/lines-about.ts";
import { demandEnded, eraseRecords, lockPayments } from "../transactions/erase-payments.ts";
import { momentsOf } from "../transactions/moments.ts";
import {
  cardsOfPayments,
  demandNotCharged,
  eraseCards,
  momentsOfCards,
} from "../trusted-cards/erase-cards.ts";
import { eraseAnswers } from "../webhooks/erase-answers.ts";
import { type Customer, findPayments } from "./customer.ts";

const PAYMENTS_AT_ONCE = 100;

export interface Erased {
  readonly payments: number;
  readonly cards: number;
  readonly mails: number;
}

const NOTHING: Erased = { payments: 0, cards: 0, mails: 0 };

/** How each batch is run: in a tx that audits what it gives. */
type InTx = (work: (tx: Tx) => Promise<Erased>) => Promise<Erased>;

export async function eraseCustomer(
  { db }: Pick<Infra, "db">,
  customer: Customer,
  { inTx, by }: { inTx: InTx; by?: Caller },
): Promise<Erased & { readonly requests: number }> {
  const ids = await findPayments(db, customer);
  await demandNothingOpen(db, ids);
  let sum = NOTHING;
  let at = 0;
  do {
    const some = ids.slice(at, at + PAYMENTS_AT_ONCE);
    const erased = await inTx((tx) => eraseBatch(tx, customer, some, by));
    sum = {
      payments: sum.payments + erased.payments,
      cards: sum.cards + erased.cards,
      mails: sum.mails + erased.mails,
    };
    at += PAYMENTS_AT_ONCE;
  } while (at < ids.length);
  // Last, because until then an answer to somebody else could still have repeated it.
  return { ...sum, requests: await blankLog(db, customer, ids) };
}

async function demandNothingOpen(db: Queryable, ids: readonly string[]): Promise<void> {
  await demandEnded(db, ids);
  const cards = await cardsOfPayments(db, ids);
  await demandNotCharged(
    db,
    cards.map(({ card_uuid }) => card_uuid),
  );
}

async function eraseBatch(
  tx: Tx,
  { email, accountNumber }: Customer,
  ids: readonly string[],
  by: Caller | undefined,
): Promise<Erased> {
  const cards = await eraseCards(tx, ids, by);
  const payments = await erasePayments(tx, ids, await momentsOfCards(tx, cards.checks));
  await eraseSessions(tx, cards.checks);
  const mails = await forgetReceipts(tx, ids);
  await deleteMails(tx, mails);
  await forgetBounce(tx, email);
  await tx.run(sql`
    delete from saved_filters
    where (strpos(lower(query), ${email}) > 0
        or strpos(lower(query), ${encodeURIComponent(email).toLowerCase()}) > 0)
      and account_number = coalesce(${accountNumber ?? null}, account_number)`);
  return { payments, cards: cards.deleted, mails: mails.length };
}

/** Records of payments that have ended, and what was told of them. Returns how many had words. */
export async function erasePayments(
  tx: Tx,
  ids: readonly string[],
  further: Awaited<ReturnType<typeof momentsOfCards>> = [],
): Promise<number> {
  await lockPayments(tx, ids);
  await demandEnded(tx, ids);
  const erased = await eraseRecords(tx, ids);
  await eraseSessions(tx, ids);
  const events = await eraseEvents(tx, [...(await momentsOf(tx, ids)), ...further]);
  await eraseAnswers(tx, events);
  return erased;
}

/** Returns how many lines mentioned the customer. */
async function blankLog(
  db: Queryable,
  customer: Customer,
  transactionIds: readonly string[],
): Promise<number> {
  let count = 0;
  for await (const accounts of accountsOf(db, customer))
    for (const accountNumber of await loggedAccounts(db, accounts)) {
      const lines = await linesAbout(db, { ...customer, accountNumber, transactionIds });
      await blankLines(db, customer.email, lines);
      count += lines.length;
    }
  return count;
}
