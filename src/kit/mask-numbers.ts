/**
 * Long numbers in words that others read: those of accounts and documents, which a bank or an
 * operator may have put there, are kept sealed everywhere else. Amounts with a point and days are
 * left; what else is as long as a number of an account is masked, whatever it was.
 */

const NUMBER = /(?<!\d)\d{4}-\d{2}-\d{2}(?!-?\d)|\p{Nd}(?:[ -]?\p{Nd}){4,}/gu;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

export function maskNumbers(words: string): string {
  return words.replace(NUMBER, (found) => (DAY.test(found) ? found : "****"));
}
