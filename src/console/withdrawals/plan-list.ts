/** What paying a list would do: each payment as it is shown, and the sums by currency. */

import { addMoney, type Currency, type Money, money, subtractMoney } from "../../kit/money.ts";
import type { Balance } from "../../modules/ledger/balances.ts";
import { withdrawalTermsOf } from "../../modules/platforms/limits.ts";
import { platformOf } from "../../modules/platforms/platform.ts";
import { type PayeeLine, requestOf } from "../../modules/withdrawals/payee-lists/read-list.ts";
import type { Visitor } from "../visitor.ts";
import { ending, IN_PERSON } from "./words.ts";

export interface PlannedPayment {
  readonly line: number;
  readonly payee: string;
  readonly place: string;
  readonly amount: Money;
}

export interface ListTotal {
  readonly count: number;
  readonly amounts: Money;
  readonly fees: Money;
  readonly total: Money;
  /** Of what is available now; below zero it does not suffice. */
  readonly left: Money;
}

export function planPayments(
  { account, environment }: Visitor,
  lines: readonly PayeeLine[],
): PlannedPayment[] {
  const platform = platformOf(account.countryCode);
  return lines.map((line) => {
    const request = requestOf(line, platform, environment);
    const { bank_name: bank, bank_account: number = "" } = request;
    return {
      line: line.number,
      payee: request.recipient_name ?? request.name_in_bank ?? "",
      place: bank === undefined ? IN_PERSON : `${bank} ${ending(number.slice(-4))}`,
      amount: money(request.currency, request.amount),
    };
  });
}

export function totalsOf(
  payments: readonly PlannedPayment[],
  balances: readonly Balance[],
): ListTotal[] {
  const currencies = new Set<Currency>(payments.map(({ amount }) => amount.currency));
  return [...currencies].sort().map((currency) => {
    const own = payments.filter(({ amount }) => amount.currency === currency);
    const none = money(currency, 0n);
    const amounts = own.reduce((sum, { amount }) => addMoney(sum, amount), none);
    const { fee } = withdrawalTermsOf(currency);
    const fees = money(currency, fee.minor * BigInt(own.length));
    const total = addMoney(amounts, fees);
    const known = balances.find(({ balance }) => balance.currency === currency);
    const left = subtractMoney(known?.available ?? none, total);
    return { count: own.length, amounts, fees, total, left };
  });
}
