/**
 * The banks that local bank details may name (Interface §2.3). `name` is what callers send and what
 * is stored, compared exactly; `displayName` is for people and may change (Decision 0017).
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

const DIGITS = /^[0-9]+$/;

export function findBank(
  platform: { readonly banks: readonly Bank[] },
  name: string,
): Bank | undefined {
  return platform.banks.find((bank) => bank.name === name);
}

/** An account number is text: leading zeros count. */
export function isAccountNumberOf(bank: Bank, digits: string): boolean {
  const { minLength, maxLength } = bank.account;
  return digits.length >= minLength && digits.length <= maxLength && DIGITS.test(digits);
}
