/**
 * What PowerTranz was asked to sell (Decision 0080). Each function is one statement of its own,
 * committed before anything is sent: so a process may die at any point, and of each reference at
 * most one call that moves money was ever made.
 */

import { randomUUID } from "node:crypto";
import { type Queryable, sql, sqlOf } from "../../../infra/db/query.ts";
import { columns, computed, int, nullable, omit, type Row, word } from "../../../infra/db/row.ts";
import { tables } from "../../../infra/db/tables.ts";
import type { Currency } from "../../../kit/money.ts";
import { type Keyring, seal, unseal } from "../../../kit/secrets.ts";
import type { Decided, Sale } from "../port.ts";
import { FINANCIAL_SECONDS_MAX } from "./client.ts";
import { NOT_CHARGED } from "./codes.ts";

const ENTRY = {
  ...omit(tables.powertranz_sales, "began_at", "sent_at", "ended_at"),
  currency: word<Currency>(),
  /** Since a void was sent; null: none was. */
  void_age_seconds: computed(nullable(int), sql`extract(epoch from app_now() - void_sent_at)::int`),
  /** Since the call that moves money, or since it was written down before there was one. */
  age_seconds: computed(int, sql`extract(epoch from app_now() - coalesce(sent_at, began_at))::int`),
};

/** By then a call has been answered or was given up by us, and what it did is visible. */
export const CALL_ENDED_SECONDS = FINANCIAL_SECONDS_MAX + 55;

/** The end of a sale that was prepared and never completed. */
export const UNUSED = { code: "98", message: NOT_CHARGED } as const;

/** By then no token is good any more. */
const UNUSED_SECONDS = 600;

export type SaleEntry = Row<typeof ENTRY>;

/** What the browser needs and what completes the sale. */
export interface KeptChallenge {
  readonly spiToken: string;
  readonly html: string;
}

export function findSale(db: Queryable, reference: string): Promise<SaleEntry | undefined> {
  return db.maybeOne(sqlOf(ENTRY)`
    select ${columns(ENTRY)} from powertranz_sales where reference = ${reference}`);
}

/**
 * Before a sale is sent. Undefined: it was written down before, and may be under way. A direct sale
 * moves money at once, so it is completing from the beginning.
 */
export function writeSale(
  db: Queryable,
  sale: Sale,
  { merchantId, isDirect }: { merchantId: string; isDirect: boolean },
): Promise<SaleEntry | undefined> {
  const { reference, transactionId, amount } = sale;
  return db.maybeOne(sqlOf(ENTRY)`
    insert into powertranz_sales (reference, transaction_id, identifier, merchant_id, currency,
      amount_minor, state, sent_at)
    values (${reference}, ${transactionId}, ${reference}, ${merchantId}, ${amount.currency},
      ${amount.minor}, ${isDirect ? "completing" : "starting"},
      case when ${isDirect} then app_now() end)
    on conflict (reference) do nothing
    returning ${columns(ENTRY)}`);
}

/**
 * A sale whose preparation was lost is sent anew, under a new identifier, once `seconds` have
 * passed. Undefined: it is not such a sale or not this order, or another process was first.
 */
export function writeAgain(
  db: Queryable,
  { reference, transactionId, amount }: Sale,
  seconds: number,
): Promise<SaleEntry | undefined> {
  return db.maybeOne(sqlOf(ENTRY)`
    update powertranz_sales set identifier = ${randomUUID()}, began_at = app_now()
    where reference = ${reference} and state = 'starting'
      and transaction_id = ${transactionId} and currency = ${amount.currency}
      and amount_minor = ${amount.minor}
      and began_at <= app_now() - make_interval(secs => ${seconds})
    returning ${columns(ENTRY)}`);
}

/** False: it was sent anew meanwhile. */
export async function writePrepared(
  db: Queryable,
  keyring: Keyring,
  { reference, identifier }: SaleEntry,
  { digest, ...challenge }: KeptChallenge & { digest: string },
): Promise<boolean> {
  const content = Buffer.from(JSON.stringify(challenge));
  const box = seal(keyring.current.bytes, content, boundTo(reference));
  const count = await db.run(sql`
    update powertranz_sales
    set state = 'prepared', challenge_digest = ${digest}, sealed_with = ${keyring.current.id},
      challenge_box = ${box}
    where reference = ${reference} and identifier = ${identifier} and state = 'starting'`);
  return count === 1;
}

