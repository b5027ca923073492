/** A withdrawal as a payment in a bank's file. */

import assert from "node:assert/strict";
import { money } from "../../../kit/money.ts";
import type { PayeeNumbers } from "../payee-numbers.ts";
import type { WithdrawalRow, WithdrawalType } from "../withdrawal.ts";
import type { BankPayee } from "./bank-payee.ts";
import { type BankPayment, endToEndIdOf, type Method } from "./credit-transfer.ts";

export function bankPaymentOf(row: WithdrawalRow, numbers: PayeeNumbers): BankPayment {
  return {
    endToEndId: endToEndIdOf(row.reference),
    transactionId: row.transaction_id,
    amount: money(row.currency, row.amount_minor),
    method: methodOf(row.withdrawal_type),
    payee: payeeOf(row, numbers),
  };
}

/** A payee without a bank account gets a cheque. */
export function methodOf(type: WithdrawalType): Method {
  return type === "sub_unbanked" ? "CHK" : "TRF";
}

function payeeOf(row: WithdrawalRow, { bankAccount, idNumber }: PayeeNumbers): BankPayee {
  if (row.withdrawal_type === "sub_unbanked") {
    assert(row.id_type !== null, `${row.transaction_id} names no document`);
    return {
      kind: "person",
      name: row.recipient_name ?? "",
      phone: row.phone ?? "",
      document: { type: row.id_type, number: idNumber ?? "" },
    };
  }
  assert(bankAccount !== undefined, `${row.transaction_id} has no account number`);
  const name = row.name_in_bank ?? "";
  const bankName = row.bank_name ?? "";
  if (row.foreign_bank !== null)
    return { kind: "abroad", name, account: bankAccount, ...abroad(bankName, row.foreign_bank) };
  return {
    kind: "local",
    name,
    bankName,
    branch: row.bank_branch ?? undefined,
    accountType: row.bank_account_type ?? undefined,
    account: bankAccount,
  };
}

function abroad(name: string, details: Readonly<Record<string, string | null>>) {
  const known = (...columns: string[]) => columns.flatMap((column) => details[column] ?? []);
  const [between] = known("intermediary_bank");
  return {
    address: details.beneficiary_address ?? "",
    bank: {
      name,
      address: details.bank_address ?? undefined,
      codes: known("beneficiary_bank_swift_or_routing_code"),
    },
    between:
      between === undefined
        ? undefined
        : {
            name: between,
            address: details.intermediary_bank_address ?? undefined,
            codes: known("intermediary_bank_swift_code", "intermediary_bank_routing_number_or_aba"),
          },
  };
}
