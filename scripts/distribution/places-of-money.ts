/**
 * Tables of money and of what is bought: payments, cards, the books, withdrawals, the acquirer. The
 * words are what would have to change for Citus, beyond what the facts beside them show.
 */

import {
  ACCOUNT,
  CARD_CHECK,
  CHECKOUT,
  everywhere,
  LEDGER_ACCOUNT,
  LINK,
  ofAccount,
  ofAccountAndHouse,
  ofAccountOrNobody,
  ofEachPart,
  PAYMENT,
  PAYOUT_ORDER,
  type Places,
  POSTING,
  REFUND,
  SALE,
  SETTLEMENT_LINE,
  through,
  WITHDRAWAL,
} from "./place.ts";

const ADD_COLUMN = "column, key and references with the account";
const PUBLIC_ID = "key with the account; that the id is nobody else's rests on its 80 random bits";

export const PLACES_OF_MONEY: Places = {
  transactions: ofAccount(`${PUBLIC_ID}; the page and results find it by id alone`),
  disputes: through("transaction_id", [PAYMENT], ADD_COLUMN),
  refunds: through("transaction_id", [PAYMENT], ADD_COLUMN),
  receipts_due: through("record_id", [PAYMENT, REFUND], "column; the sweep looks in every shard"),
  transaction_counts: ofAccount(),
  transaction_count_changes: ofAccount("added up by one job for all: one run in each shard"),
  payment_failures: ofAccount(),
  checkout_sessions: through(
    "transaction_id",
    CHECKOUT,
    "column; a customer comes with a token that must name its account or part",
  ),
  checkout_attempts: through("transaction_id", CHECKOUT, "column; the sweep looks in every shard"),
  card_charges: through("transaction_id", [PAYMENT], ADD_COLUMN),
  card_checks: ofAccount("key with the account"),
  trusted_cards: ofAccount("key with the account; a reference to the check with it"),
  card_fingerprint_keys: ofAccount(),
  payment_links: ofAccount("the address of a link must name its account or part"),
  payment_link_months: through("link_id", [LINK], ADD_COLUMN),
  payment_link_slots: through("link_id", [LINK], ADD_COLUMN),
  gateway_orders: through("transaction_id", CHECKOUT, "column; asked for by reference alone"),
  gateway_routes: everywhere("reference table: a handful of rows, written by operators"),
  powertranz_sales: through("transaction_id", CHECKOUT, "column; asked for by reference alone"),
  powertranz_refunds: through("sale_reference", [SALE], ADD_COLUMN),
  simulator_sales: through("transaction_id", CHECKOUT, "column; development only"),
  simulator_refunds: through("transaction_id", CHECKOUT, "column; development only"),
  simulator_payouts: through("reference", [PAYOUT_ORDER], "column; development only"),
  ledger_accounts: ofAccountAndHouse(
    { column: "account_number", isOptional: true },
    "hot and shared: the house's rows are those of all accounts with one last digit; see below",
  ),
  ledger_balances: ofAccountAndHouse(
    { by: "ledger_account_id", of: [LEDGER_ACCOUNT] },
    "hot and shared: a row of the house is locked by each payment of a tenth of all accounts",
  ),
  ledger_postings: through(
    "reference",
    [PAYMENT, CARD_CHECK, WITHDRAWAL, SETTLEMENT_LINE, ACCOUNT],
    "column: the account is known only by way of what the posting is for",
  ),
  ledger_transfers: through(
    "environment || ' ' || posting_id",
    [POSTING],
    "column; places in chains of the house are shared by accounts; the largest table",
  ),
  statement_positions: through("ledger_account_id", [LEDGER_ACCOUNT], ADD_COLUMN),
  statement_sums: ofAccount(),
  withdrawals: ofAccount(PUBLIC_ID),
  payouts: through("transaction_id", [WITHDRAWAL], `${ADD_COLUMN}; a file is of many accounts`),
  payout_batches: everywhere("shared: one file pays many accounts; a file for each part instead"),
  payee_lists: ofAccount("key with the account"),
  reconciliations: ofEachPart("each part checks its own books"),
  settlement_lines: ofAccountOrNobody(
    "shared: a report is of all accounts, and a line nobody knows is of none; import per line",
  ),
  erasure_positions: ofEachPart("begun anew: what was looked through is looked through again"),
};
