/**
 * Whole checkouts per second (P4): asked for by the merchant, the page read, a card submitted,
 * approved and posted, and the webhook received; beside `pgbench -N` on the same server. They are
 * spread over merchants, as customers are: one merchant's webhooks have a pace of their own.
 *
 * Customers, merchants and receivers are here, on the same machine, so what is measured carries
 * their cost, too. The contenders take turns within each round.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { openDatabase } from "../../src/infra/db/database.ts";
import { createLog } from "../../src/infra/log.ts";
import { PATH } from "../../testkit/payment-requests.ts";
import { say } from "../../testkit/tool/say.ts";
import { type Connection, openConnection, requestText } from "../support/connection.ts";
import { ORDER } from "../support/open-checkout.ts";
import { openPgbench } from "../support/pgbench.ts";
import { takeTurns } from "../support/quietly.ts";
import { medians, round } from "../support/report.ts";
import type { Outcome, Pace, Scene } from "../support/scene.ts";
import type { Stage } from "../support/stage.ts";
import { makeEndpoints, startReceiver } from "./webhooks.ts";

const CUSTOMERS = 32;
/** Longer than others': until the last webhook has arrived, each round has fewer customers. */
const ROUND_TIMES = 2;
const MERCHANTS = 200;
const ARRIVAL_MS_MAX = 60_000;
const CARD = {
  attempts: "0",
  number: "4111111111111111",
  expiry: "12/39",
  cvv: "123",
  holder: "Anika Mohammed",
};

export const checkouts: Scene = { name: "checkouts", play };

async function play(stage: Stage, pace: Pace): Promise<Outcome> {
  const url = stage.settings.DATABASE_URL ?? "";
  const pgbench = await openPgbench(url);
  const db = openDatabase({ url, connectionsMax: 2, log: createLog({ level: "warn" }) });
  const arrived = new Map<string, number>();
  const receiver = await startReceiver(arrived);
  try {
    const where = { count: MERCHANTS, environment: "sandbox" } as const;
    const merchants = await makeEndpoints(db, receiver.url, where);
    const ours = (seconds: number) => load({ stage, merchants, arrived }, seconds);
    await ours(pace.warmUpSeconds);
    const takeTurn = async (turn: number) => {
      const perSecond = await ours(pace.seconds * ROUND_TIMES);
      const pgbenchPerSecond = (await pgbench?.(pace.seconds)) ?? Number.NaN;
      const both = `${round(perSecond)}/s, pgbench -N ${round(pgbenchPerSecond)}/s`;
      say(`round ${turn} of ${pace.rounds}: whole checkouts ${both}`);
      return { perSecond, pgbenchPerSecond, timesPgbench: perSecond / pgbenchPerSecond };
    };
    const figures = medians(await takeTurns(pace, takeTurn));
    const { timesPgbench: measured } = figures;
    const goal = { atLeast: 0.25 };
    if (Number.isNaN(measured)) return { figures, goals: [], missing: "pgbench" };
    return {
      figures,
      goals: [{ number: "P4", what: "whole checkouts", measured, unit: "× pgbench -N", goal }],
    };
  } finally {
    await db.close();
    await receiver.close();
  }
}

interface Yard {
  readonly stage: Stage;
  readonly merchants: readonly string[];
  /** Every event that arrived. */
  readonly arrived: ReadonlyMap<string, number>;
}

/** Until the last event has arrived: each checkout has two, that it began and that it was paid. */
async function load({ stage, merchants, arrived }: Yard, seconds: number): Promise<number> {
  const arrivedBefore = arrived.size;
  const beganAt = performance.now();
  const endsAt = beganAt + seconds * 1_000;
  let asked = 0;
  let paid = 0;
  const buy = async () => {
    const customer = openConnection(stage.service.url);
    try {
      while (performance.now() < endsAt) {
        const merchant = merchants[paid % merchants.length] ?? "";
        await checkOut(stage, customer, {
          merchant,
          orderId: `o-${Math.floor(beganAt)}-${++asked}`,
        });
        paid += 1;
      }
    } finally {
      customer.close();
    }
  };
  await Promise.all(Array.from({ length: CUSTOMERS }, buy));
  while (arrived.size - arrivedBefore < paid * 2) {
    if (performance.now() > endsAt + ARRIVAL_MS_MAX) throw new Error("webhooks did not arrive");
    await sleep(5);
  }
  return (paid / (performance.now() - beganAt)) * 1_000;
}

/** The shop's own request comes on its customer's connection: one client less for each. */
async function checkOut(
  { service }: Stage,
  customer: Connection,
  { merchant, orderId }: { merchant: string; orderId: string },
): Promise<void> {
  const order = { ...ORDER, account_number: merchant, order_id: orderId };
  const headers = { "content-type": "application/json" };
  const request = requestText(service.url + PATH, { headers, body: JSON.stringify(order) });
  const opened = await customer.ask(request);
  if (opened.status !== 200) throw new Error(`a payment request was refused: ${opened.body}`);
  const { origin, pathname } = new URL(JSON.parse(opened.body).url);
  const url = service.url + pathname;
  const page = await customer.ask(requestText(url));
  if (page.status !== 200) throw new Error(`a payment page was answered ${page.status}`);
  const formToken = /name="form_token" value="([^"]+)"/.exec(page.body)?.[1] ?? "";
  const body = new URLSearchParams({ form_token: formToken, ...CARD }).toString();
  const form = {
    origin,
    "sec-fetch-site": "same-origin",
    "content-type": "application/x-www-form-urlencoded",
  };
  const paid = await customer.ask(requestText(url, { headers: form, body }));
  if (!/\r\nlocation: [^\r]*status=success/i.test(paid.head))
    throw new Error(`a checkout ended with ${paid.status}`);
}
