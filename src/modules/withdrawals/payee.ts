/**
 * The payee of a withdrawal, settled when it is created and copied into it: bank details that
 * change afterwards change nothing (Decision 0045). A `normal` one pays the account's own bank for
 * the currency, at home or abroad; the others pay the payee that the main merchant names.
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
    super("no_bank_details", { message: `There are no bank details for ${currency}.` });
  }
}

/** The columns of a withdrawal that say where the money goes. */
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

interface Payee {
  /** Absent: null. */
  readonly columns: { readonly [Name in keyof PayeeColumns]?: PayeeColumns[Name] | undefined };
  readonly numbers: PayeeNumbers;
}

export async function settlePayee(
  { config }: { config: Config },
  tx: Tx,
  { accountNumber, countryCode }: Caller,
  request: WithdrawalValues,
): Promise<Payee> {
  if (request.withdrawal_type !== "normal") return namedPayee(request);
  const isAbroad = request.currency === platformOf(countryCode).foreignCurrency;
  const row = await (isAbroad
    ? findBankRow(tx, foreignBank, accountNumber)
    : findBankRow(tx, localBank, accountNumber));
  if (row === undefined) throw new NoBankDetails(request.currency);
  const type = isAbroad ? "foreign" : "local";
  const bankAccount = openNumber(config.wrappingKeys, { accountNumber, type }, row);
  const details = isAbroad ? bankAbroad(row) : (row as BankRow & Payee["columns"]);
  return {
    columns: { ...details, bank_account_last_four: row.number_last_four },
    numbers: { bankAccount },
  };
}

/** Shown under the names that every withdrawal has; the other details are kept as JSON. */
function bankAbroad(row: BankRow): Payee["columns"] {
  const { number_sealed: _, number_last_four: __, wrapping_key_id: ___, ...details } = row;
  const { beneficiary_bank, beneficiary_name, ...others } = details as Record<string, string>;
  return { bank_name: beneficiary_bank, name_in_bank: beneficiary_name, foreign_bank: others };
}

/** Fields that the type of the withdrawal does not have were never read, so they are absent. */
function namedPayee(request: WithdrawalValues): Payee {
  const { bank_account: bankAccount, id_number: idNumber } = request;
  return {
    columns: {
      ...request,
      bank_account_last_four: bankAccount?.slice(-SHOWN_CHARACTERS),
      id_number_last_four: idNumber?.slice(-SHOWN_CHARACTERS),
    },
    numbers: { bankAccount, idNumber },
  };
}
