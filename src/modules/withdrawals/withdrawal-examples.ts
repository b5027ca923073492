/** Withdrawals as the documents show them, and what is said of mismatches (Decision 0050). */

import { exampleOfFields } from "../../kit/fields/example.ts";
import { described, readFields } from "../../kit/fields/field.ts";
import { platformOf } from "../platforms/platform.ts";
import type { WithdrawalType } from "./withdrawal.ts";
import { withdrawalFields } from "./withdrawal-fields.ts";

export function exampleFor(kind: WithdrawalType): Record<string, unknown> {
  const { withdrawal_type, ...others } = withdrawalFields();
  const chosen = described(withdrawal_type, "", kind);
  const {
    bank_account_type: _,
    bank_branch: __,
    ...body
  } = exampleOfFields({
    withdrawal_type: chosen,
    ...others,
  });
  return body;
}

/** What a bank account there has, of an example that fits Trinidad and Tobago. */
const IN_JAMAICA = {
  currency: "JMD",
  amount: "1000.00",
  bank_name: "JN Bank",
  bank_account: "301234567",
  phone: "+18765550123",
  id_number: "A1234567",
  bank_account_type: "savings",
  bank_branch: "New Kingston",
};

const fieldsThere = withdrawalFields(platformOf("JM"));

/** What the platforms say of what others would take. */
export const MISFITS = [
  { bank_name: "1" },
  { bank_account: "1" },
  { id_number: "1" },
  { bank_account_type: "1" },
  { bank_account_type: undefined },
  { bank_branch: "1" },
  { bank_branch: undefined },
].map(
  (wrong) => () =>
    readFields(fieldsThere, { ...exampleFor("sub_banked"), ...IN_JAMAICA, ...wrong }),
);
