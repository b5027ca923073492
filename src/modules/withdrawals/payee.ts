/**
 * Who a withdrawal pays, settled when it is asked for and copied into it: bank details that change
 * afterwards change nothing (Decision 0045). A `normal` one pays the account's own bank for the
 * currency, at home or abroad; the others pay whom the main merchant names.
 */

import type { Config } from "../../infra/config.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { Caller } from "../../infra/http/caller.ts";
import { ServiceError } from "../../kit/errors.ts";
import type { Currency } from "../../kit/money.ts";
import { platformOf } from "../platforms/platform.ts";
import { type BankRow, findBankRow, openNumber } from "../user/bank.ts";
import { foreignBank } from "../user/foreign-bank.ts";
import { localBank } from "../user/local-bank.ts";
import type { PayeeNumbers } from "./payee-numbers.ts";
import type { WithdrawalRow } from "./withdrawal.ts";
import type { WithdrawalValues } from "./withdrawal-fields.ts";

const SHOWN_CHARACTERS = 4;

export class NoBankDetails extends ServiceError {
  constructor(currency: Currency) {
    super({
      status: 422,
      code: "no_bank_details",
      message: `There are no bank details for ${currency}.`,
    });
  }
}

type PayeeColumns = Pick<
  WithdrawalRow,
  | "bank_name"
  | "bank_account_last_four"
  | "bank_account_type"
  | "bank_branch"
  | "name_in_bank"
  | "foreign_bank"
  | "recipient_name"
  | "email"
  | "phone"
  | "id_type"
  | "id_number_last_four"
>;

export interface Payee {
  readonly columns: PayeeColumns;
  readonly numbers: PayeeNumbers;
}

const NOBODY: PayeeColumns = {
  bank_name: null,
  bank_account_last_four: null,
  bank_account_type: null,
  bank_branch: null,
  name_in_bank: null,
  foreign_bank: null,
  recipient_name: null,
  email: null,
  phone: null,
  id_type: null,
  id_number_last_four: null,
};

export async function settlePayee(
  { config }: { config: Config },
  tx: Tx,
  caller: Caller,
  asked: WithdrawalValues,
): Promise<Payee> {
  if (asked.withdrawal_type !== "normal") return namedPayee(asked);
  const { accountNumber, countryCode } = caller;
  const isAbroad = asked.currency === platformOf(countryCode).foreignCurrency;
  const row = await (isAbroad
    ? findBankRow(tx, foreignBank, accountNumber)
    : findBankRow(tx, localBank, accountNumber));
  if (row === undefined) throw new NoBankDetails(asked.currency);
  const type = isAbroad ? "foreign" : "local";
  const bankAccount = openNumber(config.wrappingKeys, { accountNumber, type }, row);
  return {
    columns: { ...NOBODY, ...(isAbroad ? bankAbroad(row) : bankAtHome(row)) },
    numbers: { bankAccount },
  };
}

function bankAtHome(row: BankRow): Partial<PayeeColumns> {
  const { bank_name, name_in_bank, bank_account_type, bank_branch } = row as BankRow & PayeeColumns;
  const bank_account_last_four = row.number_last_four;
  return { bank_name, bank_account_last_four, name_in_bank, bank_account_type, bank_branch };
}

/** Shown under the names that every withdrawal has; what else that bank asks for is kept beside. */
function bankAbroad(row: BankRow): Partial<PayeeColumns> {
  const { number_sealed: _, number_last_four, wrapping_key_id: __, ...details } = row;
  const { beneficiary_bank, beneficiary_name, ...others } = details as Record<string, string>;
  return {
    bank_name: beneficiary_bank ?? null,
    bank_account_last_four: number_last_four,
    name_in_bank: beneficiary_name ?? null,
    foreign_bank: others,
  };
}

function namedPayee(asked: WithdrawalValues): Payee {
  const { bank_account: bankAccount, id_number: idNumber } = asked;
  return {
    columns: {
      bank_name: asked.bank_name ?? null,
      bank_account_last_four: endOf(bankAccount),
      bank_account_type: asked.bank_account_type ?? null,
      bank_branch: asked.bank_branch ?? null,
      name_in_bank: asked.name_in_bank ?? null,
      foreign_bank: null,
      recipient_name: asked.recipient_name ?? null,
      email: asked.email ?? null,
      phone: asked.phone ?? null,
      id_type: asked.id_type ?? null,
      id_number_last_four: endOf(idNumber),
    },
    numbers: { bankAccount, idNumber },
  };
}

function endOf(number: string | undefined): string | null {
  return number?.slice(-SHOWN_CHARACTERS) ?? null;
}
