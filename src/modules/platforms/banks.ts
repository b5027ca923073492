/**
 * The banks that local bank details may name (Interface §2.3).
 *
 * The rule that matters: `name` is what callers send and what is stored, compared letter for
 * letter; `displayName` is for people and may be changed at any time (Decision 0017).
 */

export const BANK_ACCOUNT_TYPES = ["chequing", "savings"] as const;

type BankAccountType = (typeof BANK_ACCOUNT_TYPES)[number];

export interface Bank {
  readonly name: string;
  readonly displayName: string;
  /** How many digits its account numbers have. */
  readonly account: { readonly minLength: number; readonly maxLength: number };
  /** Both only on a platform that asks for the branch. */
  readonly accountTypes?: readonly BankAccountType[];
  readonly branches?: readonly string[];
}

/** Of a bank that publishes none: what account numbers of the region have. */
export const USUAL_LENGTH = { minLength: 6, maxLength: 17 } as const;

const DIGITS = /^[0-9]+$/;

export function findBank(
  { banks }: { readonly banks: readonly Bank[] },
  name: string,
): Bank | undefined {
  return banks.find((bank) => bank.name === name);
}

/** Leading zeros count: an account number is text, never a number. */
export function isAccountNumberOf(bank: Bank, digits: string): boolean {
  const { minLength, maxLength } = bank.account;
  return digits.length >= minLength && digits.length <= maxLength && DIGITS.test(digits);
}
