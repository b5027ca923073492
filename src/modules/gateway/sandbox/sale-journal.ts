/**
 * The simulator's journal of sales (Decision 0038). It stands for a foreign system: each function
 * runs one or two statements of its own, never in a tx of ours, and of a card it keeps the brand
 * and the last four digits. The return address of a challenge opens a customer's payment page, so
 * it is sealed at rest.
 */

import { prepared, type Queryable, sql, sqlOf } from "../../../infra/db/query.ts";
import {
  bool,
  columns,
  computed,
  nullable,
  pick,
  type Row,
  text,
  word,
} from "../../../infra/db/row.ts";
import { tables } from "../../../infra/db/tables.ts";
import type { Tx } from "../../../infra/db/transaction.ts";
import { unnest } from "../../../infra/db/unnest.ts";
import { networkOf } from "../../../kit/card-network.ts";
import type { Currency, Money } from "../../../kit/money.ts";
import { type Keyring, randomBase62, seal, unseal } from "../../../kit/secrets.ts";
import type { Decided, Sale } from "../port.ts";
import type { Behaviour, Code } from "./cards.ts";

/** 43 characters of 62 carry 256 bits. */
const TOKEN_LENGTH = 43;

/** The reference was used for another order, which stays. */
class ContradictingSale extends Error {}

const ENTRY = {
  ...pick(
    tables.simulator_sales,
    "reference",
    "transaction_id",
    "amount_minor",
    "is_amount_secret",
    "card_brand",
    "card_last_four",
    "avs",
    "cvv",
    "challenge_token",
    "challenge_result",
    "is_bank_silent",
    "sealed_with",
    "return_url_box",
    "outcome",
  ),
  currency: word<Currency>(),
  code: nullable(text),
  is_known: computed(nullable(bool), sql`known_at <= (select app_now())`),
  is_down: computed(bool, sql`coalesce(down_until > (select app_now()), false)`),
};

export type SaleEntry = Row<typeof ENTRY>;

/** A sale, and what its card makes happen. */
export interface NewSale {
  readonly sale: Sale;
  readonly behaviour: Behaviour;
}

/**
 * Writes sales down, unless they are there: of several at once the first counts. One statement for
 * any number of them (Decision 0078).
 */
export async function takeSales(
  db: Queryable,
  keyring: Keyring,
  sales: readonly NewSale[],
): Promise<(SaleEntry | Error)[]> {
  const entries = await db.rows(prepared("journal-sales", insertion(keyring, sales)));
  const byReference = new Map(entries.map((entry) => [entry.reference, entry]));
  return Promise.all(
    sales.map((one) => {
      const entry = byReference.get(one.sale.reference);
      if (entry === undefined) return new Error("a sale left no entry");
      return judge(db, entry, one).catch((error: Error) => error);
    }),
  );
}

async function judge(
  db: Queryable,
  entry: SaleEntry,
  { sale, behaviour }: NewSale,
): Promise<SaleEntry | Error> {
  if (!isOf(entry, sale))
    return new ContradictingSale(`the reference ${sale.reference} came with another order`);
  const wasDown = entry.outcome === null && entry.challenge_token === null && !entry.is_down;
  return wasDown ? decide(db, sale.reference, behaviour.code) : entry;
}

function insertion(keyring: Keyring, sales: readonly NewSale[]) {
  const byReference = Map.groupBy(sales, ({ sale }) => sale.reference);
  const rows = [...byReference.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [{ ...rowOf(keyring, first), callCount: 1 + others.length }],
  );
  return sqlOf(ENTRY)`
    insert into simulator_sales as entry (${COPIED}, done_at, known_at, down_until)
    select ${COPIED}, case when outcome is not null then (select app_now()) end,
      case when outcome is not null
        then (select app_now()) + make_interval(secs => unknown_seconds) end,
      (select app_now()) + make_interval(secs => down_seconds)
    from ${unnest("request", rows, ROW, { anyLength: true })}
    order by reference
    on conflict (reference) do update set call_count = entry.call_count + excluded.call_count
    returning ${columns(ENTRY)}`;
}

const COPIED = sql`reference, transaction_id, currency, amount_minor, is_amount_secret, card_brand,
  card_last_four, avs, cvv, challenge_token, is_bank_silent, sealed_with, return_url_box, outcome,
  code, call_count`;

const TEXT = "text";

const ROW = {
  reference: TEXT,
  transactionId: TEXT,
  currency: TEXT,
  amountMinor: "bigint",
  isAmountSecret: "boolean",
  cardBrand: TEXT,
  cardLastFour: TEXT,
  avs: TEXT,
  cvv: TEXT,
  challengeToken: TEXT,
  isBankSilent: "boolean",
  sealedWith: TEXT,
  returnUrlBox: "bytea",
  outcome: TEXT,
  code: TEXT,
  unknownSeconds: "float8",
  downSeconds: "float8",
  callCount: "int",
};

function rowOf(keyring: Keyring, { sale, behaviour }: NewSale) {
  const { reference, transactionId, amount, wantsAvs } = sale;
  const { code, challenge, unknownSeconds = 0, downSeconds = null } = behaviour;
  const isDecided = challenge === undefined && downSeconds === null;
  const returnUrl = Buffer.from(sale.challengeReturnUrl);
  return {
    reference,
    transactionId,
    currency: amount.currency,
    amountMinor: amount.minor,
    isAmountSecret: sale.isAmountSecret,
    ...maskedCardOf(sale),
    avs: wantsAvs ? (behaviour.avs ?? "M") : null,
    cvv: behaviour.cvv ?? "M",
    challengeToken: challenge ? randomBase62(TOKEN_LENGTH) : null,
    isBankSilent: challenge === "silent",
    sealedWith: challenge ? keyring.current.id : null,
    returnUrlBox: challenge ? seal(keyring.current.bytes, returnUrl, boundTo(reference)) : null,
    outcome: isDecided ? outcomeOf(code) : null,
    code: isDecided ? code : null,
    unknownSeconds,
    downSeconds,
  };
}

