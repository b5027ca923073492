/**
 * Withdrawals: money leaving a merchant's balance for a bank account or a person (Interface §2.3,
 * §3.3, Decision 0045).
 *
 * Amount and fee are held in the tx that writes the row, so they cannot be spent twice; every move
 * after that is made by `moveWithdrawal`. Where the money goes is a copy made when it was created,
 * and of its numbers only the last four characters are shown.
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
import { viewOf } from "../../kit/view-of.ts";
import { ENVIRONMENTS, type Environment } from "../../kit/vocabulary.ts";
import type { ReasonToStayOpen } from "../accounts/context.ts";

/** The same table as `withdrawal_may_move` in the database, which is the one that decides. */
export const WITHDRAWAL_STATUSES = {
  pending: {
    description: "Asked for. Amount and fee are held, and no bank has been told.",
    next: ["processing", "held", "cancelled"],
  },
  processing: {
    description: "The bank has been told to pay.",
    next: ["completed", "failed", "held"],
  },
  held: {
    description: "Stopped until somebody has looked at it.",
    next: ["pending", "failed"],
  },
  completed: { description: "Paid.", next: ["returned"] },
  failed: { description: "Not paid. Amount and fee are back in the balance.", next: [] },
  cancelled: {
    description: "Taken back by its owner. Amount and fee are back in the balance.",
    next: [],
  },
  returned: {
    description: "Paid, and sent back by the bank. Amount and fee are back in the balance.",
    next: [],
  },
} as const satisfies Record<string, { description: string; next: readonly string[] }>;

export type WithdrawalStatus = keyof typeof WITHDRAWAL_STATUSES;

export const STATUS_NAMES = Object.keys(WITHDRAWAL_STATUSES) as WithdrawalStatus[];

/**
 * Nobody waits for more. A completed one is final although a bank may send it back: that is rare,
 * and nothing that a caller could wait for (Decision 0101).
 */
export function isFinal(status: WithdrawalStatus): boolean {
  return status === "completed" || WITHDRAWAL_STATUSES[status].next.length === 0;
}

export function mayMove(from: WithdrawalStatus, to: WithdrawalStatus): boolean {
  const next: readonly WithdrawalStatus[] = WITHDRAWAL_STATUSES[from].next;
  return next.includes(to);
}

export const WITHDRAWAL_TYPES = ["normal", "sub_banked", "sub_unbanked"] as const;

export type WithdrawalType = (typeof WITHDRAWAL_TYPES)[number];

export const WITHDRAWAL = {
  ...omit(tables.withdrawals, "numbers_sealed", "wrapping_key_id", "dispatch_at"),
  /** Of a bank abroad: the other columns of `foreign_banks`, by their names. */
  foreign_bank: nullable(json<Readonly<Record<string, string | null>>>()),
};

export type WithdrawalRow = Row<typeof WITHDRAWAL>;

export const WITHDRAWAL_COLUMNS = columns(WITHDRAWAL);

/** The same for every number, so that the mask does not show its length. */
const MASK = "****";

const OF_A_SUB = "Of the payee; null for the account's own bank.";

const withdrawalFields = {
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
};

export const withdrawalView = Type.Object(withdrawalFields, { title: "Withdrawal" });

export const viewWithdrawal = viewOf(withdrawalFields, (row: WithdrawalRow) => {
  const { currency, status_reason } = row;
  const { description } = WITHDRAWAL_STATUSES[row.status];
  return {
    amount: formatMoney(money(currency, row.amount_minor)),
    fee: formatMoney(money(currency, row.fee_minor)),
    status_description:
      status_reason === null ? description : `${description} Reason: ${status_reason}`,
    bank_account: masked(row.bank_account_last_four),
    id_number: masked(row.id_number_last_four),
  };
});

function masked(lastFour: string | null): string | null {
  return lastFour === null ? null : MASK + lastFour;
}

/** Unknown, another account's and of another environment are one 404, found by one statement. */
export async function findWithdrawal(
  db: Queryable,
  wanted: {
    transactionId: string;
    accountNumber: string;
    /** Undefined: either, since the id itself says which. */
    environment: Environment | undefined;
  },
): Promise<WithdrawalRow> {
  const { transactionId, accountNumber, environment = null } = wanted;
  // Saves the query; a NUL would even be an error of PostgreSQL.
  if (!TRANSACTION_ID.test(transactionId)) throw new NotFound("not the shape of an id");
  const row = await db.maybeOne(sqlOf(WITHDRAWAL)`
    select ${WITHDRAWAL_COLUMNS} from withdrawals
    where transaction_id = ${transactionId} and account_number = ${accountNumber}
      and environment = coalesce(${environment}, environment)`);
  if (row === undefined) throw new NotFound("no such withdrawal, or not within reach");
  return row;
}

/** By its id alone. */
export function readWithdrawal(
  db: Queryable,
  transactionId: string,
): Promise<WithdrawalRow | undefined> {
  return db.maybeOne(sqlOf(WITHDRAWAL)`
    select ${WITHDRAWAL_COLUMNS} from withdrawals where transaction_id = ${transactionId}`);
}

export const OPEN_WITHDRAWAL = "The account still has an open withdrawal.";

/** An account with a withdrawal under way stays open: the money may come back (Decision 0022). */
export const withdrawalUnderWay: ReasonToStayOpen = async (tx, accountNumber) => {
  const open = await tx.maybeOne(sqlOf({})`
    select from withdrawals
    where account_number = ${accountNumber} and status in ('pending', 'processing', 'held')
    limit 1`);
  return open === undefined ? undefined : OPEN_WITHDRAWAL;
};
