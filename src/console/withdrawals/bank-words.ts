/** The fields of bank details in words for people, and how they are asked for. */

import { labelOf } from "../../kit/fields/field.ts";
import type { Definition } from "../../parts/definition-list.ts";
import type { BankView } from "./read-banks.ts";
import { ending } from "./words.ts";

interface FieldWords {
  readonly label: string;
  readonly hint?: string;
  /** An address. */
  readonly isLong?: boolean;
}

const WORDS: Readonly<Record<string, FieldWords>> = {
  bank_name: { label: "Bank" },
  bank_account: { label: "Account number", hint: "Digits only, leading zeros included." },
  name_in_bank: { label: "Name at the bank", hint: "Whose account it is, as the bank has it." },
  bank_account_type: { label: "Kind of account" },
  bank_branch: { label: "Branch" },
  beneficiary_name: { label: "Account holder" },
  beneficiary_address: { label: "Address of the holder", isLong: true },
  beneficiary_account_number: {
    label: "Account number or IBAN",
    hint: "5 to 34 letters and digits.",
  },
  beneficiary_bank: { label: "Bank" },
  bank_address: { label: "Address of the bank", isLong: true },
  beneficiary_bank_swift_or_routing_code: {
    label: "SWIFT code or ABA routing number",
    hint: "8 or 11 characters, or 9 digits.",
  },
  intermediary_bank: { label: "Intermediary bank", hint: "Only if your bank asks for one." },
  intermediary_bank_address: { label: "Address of the intermediary bank", isLong: true },
  intermediary_bank_swift_code: { label: "SWIFT code of the intermediary bank" },
  intermediary_bank_routing_number_or_aba: { label: "ABA number of the intermediary bank" },
};

export function wordsOfField(name: string): FieldWords {
  return WORDS[name] ?? { label: labelOf(name) };
}

/** Of the number its end only. */
export function factsOfBank({ kind, row }: BankView): Definition[] {
  if (row === undefined) return [];
  return Object.keys(kind.fields).map((name) => ({
    term: wordsOfField(name).label,
    value: name === kind.numberField ? ending(row.number_last_four) : String(row[name] ?? ""),
  }));
}
