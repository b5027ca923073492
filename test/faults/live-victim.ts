/**
 * A process that works on several live orders at once and is killed from outside, by
 * `live-lanes.ts`: each lane has a pool, batches and a gateway of its own, as if it were alone, and
 * stands still at the point where the process is to die for it.
 *
 * Points are the checkout's steps, and every write of the gateway's adapter, before and after it.
 */

import process from "node:process";
import { inspect } from "node:util";
import { readConfig } from "../../src/infra/config.ts";
import type { Database } from "../../src/infra/db/database.ts";
import { sql } from "../../src/infra/db/query.ts";
import { createLog } from "../../src/infra/log.ts";
import { claimDue, settleAttempt } from "../../src/modules/checkout/session/ask-gateway.ts";
import { completeChallenge } from "../../src/modules/checkout/session/complete-challenge.ts";
import type { CheckoutContext } from "../../src/modules/checkout/session/context.ts";
import { returnUrl } from "../../src/modules/checkout/session/end-sessions.ts";
import { submitCard } from "../../src/modules/checkout/session/submit-card.ts";
import type { Gateway } from "../../src/modules/gateway/port.ts";
import { settleRefund } from "../../src/modules/transactions/settle-refunds.ts";
import { returnCheck } from "../../src/modules/trusted-cards/return-check.ts";
import { createControl } from "../../testkit/powertranz/control.ts";
import type { Lane, LaneNews, Orders } from "./live-lanes.ts";
import { openVictim } from "./victim-context.ts";

type Reach = (point: string) => Promise<void>;

const tell = (news: LaneNews) => process.send?.(news);

/** Tells each point; at the one it is to die at, it goes no further. */
function watch({ lane, point }: Lane, stand: () => void): Reach {
  const counts = new Map<string, number>();
  return async (name) => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    const here = count === 1 ? name : `${name}, ${count}`;
    tell({ lane, at: here });
    if (here !== point) return;
    stand();
    await new Promise<never>(() => {});
  };
}

/** Before and after each statement of the adapter that writes; it uses no tx. */
function watchWrites(db: Database, reach: Reach): Database {
  const around =
    <Statement extends { readonly text: string }, Out>(send: (one: Statement) => Promise<Out>) =>
    async (statement: Statement): Promise<Out> => {
      const [, verb, table] = /(insert into|update) (\w+)/.exec(statement.text) ?? [];
      if (verb === undefined) return send(statement);
      await reach(`before ${verb} ${table}`);
      const result = await send(statement);
      await reach(`after ${verb} ${table}`);
      return result;
    };
  return {
    ...db,
    run: around(db.run),
    one: around(db.one) as Database["one"],
    maybeOne: around(db.maybeOne) as Database["maybeOne"],
    rows: around(db.rows) as Database["rows"],
  };
}

/** Around each tx, for work that has no steps of its own. */
function watchTransactions(db: Database, reach: Reach): Database {
  return {
    ...db,
    async transaction(work, options) {
      await reach("before a tx");
      const result = await db.transaction(async (tx) => {
        const made = await work(tx);
        await reach("before a commit");
        return made;
      }, options);
      await reach("after a tx");
      return result;
    },
  };
}

/** Orders the lane's faults for its sale, before the first call about it. */
function withFaults(gateway: Gateway, victim: Lane, controlUrl: string): Gateway {
  const { lane, faults } = victim;
  const control = createControl(controlUrl);
  let isOrdered = false;
  const order = async (transactionIdentifier: string) => {
    if (isOrdered) return;
    isOrdered = true;
    await control.fault(...faults.map((fault) => ({ ...fault, transactionIdentifier })));
    tell({ lane, identifier: transactionIdentifier });
  };
  const about =
    <Rest extends unknown[], Out>(call: (reference: string, ...rest: Rest) => Promise<Out>) =>
    async (reference: string, ...rest: Rest): Promise<Out> => {
      await order(reference);
      return call(reference, ...rest);
    };
  return {
    ...gateway,
    async sale(sale) {
      await order(sale.reference);
      return gateway.sale(sale);
    },
    completeChallenge: about(gateway.completeChallenge),
    saleOutcome: about(gateway.saleOutcome),
    voidSale: about(gateway.voidSale),
    async refund(asked) {
      await order(asked.saleReference ?? "");
      return gateway.refund(asked);
    },
    async refundOutcome(reference) {
      await order(victim.order.saleReference ?? "");
      return gateway.refundOutcome(reference);
    },
  };
}

interface OpenLane {
  readonly begin: () => Promise<void>;
  /** Resolves when it stands at its point or is done. */
  readonly stands: Promise<void>;
}

async function open({ url, settings, controlUrl }: Orders, lane: Lane): Promise<OpenLane> {
  const { promise: stands, resolve: stand } = Promise.withResolvers<void>();
  const reach = watch(lane, stand);
  const ctx = openVictim({
    url,
    config: readConfig(settings),
    log: createLog({ level: "info" }),
    failpoint: reach,
    watchDatabase: (db) => watchWrites(db, reach),
    wrapGateway: (gateway) => withFaults(gateway, lane, controlUrl),
  });
  await ctx.db.one(sql`select`);
  const begin = async () => {
    await work(ctx, lane, reach);
    await ctx.db.close();
    stand();
    tell({ lane: lane.lane, done: true });
  };
  return { begin, stands };
}

async function work(ctx: CheckoutContext, { lane, task, order }: Lane, reach: Reach) {
  const address = `203.0.113.${lane + 1}`;
  if (task === "ask") {
    const [claimed] = await claimDue(ctx, 1);
    if (claimed === undefined) throw new Error("nothing is due");
    return settleAttempt(ctx, claimed);
  }
  const db = watchTransactions(ctx.db, reach);
  if (task === "refund") return settleRefund({ ...ctx, db }, order.refundId ?? "");
  if (task === "return") return returnCheck({ ...ctx, db }, order.id);
  const session = await ctx.batches.findSession(order.token);
  if (session === undefined) throw new Error("no such session");
  if (task === "come back")
    await completeChallenge(ctx, { session, posted: order.posted ?? {}, address });
  else
    await submitCard(ctx, {
      session,
      pageUrl: `https://pay.example.com/checkout/${order.token}`,
      form: { number: order.number, expiry: "12/39", cvv: "739", holder: "Anika Mohammed" },
      language: "en",
      seenAttempts: session.attempts,
      address,
    });
  await returnUrl(ctx, session);
}

process.once("message", async (orders: Orders) => {
  const lanes: OpenLane[] = [];
  // All are open before the first begins: a new connection takes its time.
  for (const lane of orders.lanes) lanes.push(await open(orders, lane));
  const begin = ({ begin: run }: OpenLane, lane: number) =>
    run().catch((error: unknown) => tell({ lane, error: inspect(error) }));
  const last = orders.lanes.findIndex(({ isLast }) => isLast);
  for (const [lane, one] of lanes.entries()) if (lane !== last) void begin(one, lane);
  await Promise.all(lanes.map(({ stands }, lane) => (lane === last ? undefined : stands)));
  const lastLane = lanes[last];
  if (lastLane !== undefined) await begin(lastLane, last);
});
