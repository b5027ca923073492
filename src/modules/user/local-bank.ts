/**
 * A bank account in the account's own country, checked against the banks of its platform. Jamaica
 * requires the kind of account and the branch as well; elsewhere they are neither checked nor
 * stored (Decision 0019).
 */

import assert from "node:assert/strict";
import { sql } from "../../infra/db/query.ts";
import { tables } from "../../infra/db/tables.ts";
import { FieldRefused } from "../../kit/errors.ts";
import { withoutCardNumber } from "../../kit/fields/card-number-inside.ts";
import { oneOf } from "../../kit/fields/choice.ts";
import { described, optional, readFields, type Values } from "../../kit/fields/field.ts";
import { line, text } from "../../kit/fields/text.ts";
import { type Bank, findBank, isAccountNumberOf } from "../platforms/banks.ts";
import type { Platform } from "../platforms/platform.ts";
import { type BankKind, fieldColumns } from "./bank.ts";

const LENGTH_MAX = 255;

const fields = {
  bank_name: described(
    text({ max: LENGTH_MAX }),
    "A bank of the account's platform, by the name that the withdrawal metadata gives.",
    "First Citizens",
  ),
  bank_account: described(
    text({
      max: LENGTH_MAX,
      pattern: /^[0-9]+$/,
      patternRefusal: "The bank account must contain only digits.",
    }),
    "The account's number, leading zeros included; how many digits it has depends on the bank.",
    "0012345678",
  ),
  name_in_bank: described(
    withoutCardNumber(line(LENGTH_MAX)),
    "Whose account it is, as the bank has it.",
    "Anika Mohammed",
  ),
  bank_account_type: described(
    optional(text({ max: LENGTH_MAX })),
    "Jamaica only, and required there: `chequing` or `savings`. Elsewhere it is ignored.",
    "savings",
  ),
  bank_branch: described(
    optional(text({ max: LENGTH_MAX })),
    "Jamaica only, and required there: a branch of that bank. Elsewhere it is ignored.",
    "Half Way Tree",
  ),
};

type LocalBank = Values<typeof fields>;
const BRANCH_NAMES = ["bank_account_type", "bank_branch"];

export const localBank = {
  type: "local",
  fields,
  numberField: "bank_account",
  bankField: "bank_name",
  ofThatBank: ({ asksForBranch }) =>
    asksForBranch ? ["bank_account", "bank_account_type", "bank_branch"] : ["bank_account"],
  table: sql`local_banks`,
  columns: fieldColumns(tables.local_banks),
  namesOn: ({ asksForBranch }) =>
    Object.keys(fields).filter((name) => asksForBranch || !BRANCH_NAMES.includes(name)),
  settle,
} satisfies BankKind;

function settle(sent: LocalBank, platform: Platform): LocalBank {
  const names = platform.banks.map(({ name }) => name);
  const { bank_name } = readFields({ bank_name: oneOf(names) }, sent);
  const bank = findBank(platform, bank_name);
  assert(bank !== undefined);
  const { bank_account, name_in_bank } = sent;
  demandNumberOf(bank, bank_account);
  const branch = {
    bank_account_type: oneOf(bank.accountTypes ?? []),
    bank_branch: oneOf(bank.branches ?? []),
  };
  const { bank_account_type, bank_branch } = platform.asksForBranch ? readFields(branch, sent) : {};
  return { bank_name, bank_account, name_in_bank, bank_account_type, bank_branch };
}

export function demandNumberOf(bank: Bank, number: string): void {
  if (isAccountNumberOf(bank, number)) return;
  const { minLength, maxLength } = bank.account;
  const digits = minLength === maxLength ? `${minLength}` : `${minLength} to ${maxLength}`;
  throw new FieldRefused(`The bank account must have ${digits} digits at ${bank.name}.`, {
    field: "bank_account",
    hint: `Send bank_account as ${digits} digits, as ${bank.name} gives its accounts.`,
  });
}
