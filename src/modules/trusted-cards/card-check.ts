/**
 * The small amount that proves a card: charged when the card is saved, read by its holder from the
 * statement, sent by the merchant to verify the card, and returned (Decision 0043).
 *
 * It is not the merchant's money and no transaction. It is in no balance, no history and no event,
 * because from each of them the amount could be read.
 */

import { randomInt } from "node:crypto";
import type { Config } from "../../infra/config.ts";
import { now } from "../../infra/db/clock.ts";
import { sqlOf } from "../../infra/db/query.ts";
import { columns, pick, type Row, text } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { newTransactionId } from "../../kit/ids.ts";
import { type Money, money } from "../../kit/money.ts";
import type { ReasonToStayOpen } from "../accounts/context.ts";
import {
  insertSessions,
  newSession,
  type OpenedCheckout,
} from "../checkout/request/open-checkouts.ts";
import type { Posting } from "../ledger/posting.ts";
import { cardCheckCharged, cardCheckReturned } from "../ledger/recipes.ts";
import { OPEN_PAYMENT } from "../transactions/find-transaction.ts";
import { AccountTakesNoPayments, type NewTransaction } from "../transactions/new-transaction.ts";

/** In cents of US dollars; the end is not included. */
const AMOUNT_MINOR = { min: 50, end: 100 };

export const CHECK = {
  ...pick(tables.card_checks, "transaction_id", "account_number", "environment", "amount_minor"),
  ...pick(tables.card_checks, "data", "status", "message", "card_uuid", "finalised_at"),
};

export type CheckRow = Row<typeof CHECK>;

export const CHECK_COLUMNS = columns(CHECK);

export function amountOf({ amount_minor }: Pick<CheckRow, "amount_minor">): Money {
  return money("USD", amount_minor);
}

export interface NewCheck
  extends Pick<NewTransaction, "accountNumber" | "environment" | "countryCode"> {
  readonly responseUrl: string;
  readonly passThrough: string;
}

/** With its session, in one statement; the account is held, so that it is not closed meanwhile. */
export async function openCheck(
  config: Pick<Config, "tokenPeppers" | "http">,
  tx: Tx,
  { accountNumber, environment, countryCode, responseUrl, passThrough }: NewCheck,
): Promise<OpenedCheckout> {
  const at = await now(tx);
  const transactionId = newTransactionId({ environment, countryCode, at });
  const record = { transaction_id: transactionId, created_at: at };
  // Every session has a digest; without an order, it is never compared.
  const words = { transaction_id: transactionId };
  const request = {
    purpose: "card",
    responseUrl,
    isAvs: false,
    cardType: undefined,
    words,
  } as const;
  const session = newSession(config, record, request);
  const made = await tx.maybeOne(sqlOf({ transaction_id: text })`
    with made as (
      insert into card_checks (transaction_id, account_number, environment, amount_minor, data,
        created_at)
      select ${transactionId}, account_number, ${environment},
        ${randomInt(AMOUNT_MINOR.min, AMOUNT_MINOR.end)}, ${passThrough}, ${at}
      from accounts where account_number = ${accountNumber} and status = 'active'
      for key share
      returning transaction_id
    ), opened as (${insertSessions([session])})
    select transaction_id from made`);
  if (made === undefined) throw new AccountTakesNoPayments();
  return { transactionId, url: session.url };
}

const RECIPES = {
  card_check_charged: cardCheckCharged,
  card_check_returned: cardCheckReturned,
};

export function postingOf(
  check: Pick<CheckRow, "transaction_id" | "account_number" | "environment" | "amount_minor">,
  occasion: keyof typeof RECIPES,
): Posting {
  const { transaction_id: reference, account_number: accountNumber, environment } = check;
  const postingId = `${occasion} ${reference}`;
  const transfers = RECIPES[occasion]({ accountNumber, amount: amountOf(check) });
  return { postingId, environment, occasion, reference, transfers };
}

/** An account whose customer is saving a card stays open until that has ended. */
export const cardBeingSaved: ReasonToStayOpen = async (tx, accountNumber) => {
  const open = await tx.maybeOne(sqlOf({})`
    select from card_checks
    where account_number = ${accountNumber} and status = 'incomplete' limit 1`);
  return open === undefined ? undefined : OPEN_PAYMENT;
};