/** All that the journal keeps of a card. */
function maskedCardOf({ card: { number } }: Sale) {
  return { cardBrand: networkOf(number) ?? "unknown", cardLastFour: number.slice(-4) };
}

function outcomeOf(code: string): Decided["outcome"] {
  return code === "00" ? "approved" : "declined";
}

function isOf(entry: SaleEntry, sale: Sale): boolean {
  const { cardBrand, cardLastFour } = maskedCardOf(sale);
  return (
    entry.transaction_id === sale.transactionId &&
    entry.currency === sale.amount.currency &&
    entry.amount_minor === sale.amount.minor &&
    entry.card_brand === cardBrand &&
    entry.card_last_four === cardLastFour
  );
}

/** A sale whose outcome a developer has chosen (Decision 0102). */
export interface ForcedSale {
  readonly reference: string;
  readonly transactionId: string;
  readonly amount: Money;
  readonly card: { readonly brand: string; readonly lastFour: string };
  readonly wantsAvs: boolean;
  /** "00" approves. */
  readonly code: string;
}

/**
 * Decides a sale that is not decided, whether it has arrived or not, and ends every delay. Part of
 * the caller's tx: it is no call of the gateway. What is decided stays; the caller compares.
 */
export async function forceSale(tx: Tx, sale: ForcedSale): Promise<SaleEntry> {
  const { reference, transactionId, amount, card, code } = sale;
  await tx.run(sql`
    insert into simulator_sales as entry (reference, transaction_id, currency, amount_minor,
      card_brand, card_last_four, avs, cvv, is_bank_silent, outcome, code, done_at, known_at)
    values (${reference}, ${transactionId}, ${amount.currency}, ${amount.minor},
      ${card.brand}, ${card.lastFour}, ${sale.wantsAvs ? "M" : null},
      ${code === "N7" ? "N" : "M"}, false, ${outcomeOf(code)}, ${code}, app_now(), app_now())
    on conflict (reference) do update
    set outcome = coalesce(entry.outcome, excluded.outcome),
      code = coalesce(entry.code, excluded.code),
      done_at = coalesce(entry.done_at, excluded.done_at),
      known_at = case when coalesce(entry.outcome, excluded.outcome) = excluded.outcome
        then app_now() else entry.known_at end,
      down_until = null`);
  return tx.one(entryOf(reference));
}

async function decide(db: Queryable, reference: string, code: Code): Promise<SaleEntry> {
  await db.run(sql`
    update simulator_sales
    set outcome = ${outcomeOf(code)}, code = ${code}, done_at = app_now(), known_at = app_now()
    where reference = ${reference} and outcome is null`);
  return db.one(entryOf(reference));
}

export function findEntry(db: Queryable, reference: string): Promise<SaleEntry | undefined> {
  return db.maybeOne(entryOf(reference));
}

function entryOf(reference: string) {
  return sqlOf(ENTRY)`
    select ${columns(ENTRY)} from simulator_sales where reference = ${reference}`;
}

/** A challenge without an answer counts as refused. */
export async function completeEntry(
  db: Queryable,
  reference: string,
  token: string,
): Promise<SaleEntry> {
  const entry = await findEntry(db, reference);
  if (entry === undefined || entry.challenge_token !== token)
    throw new Error(`the simulator asked for no such challenge of ${reference}`);
  return entry.outcome === null
    ? decide(db, reference, entry.challenge_result === "passed" ? "00" : "3D")
    : entry;
}

/** True when the sale is void now. */
export async function voidEntry(db: Queryable, reference: string): Promise<boolean> {
  const count = await db.run(sql`
    update simulator_sales set voided_at = coalesce(voided_at, app_now())
    where reference = ${reference} and outcome = 'approved' and known_at <= app_now()`);
  return count === 1;
}

export function findChallenge(db: Queryable, token: string): Promise<SaleEntry | undefined> {
  return db.maybeOne(sqlOf(ENTRY)`
    select ${columns(ENTRY)} from simulator_sales where challenge_token = ${token}`);
}

/** The first answer of the customer counts, and none after the sale is decided. */
export async function answerChallenge(
  db: Queryable,
  token: string,
  result: "passed" | "refused",
): Promise<SaleEntry | undefined> {
  await db.run(sql`
    update simulator_sales set challenge_result = ${result}
    where challenge_token = ${token} and challenge_result is null and outcome is null
      and not is_bank_silent`);
  return findChallenge(db, token);
}

export function returnUrlOf(keyring: Keyring, entry: SaleEntry): string {
  const { reference, sealed_with: id, return_url_box: box } = entry;
  const key = keyring.byId(id ?? "");
  if (box === null) throw new Error("this sale has no challenge, so no return address");
  if (key === undefined) throw new Error(`wrapping key ${id} is not configured`);
  return unseal(key.bytes, box, boundTo(reference)).toString();
}

function boundTo(reference: string): string {
  return `simulated sale ${reference}`;
}