/** Of sales that nobody completed while their tokens were good. Returns how many had one. */
export function forgetUnused(db: Queryable, countMax: number): Promise<number> {
  return db.run(sql`
    update powertranz_sales
    set state = 'declined', code = ${UNUSED.code}, message = ${UNUSED.message},
      ended_at = app_now(), sealed_with = null, challenge_box = null
    where state = 'prepared' and reference = any (array(
      select reference from powertranz_sales
      where state = 'prepared' and began_at < app_now() - make_interval(secs => ${UNUSED_SECONDS})
      limit ${countMax} for update skip locked))`);
}

export function openChallenge(keyring: Keyring, entry: SaleEntry): KeptChallenge | undefined {
  const { reference, sealed_with, challenge_box } = entry;
  if (challenge_box === null || sealed_with === null) return undefined;
  const key = keyring.byId(sealed_with);
  if (key === undefined) throw new Error(`wrapping key ${sealed_with} is not configured`);
  return JSON.parse(unseal(key.bytes, challenge_box, boundTo(reference)).toString());
}

/** For the one caller that may send the completion; undefined for others. */
export function writeCompleting(db: Queryable, reference: string): Promise<SaleEntry | undefined> {
  return db.maybeOne(sqlOf(ENTRY)`
    update powertranz_sales
    set state = 'completing', sent_at = app_now(), sealed_with = null, challenge_box = null
    where reference = ${reference} and state = 'prepared'
    returning ${columns(ENTRY)}`);
}

/**
 * The first outcome stays, with one exception: an approval is money that moved, and is kept also
 * where the sale was given up before it came. `entry` is what the outcome was concluded from: when
 * the sale has moved on since, nothing is written. Returns how the sale stands then.
 */
export async function writeDecided(
  db: Queryable,
  { reference, identifier, state }: SaleEntry,
  { outcome, code, message, avs, cvv }: Decided,
): Promise<SaleEntry | undefined> {
  const written = await db.maybeOne(sqlOf(ENTRY)`
    update powertranz_sales
    set state = ${outcome}, code = ${code}, message = ${message}, avs = ${avs ?? null},
      cvv = ${cvv ?? null}, ended_at = app_now(), sealed_with = null, challenge_box = null
    where reference = ${reference} and identifier = ${identifier}
      and (state = ${state} or (state = 'declined' and ${outcome} = 'approved'))
      -- What was reversed stays so, and while that is due or under way an approval decides nothing.
      and not (${outcome} = 'approved' and (voided_at is not null or undo_due_at is not null
        or coalesce(
        void_sent_at > app_now() - make_interval(secs => ${CALL_ENDED_SECONDS}), false)))
    returning ${columns(ENTRY)}`);
  return written ?? findSale(db, reference);
}

/**
 * Before the money of a sale that must not stand is given back, so that each later look at it goes
 * on with that. Undefined: it was decided meanwhile.
 */
export function writeUndoDue(
  db: Queryable,
  { reference, identifier }: SaleEntry,
): Promise<SaleEntry | undefined> {
  return db.maybeOne(sqlOf(ENTRY)`
    update powertranz_sales set undo_due_at = coalesce(undo_due_at, app_now())
    where reference = ${reference} and identifier = ${identifier} and state = 'completing'
    returning ${columns(ENTRY)}`);
}

/** Before a void is sent: its answer may be lost. */
export async function writeVoidSent(db: Queryable, reference: string): Promise<void> {
  await db.run(sql`
    update powertranz_sales set void_sent_at = app_now() where reference = ${reference}`);
}

/** There was nothing to void, so an approval that comes later counts. */
export async function forgetVoid(db: Queryable, reference: string): Promise<void> {
  await db.run(sql`
    update powertranz_sales set void_sent_at = null where reference = ${reference}`);
}

export async function writeVoided(db: Queryable, reference: string): Promise<void> {
  await db.run(sql`
    update powertranz_sales set voided_at = coalesce(voided_at, app_now())
    where reference = ${reference}`);
}

export function decidedOf({ state, code, message, avs, cvv }: SaleEntry): Decided | undefined {
  if (code === null || message === null) return undefined;
  const checks = { ...(avs === null ? {} : { avs }), ...(cvv === null ? {} : { cvv }) };
  return state === "approved"
    ? { outcome: "approved", code: "00", message, ...checks }
    : { outcome: "declined", code, message, ...checks };
}

/** Its call may still be on the wire. */
export function isVoidUnderWay({ void_age_seconds }: SaleEntry): boolean {
  return void_age_seconds !== null && void_age_seconds < CALL_ENDED_SECONDS;
}

function boundTo(reference: string): string {
  return `powertranz sale ${reference}`;
}
