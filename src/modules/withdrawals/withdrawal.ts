/**
 * Withdrawals: money leaving a merchant's balance for a bank account or a person (Interface §2.3,
 * §3.3, Decision 0045).
 *
 * The rule that matters: amount and fee are held in the tx that writes the row, so what is asked
 * for cannot be spent twice; every move after that is `moveWithdrawal`'s. Where the money goes is a
 * copy made when it was asked for, and of its numbers only the ends are ever shown.
 */

import { type Queryable, sqlOf } from "../../infra/db/query.ts";
import { columns, json, nullable, omit, type Row } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import { NotFound } from "../../kit/errors.ts";
import { TRANSACTION_ID } from "../../kit/ids.ts";
import { CURRENCIES, formatMoney, money } from "../../kit/money.ts";
import {
  amountSchema,
  orNull,
  textSchema,
  timestampSchema,
  transactionIdSchema,
  uuidSchema,
  wordSchema,
} from "../../kit/response-schema.ts";
import { Type } from "../../kit/schema.ts";
import type { Environment } from "../../kit/vocabulary.ts";
import { ENVIRONMENTS } from "../transactions/transaction.ts";
import { STATUS_NAMES, WITHDRAWAL_STATUSES } from "./withdrawal-status.ts";

export const WITHDRAWAL_TYPES = ["normal", "sub_banked", "sub_unbanked"] as const;

export type WithdrawalType = (typeof WITHDRAWAL_TYPES)[number];

export const WITHDRAWAL = {
  ...omit(tables.withdrawals, "numbers_sealed", "wrapping_key_id", "dispatch_at"),
  /** Of a bank abroad: the other columns of `foreign_banks`, by their names. */
  foreign_bank: nullable(json<Readonly<Record<string, string | null>>>()),
};

export type WithdrawalRow = Row<typeof WITHDRAWAL>;

export const WITHDRAWAL_COLUMNS = columns(WITHDRAWAL);

/** As many for every number, so that the mask does not tell its length. */
const MASK = "****";

const OF_A_SUB = "Of whoever is paid; null for the account's own bank.";

export const withdrawalView = Type.Object(
  {
    transaction_id: transactionIdSchema("Of the withdrawal; `SB-` in the sandbox."),
    reference: uuidSchema("What the bank knows it by."),
    withdrawal_type: wordSchema(WITHDRAWAL_TYPES, "Which of the three kinds.", "normal"),
    environment: wordSchema(ENVIRONMENTS, "Whose money.", "sandbox"),
    currency: wordSchema(CURRENCIES, "Of both amounts.", "TTD"),
    amount: amountSchema("What is paid out.", "100.00"),
    fee: amountSchema("Taken beside the amount.", "5.00"),
    status: wordSchema(STATUS_NAMES, "How far it is; the metadata tells what it leads to."),
    status_description: textSchema(
      "The same in words, with the reason where there is one.",
      WITHDRAWAL_STATUSES.pending.description,
    ),
    data: textSchema("As it was sent, or empty.", '{"batch":7}'),
    bank_name: orNull(textSchema("The bank that is paid.", "First Citizens")),
    bank_account: orNull(textSchema("The end of the account's number.", "****5678")),
    bank_account_type: orNull(textSchema("Jamaica only.", "savings"), null),
    bank_branch: orNull(textSchema("Jamaica only.", "Half Way Tree"), null),
    name_in_bank: orNull(textSchema("Whose account it is.", "Marisol Baptiste")),
    recipient_name: orNull(textSchema("Who is paid without a bank.", "Kerry-Ann Joseph"), null),
    email: orNull(textSchema(OF_A_SUB, "kerry@example.com"), null),
    phone: orNull(textSchema(OF_A_SUB, "+18685550123"), null),
    id_type: orNull(textSchema(OF_A_SUB, "passport"), null),
    id_number: orNull(textSchema("The end of the document's number.", "****3456"), null),
    created_at: timestampSchema("When it was asked for."),
    updated_at: timestampSchema("When it last moved."),
    completed_at: orNull(timestampSchema("When it was paid."), null),
    deleted_at: orNull(timestampSchema("When its owner took it back."), null),
  },
  { title: "Withdrawal" },
);

export function viewWithdrawal(row: WithdrawalRow) {
  const shown = (minor: bigint) => formatMoney(money(row.currency, minor));
  return {
    transaction_id: row.transaction_id,
    reference: row.reference,
    withdrawal_type: row.withdrawal_type,
    environment: row.environment,
    currency: row.currency,
    amount: shown(row.amount_minor),
    fee: shown(row.fee_minor),
    status: row.status,
    status_description: describeStatus(row),
    data: row.data,
    bank_name: row.bank_name,
    bank_account: masked(row.bank_account_last_four),
    bank_account_type: row.bank_account_type,
    bank_branch: row.bank_branch,
    name_in_bank: row.name_in_bank,
    recipient_name: row.recipient_name,
    email: row.email,
    phone: row.phone,
    id_type: row.id_type,
    id_number: masked(row.id_number_last_four),
    created_at: row.created_at,
    updated_at: row.updated_at,
    completed_at: row.completed_at,
    deleted_at: row.deleted_at,
  };
}

/** As the metadata describes it, and then the reason, where there is one. */
function describeStatus({ status, status_reason }: WithdrawalRow): string {
  const { description } = WITHDRAWAL_STATUSES[status];
  return status_reason === null ? description : `${description} Reason: ${status_reason}`;
}

function masked(lastFour: string | null): string | null {
  return lastFour === null ? null : MASK + lastFour;
}

/** Unknown, somebody else's and of another environment are one 404, found by one statement. */
export async function findWithdrawal(
  db: Queryable,
  wanted: {
    transactionId: string;
    accountNumber: string;
    /** Undefined: either, since the id itself tells which. */
    environment: Environment | undefined;
  },
): Promise<WithdrawalRow> {
  const { transactionId, accountNumber, environment = null } = wanted;
  // Nothing else is worth a look; a NUL in it would even be an error of PostgreSQL's.
  if (!TRANSACTION_ID.test(transactionId)) throw new NotFound("not the shape of an id");
  const row = await db.maybeOne(sqlOf(WITHDRAWAL)`
    select ${WITHDRAWAL_COLUMNS} from withdrawals
    where transaction_id = ${transactionId} and account_number = ${accountNumber}
      and environment = coalesce(${environment}, environment)`);
  if (row === undefined) throw new NotFound("no such withdrawal, or not within reach");
  return row;
}

/** By its id alone, for whoever works on it. */
export function readWithdrawal(
  db: Queryable,
  transactionId: string,
): Promise<WithdrawalRow | undefined> {
  return db.maybeOne(sqlOf(WITHDRAWAL)`
    select ${WITHDRAWAL_COLUMNS} from withdrawals where transaction_id = ${transactionId}`);
}
