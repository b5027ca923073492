/** Who buys books in the screenshots, and what banks and customers say when something is wrong. */

import type { Customer } from "../../src/modules/transactions/transaction.ts";

const NAMES = [
  "Anika Mohammed",
  "Dwayne Charles",
  "Keisha Joseph",
  "Rajesh Maharaj",
  "Tamika Williams",
  "Brian Persad",
  "Shanice Pierre",
  "Marcus Alexander",
  "Alana Ramdeen",
  "Curtis Thomas",
  "Nadia Hosein",
  "Joel Baptiste",
  "Camille Francis",
  "Vishal Singh",
  "Renée Boisselle",
  "Andre Phillip",
];

export const CUSTOMERS: readonly Customer[] = NAMES.map((name) => {
  const [fname = "", lname = ""] = name.split(" ");
  const address = `${fname}.${lname}`
    .normalize("NFD")
    .replace(/[^a-z.]/gi, "")
    .toLowerCase();
  return { fname, lname, email: `${address}@example.com` };
});

/** The more common ones stand here more often. */
export const DECLINES: readonly string[] = [
  "[2-R05]: Transaction is declined.",
  "[2-R05]: Transaction is declined.",
  "[2-R05]: Transaction is declined.",
  "[2-R51]: The card does not have enough funds.",
  "[2-R51]: The card does not have enough funds.",
  "[2-RN7]: The security code of the card is wrong.",
  "[2-R54]: The card has expired.",
];

export const REASONS: readonly string[] = [
  "Damaged in the post",
  "Out of print",
  "Ordered twice",
  "Sent back within 14 days",
];
