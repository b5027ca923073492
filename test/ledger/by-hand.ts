/**
 * Transfers written by hand, as SQL: right in every column, so that a test can spoil one of them.
 * Words like a and b are views of a balance, which the test makes.
 */

export const id = (word: string) => `(select ledger_account_id from ${word})`;
export const last = (word: string) => `(select entry_count from ${word})`;
export const balance = (word: string) => `(select balance_minor from ${word})`;

/** A transfer of 1.00 from a to b, right in every column, but for what a case changes. */
export function transfer(change: Record<string, string> = {}): string {
  const columns = {
    environment: "'live'",
    posting_id: "'by hand'",
    leg: "1",
    currency: "'TTD'",
    amount_minor: "100",
    debit_account_id: id("a"),
    debit_entry: `${last("a")} + 1`,
    debit_balance_minor: `${balance("a")} - 100`,
    credit_account_id: id("b"),
    credit_entry: `${last("b")} + 1`,
    credit_balance_minor: `${balance("b")} + 100`,
    ...change,
  };
  return `insert into ledger_transfers (${Object.keys(columns)}) select ${Object.values(columns)}`;
}
const POSTING = "insert into ledger_postings values ('live', 'by hand', 'test', 'test')";
export const move = (word: string, minor: number, entries = 1) => `update ledger_balances
  set balance_minor = balance_minor + ${minor}, entry_count = entry_count + ${entries}
  where ledger_account_id = ${id(word)}`;
export const withMoves = (change: Record<string, string>, ...moves: [string, number][]) =>
  `with p as (${POSTING}), ${moves.map(([word, minor]) => `${word}_ as (${move(word, minor)})`)}
   ${transfer(change)}`;
export const posted = (change: Record<string, string> = {}) =>
  `with p as (${POSTING}) ${transfer(change)}`;

/** In the same INSERT as the transfer before it. */
const andTransfer = (change: Record<string, string>) =>
  `union all ${transfer({ leg: "2", ...change }).replace(/^.*?\) select/, "select")}`;

/** c had 10.00 and gave 3.00. Here it gives 1.00 and gets 8.00, in the same two places. */
export const OTHER_HISTORY = `with p as (${POSTING}), b_ as (${move("b", 100)}),
  opening_ as (${move("opening", -800)})
  ${transfer({ debit_account_id: id("c"), debit_entry: "1", debit_balance_minor: "-100" })}
  ${andTransfer({
    amount_minor: "800",
    debit_account_id: id("opening"),
    debit_entry: `${last("opening")} + 1`,
    debit_balance_minor: `${balance("opening")} - 800`,
    credit_account_id: id("c"),
    credit_entry: "2",
    credit_balance_minor: "700",
  })}`;

/**
 * Two of 1.00 at once from a to b. The first follows from what was there and the last is what the
 * balance says, on both sides; what a case changes is broken between the two.
 */
export const twoAtOnce = ({ a = -200, b = 200, places = 2 } = {}) =>
  `with p as (${POSTING}), a_ as (${move("a", a, places)}), b_ as (${move("b", b, places)})
  ${transfer()} ${andTransfer({
    debit_entry: `${last("a")} + ${places}`,
    debit_balance_minor: `${balance("a")} + ${a}`,
    credit_entry: `${last("b")} + ${places}`,
    credit_balance_minor: `${balance("b")} + ${b}`,
  })}`;
