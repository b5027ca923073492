/** Withdrawals in words for people: their state, their kind, and who is paid. */

import type { Html } from "../../kit/html.ts";
import type { WithdrawalRow, WithdrawalStatus } from "../../modules/withdrawals/withdrawal.ts";
import { badge, type Tone } from "../../parts/badge.ts";

interface Words {
  readonly tone: Tone;
  readonly text: string;
}

interface MoneyWords {
  /** Of amount and fee. */
  readonly total: string;
  readonly payee: string;
}

const OPEN = { total: "Held in the balance", payee: "To be paid to" };
const ENDED = { total: "Back in the balance", payee: "Was to be paid to" };

/** What has become of the money in each state. */
export const MONEY_WORDS: Readonly<Record<WithdrawalStatus, MoneyWords>> = {
  pending: OPEN,
  processing: { total: "Leaving the balance", payee: "Being paid to" },
  held: OPEN,
  completed: { total: "Taken from the balance", payee: "Paid to" },
  failed: ENDED,
  cancelled: ENDED,
  returned: { total: "Back in the balance", payee: "Was paid to" },
};

export const STATUS_WORDS: Readonly<Record<WithdrawalStatus, Words>> = {
  pending: { tone: "progress", text: "Pending" },
  processing: { tone: "progress", text: "Processing" },
  held: { tone: "warn", text: "Held" },
  completed: { tone: "good", text: "Completed" },
  failed: { tone: "bad", text: "Failed" },
  cancelled: { tone: "plain", text: "Cancelled" },
  returned: { tone: "bad", text: "Returned" },
};

export const TYPE_WORDS: Readonly<Record<WithdrawalRow["withdrawal_type"], string>> = {
  normal: "To your own bank",
  sub_banked: "To somebody's bank",
  sub_unbanked: "To somebody without a bank",
};

export function statusBadge(status: WithdrawalStatus): Html {
  const { tone, text } = STATUS_WORDS[status];
  return badge(tone, text);
}

/** Who gets the money. */
export function payeeOf(row: WithdrawalRow): string {
  return row.recipient_name ?? row.name_in_bank ?? "";
}

/** Of somebody without a bank account. */
export const IN_PERSON = "in person";

/** Where it goes: the bank and the end of the account's number. */
export function placeOf({ bank_name, bank_account_last_four }: WithdrawalRow): string {
  return bank_name === null ? IN_PERSON : `${bank_name} ${ending(bank_account_last_four)}`;
}

/** The end of a number, as it is shown everywhere. */
export function ending(lastFour: string | null): string {
  return `\u2022\u2022\u2022\u2022 ${lastFour ?? ""}`;
}

/** "Drivers license" for `drivers_license`. */
export function documentName(type: string | null): string {
  const words = (type ?? "").replaceAll("_", " ");
  return words.replace(/^./, (first) => first.toUpperCase());
}
