/**
 * What the tests of checkout sessions share: an order that waits to be paid, cards submitted as the
 * page submits them, what the acquirer's own journal says, and the proof that all of it adds up.
 */

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { sql } from "../src/infra/db/query.ts";
import { BUSY } from "../src/infra/db/write-batch.ts";
import type { Language } from "../src/kit/vocabulary.ts";
import { type AttemptRow, attemptsOf } from "../src/modules/checkout/session/attempt.ts";
import { beginAttempts } from "../src/modules/checkout/session/begin-attempts.ts";
import { checkoutToken, tokenDigest } from "../src/modules/checkout/session/checkout-token.ts";
import { completeChallenge } from "../src/modules/checkout/session/complete-challenge.ts";
import type {
  CheckoutBatches,
  NewAttempt,
  SessionContext,
  SubmittedCard,
} from "../src/modules/checkout/session/context.ts";
import { lookAtSession } from "../src/modules/checkout/session/find-sessions.ts";
import type { SessionView } from "../src/modules/checkout/session/session.ts";
import { type Submitted, submitCard } from "../src/modules/checkout/session/submit-card.ts";
import { takeAnswers } from "../src/modules/checkout/session/take-answers.ts";
import { describeDifference } from "../src/modules/ledger/difference.ts";
import type { NewTransaction } from "../src/modules/transactions/new-transaction.ts";
import { reconcileRecords } from "../src/modules/transactions/reconcile-records.ts";
import type { TransactionRow } from "../src/modules/transactions/transaction.ts";
import { expectBooksToBalance } from "./books.ts";
import { ask, type Fields } from "./payment-requests.ts";
import { recordTransaction } from "./record-transaction.ts";
import type { TestService } from "./service.ts";
import { sweepCheckouts } from "./sweeps.ts";
import { newPayment, openShop, type Shop } from "./transactions.ts";

export const CARDS = {
  approved: "4111 1111 1111 1111",
  mastercard: "5111111111111111",
  declined: "4111111111113333",
  wrongCvv: "4666666666662222",
  asked: "4111111111112010",
  silent: "4111111111112020",
  unknownThenApproved: "4111111111112040",
  unknownThenDeclined: "4111111111112050",
  late: "4111111111112060",
  down: "4111111111112070",
};

export const ADDRESS = "203.0.113.7";
const RESPONSE_URL = "https://shop.example.com/back?basket=7";

export interface Order {
  readonly id: string;
  readonly token: string;
  readonly shop: Shop;
}

/** 100.00 TTD, of which the customer pays 105.20. */
export async function openOrder(
  service: TestService,
  more: Partial<NewTransaction> & {
    isAvs?: boolean;
    cardType?: "visa" | "mastercard";
    shop?: Shop;
  } = {},
): Promise<Order> {
  const { isAvs = false, cardType = null, shop = await openShop(service), ...payment } = more;
  const { db, config } = service.ctx;
  const row = await db.transaction(async (tx) => {
    const made = await recordTransaction(
      tx,
      newPayment(shop, { environment: "sandbox", ...payment }),
    );
    const { token, keyId } = tokenOf(service, made.transaction_id);
    await tx.run(sql`
      insert into checkout_sessions (transaction_id, token_key_id, token_digest, request_digest,
        response_url, is_avs, card_type, expires_at)
      values (${made.transaction_id}, ${keyId}, ${tokenDigest(token)}, ${Buffer.alloc(32)},
        ${RESPONSE_URL}, ${isAvs}, ${cardType},
        app_now() + make_interval(secs => ${isAvs ? 300 : 180}))`);
    return made;
  });
  const { token } = tokenOf({ ctx: { config } }, row.transaction_id);
  return { id: row.transaction_id, token, shop };
}

/** Asked for over the wire, as a merchant does it. */
export async function openByRequest(
  service: TestService,
  shop: Shop,
  fields: Fields,
  headers: Record<string, string> = {},
): Promise<Order> {
  const { status, body } = await ask(service, fields, "json", { headers });
  assert.equal(status, 200, JSON.stringify(body));
  return { id: body.transaction_id, token: body.url.split("/").at(-1), shop };
}

/** A form that is submitted, of which nothing is sent. */
export function newAttempt(session: SessionView | undefined, seenAttempts = 0): NewAttempt {
  assert(session !== undefined);
  const card: SubmittedCard = {
    network: "visa",
    lastFour: "1111",
    number: undefined,
    open: () => Promise.reject(new Error("nothing is sent")),
  };
  const attemptId = randomUUID();
  const form = { session, seenAttempts, card, email: undefined, language: "en" } as const;
  return { attemptId, ...form, failpoint() {} };
}

/** Batches that wait for locks, as an item does that a shared batch could not take. */
export function withWaiting(ctx: SessionContext, batches: CheckoutBatches): CheckoutBatches {
  const only = <Out>([result]: readonly (Out | Error | typeof BUSY)[]): Out => {
    if (result instanceof Error) throw result;
    assert(result !== BUSY);
    return result as Out;
  };
  return {
    ...batches,
    beginAttempt: async (one) => only(await beginAttempts(ctx, [one], "wait")),
    takeAnswer: async (one) => only(await takeAnswers(ctx, [one], "wait")),
  };
}

