/**
 * The gateway of live payments where there is a real one: each sale goes to the adapter that the
 * routes name for its platform and currency, and everything about it later goes to the same, by a
 * row that is written before it is asked (Decision 0081).
 */

import { type Queryable, sql, sqlOf } from "../../infra/db/query.ts";
import { pick } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import {
  type Gateway,
  type GatewayName,
  NO_SUCH_SALE,
  type RefundOrder,
  type Sale,
} from "./port.ts";

export type Adapters = ReadonlyMap<GatewayName, Gateway>;

const NEVER_ASKED = { outcome: "rejected", reason: NO_SUCH_SALE } as const;

const GATEWAY = pick(tables.gateway_orders, "gateway");

/** `preset` serves what no route names. */
export function createRouter(db: Queryable, adapters: Adapters, preset: GatewayName): Gateway {
  const all = [...adapters.values()];
  const { adapterOf, find, demand } = createFinder(db, adapters);
  const { askAfterSeconds } = adapterOf(preset);

  return {
    ...(askAfterSeconds === undefined ? {} : { askAfterSeconds }),
    state: () => (all.some((one) => one.state() === "down") ? "down" : "up"),
    onUp(listener) {
      for (const one of all) one.onUp(listener);
    },
    async stop() {
      await Promise.all(all.map((one) => one.stop()));
    },

    async sale(sale) {
      const name = await routeSale(db, sale, preset);
      return adapterOf(name).sale(sale);
    },

    async challengeDocument(reference, language) {
      return (await find(reference))?.challengeDocument(reference, language);
    },

    returnedToken: (posted) =>
      all.map((one) => one.returnedToken(posted)).find((token) => token !== undefined),

    async completeChallenge(reference, token, posted) {
      return (await demand(reference)).completeChallenge(reference, token, posted);
    },

    async saleOutcome(reference) {
      return (await find(reference))?.saleOutcome(reference) ?? { outcome: "never seen" };
    },

    async voidSale(reference) {
      const gateway = await find(reference);
      return gateway === undefined ? NEVER_ASKED : gateway.voidSale(reference);
    },

    async refund(order) {
      const name = await routeRefund(db, order, preset);
      return adapterOf(name).refund(order);
    },

    async refundOutcome(reference) {
      return (await find(reference))?.refundOutcome(reference) ?? { outcome: "never seen" };
    },
  };
}

function createFinder(db: Queryable, adapters: Adapters) {
  function adapterOf(name: GatewayName): Gateway {
    const adapter = adapters.get(name);
    if (adapter === undefined) throw new Error(`the gateway ${name} is not configured`);
    return adapter;
  }

  /** Undefined: no gateway was ever asked about it. */
  async function find(reference: string): Promise<Gateway | undefined> {
    const name = await servedBy(db, reference);
    return name && adapterOf(name);
  }

  async function demand(reference: string): Promise<Gateway> {
    const gateway = await find(reference);
    if (gateway === undefined) throw new Error(`no gateway was asked about ${reference}`);
    return gateway;
  }

  return { adapterOf, find, demand };
}

async function servedBy(db: Queryable, reference: string): Promise<GatewayName | undefined> {
  const found = await db.maybeOne(sqlOf(GATEWAY)`
    select gateway from gateway_orders where reference = ${reference}`);
  return found?.gateway;
}

/** The platform stands at the beginning of a live payment's id. */
async function routeSale(
  db: Queryable,
  { reference, transactionId, amount }: Sale,
  preset: GatewayName,
): Promise<GatewayName> {
  const { gateway } = await db.one(sqlOf(GATEWAY)`
    insert into gateway_orders as entry (reference, transaction_id, gateway)
    values (${reference}, ${transactionId}, coalesce((
      select gateway from gateway_routes
      where coalesce(country_code, left(${transactionId}, 2)) = left(${transactionId}, 2)
        and coalesce(currency, ${amount.currency}) = ${amount.currency}
        and valid_from <= app_now()
      order by (country_code is not null)::int + (currency is not null)::int desc, valid_from desc
      limit 1
    ), ${preset}))
    on conflict (reference) do update set gateway = entry.gateway
    returning gateway`);
  return gateway;
}

/** To the one that has the sale. */
async function routeRefund(
  db: Queryable,
  { reference, transactionId, saleReference }: RefundOrder,
  preset: GatewayName,
): Promise<GatewayName> {
  const sold = saleReference === null ? undefined : await servedBy(db, saleReference);
  await db.run(sql`
    insert into gateway_orders (reference, transaction_id, gateway)
    values (${reference}, ${transactionId}, ${sold ?? preset})
    on conflict (reference) do nothing`);
  return sold ?? preset;
}
