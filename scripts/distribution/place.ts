/**
 * Where the rows of a table would live if accounts were distributed over several databases, and how
 * a row is traced to its account (Decision 0135).
 */

/** A table and the expression by which its rows are named elsewhere. */
interface Target {
  readonly table: string;
  readonly key: string;
}

export type Way =
  /** Null where a row may be of nobody: it then stays in the first part. */
  | { readonly column: "account_number"; readonly isOptional: boolean }
  | { readonly by: string; readonly of: readonly Target[] };

export type Place = { readonly change: string } & (
  | { readonly lives: "account"; readonly way: Way }
  /** Accounts' rows go with them; those of the house are in every part. */
  | { readonly lives: "account and house"; readonly way: Way }
  /** In every part where the person holds an account or is a member; an operator in all. */
  | { readonly lives: "person" }
  /** A copy in every part; only the first part's is written. */
  | { readonly lives: "everywhere" }
  /** In the first part alone. */
  | { readonly lives: "first part" }
  /** Not moved: each part begins its own. */
  | { readonly lives: "each part's own" }
);

export type Places = Readonly<Record<string, Place>>;

const COLUMN: Way = { column: "account_number", isOptional: false };
const MAYBE: Way = { column: "account_number", isOptional: true };

/** Has the column: what is said is what else would have to change. */
export const ofAccount = (change = "–"): Place => ({ lives: "account", way: COLUMN, change });

export const ofAccountOrNobody = (change: string): Place => {
  return { lives: "account", way: MAYBE, change };
};

/** Has no such column, but one that names a row which leads to it. */
export const through = (by: string, of: readonly Target[], change: string): Place => {
  return { lives: "account", way: { by, of }, change };
};

export const ofAccountAndHouse = (way: Way, change: string): Place => {
  return { lives: "account and house", way, change };
};

export const ofPerson = (change: string): Place => ({ lives: "person", change });
export const everywhere = (change: string): Place => ({ lives: "everywhere", change });
export const ofFirstPart = (change: string): Place => ({ lives: "first part", change });
export const ofEachPart = (change: string): Place => ({ lives: "each part's own", change });

const target = (table: string, key: string): Target => ({ table, key });

export const ACCOUNT = target("accounts", "account_number");
export const PAYMENT = target("transactions", "transaction_id");
export const CARD_CHECK = target("card_checks", "transaction_id");
export const WITHDRAWAL = target("withdrawals", "transaction_id");
export const PAYOUT_ORDER = target("withdrawals", "reference");
export const REFUND = target("refunds", "refund_id");
export const SETTLEMENT_LINE = target("settlement_lines", "line_id");
export const POSTING = target("ledger_postings", "environment || ' ' || posting_id");
export const LEDGER_ACCOUNT = target("ledger_accounts", "ledger_account_id");
export const SALE = target("powertranz_sales", "reference");
export const GRANT = target("grants", "grant_id");
export const EVENT = target("events", "event_id");
export const ENDPOINT = target("webhook_endpoints", "endpoint_id");
export const DELIVERY = target("webhook_deliveries", "delivery_id");
export const LINK = target("payment_links", "link_id");
/** What a checkout session belongs to. */
export const CHECKOUT = [PAYMENT, CARD_CHECK] as const;

/** In an order in which each is traced by what stands before it. */
export const TARGETS: readonly Target[] = [
  ...[ACCOUNT, PAYMENT, CARD_CHECK, WITHDRAWAL, PAYOUT_ORDER, REFUND, SETTLEMENT_LINE],
  ...[POSTING, LEDGER_ACCOUNT, SALE, GRANT, EVENT, ENDPOINT, DELIVERY, LINK],
];