function tokenOf({ ctx }: { ctx: Pick<TestService["ctx"], "config"> }, transactionId: string) {
  const made = checkoutToken(ctx.config, transactionId);
  assert(made !== undefined);
  return made;
}

export async function look(service: TestService, { token }: Order): Promise<SessionView> {
  const session = await lookAtSession(service.ctx, token);
  assert(session !== undefined);
  return session;
}

/** As the page does it: the form says how many cards had been tried when it was shown. */
export async function submit(
  service: TestService,
  order: Order,
  number: string,
  more: {
    form?: Record<string, string>;
    seenAttempts?: number;
    address?: string;
    language?: Language;
  } = {},
): Promise<Submitted> {
  const session = await look(service, order);
  return submitCard(service.ctx, {
    session,
    pageUrl: `https://pay.example.com/checkout/${order.token}`,
    form: { number, expiry: "12/39", cvv: "739", holder: "Anika Mohammed", ...more.form },
    language: more.language ?? "en",
    seenAttempts: more.seenAttempts ?? session.attempts,
    address: more.address ?? ADDRESS,
  });
}

/** What the customer does at the bank, and the way back. */
export async function answerBank(
  service: TestService,
  order: Order,
  result: "passed" | "refused",
): Promise<void> {
  const session = await look(service, order);
  assert(session.step.kind === "challenge");
  const { token } = session.step;
  const answered = await service.request(`/sandbox/acs/${token}`, {
    method: "POST",
    form: { result },
  });
  assert.equal(answered.status, 200);
  await comeBack(service, session, token);
}

export function comeBack(service: TestService, session: SessionView, token: string): Promise<void> {
  const posted = { token, result: "passed" };
  return completeChallenge(service.ctx, { session, posted, address: ADDRESS });
}

export const sweep = (service: TestService): Promise<void> => sweepCheckouts(service.ctx);

export async function payment(service: TestService, { id }: Order): Promise<TransactionRow> {
  return service.ctx.db.one<TransactionRow>(sql`
    select * from transactions where transaction_id = ${id}`);
}

/** `status, message` */
export async function told(service: TestService, order: Order): Promise<string> {
  const { status, message } = await payment(service, order);
  return `${status}, ${message}`;
}

export async function states(service: TestService, { id }: Order): Promise<string[]> {
  return (await attemptsOf(service.ctx.db, id)).map(({ state }: AttemptRow) => state);
}

/** What the acquirer did for this order, by its own journal. */
export async function journal(
  service: TestService,
  { id }: Order,
): Promise<{ outcome: string | null; call_count: number; is_void: boolean }[]> {
  return service.ctx.db.rows(sql`
    select outcome, call_count, voided_at is not null as is_void from simulator_sales
    where transaction_id = ${id} order by done_at nulls last`);
}

export async function eventsOf(service: TestService, { id }: Order): Promise<string[]> {
  await service.numberEvents();
  const rows = await service.ctx.db.rows<{ event: string }>(sql`
    select event from events where resource = ${id} order by sequence`);
  return rows.map(({ event }) => event);
}

export async function auditOf(service: TestService, { id }: Order): Promise<string[]> {
  const rows = await service.ctx.db.rows<{ action: string }>(sql`
    select action from audit_entries where detail ->> 'transaction_id' = ${id} order by entry_id`);
  return rows.map(({ action }) => action);
}

/**
 * The end of every test about money. The books balance, the records agree with them, and the
 * acquirer holds money of a customer exactly where we say that it was paid.
 */
export async function expectAllToAddUp(service: TestService): Promise<void> {
  const { db } = service.ctx;
  await expectBooksToBalance(db);
  const { differences } = await reconcileRecords({ db, otherHolds: [] });
  assert.deepEqual(differences.map(describeDifference), []);
  await expectSessionsToAddUp(service);
}

/** The acquirer's journal and the sessions' ends agree with the payments. */
export async function expectSessionsToAddUp({ ctx: { db } }: TestService): Promise<void> {
  const wrong = await db.rows(sql`
    select transaction_id, status, charged.count from transactions as payment
    join checkout_sessions as session using (transaction_id)
    cross join lateral (
      select count(*)::int as count from simulator_sales as sale
      where sale.transaction_id = payment.transaction_id and outcome = 'approved'
        and voided_at is null
    ) as charged
    where charged.count <> case when status = 'success' then 1 else 0 end
      and not exists (
        select from checkout_attempts as attempt
        where attempt.transaction_id = payment.transaction_id and next_ask_at is not null)`);
  assert.deepEqual(wrong, []);
  const open = await db.rows(sql`
    select transaction_id from checkout_sessions join transactions using (transaction_id)
    where (state = 'ended') <> (status <> 'incomplete')`);
  assert.deepEqual(open, []);
}
