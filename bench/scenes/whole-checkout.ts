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
import { type KeptConnection, keepConnection } from "../support/kept-connection.ts";
import { ORDER } from "../support/open-checkout.ts";
import { openPgbench } from "../support/pgbench.ts";
import { takeTurns } from "../support/quietly.ts";
import { median, round } from "../support/report.ts";
import type { Outcome, Pace, Scene } from "../support/scene.ts";
import type { Stage } from "../support/stage.ts";
import { makeEndpoints, startReceiver } from "./webhooks.ts";

const CUSTOMERS = 32;
/** Longer than others': until the last one is paid and told of, each round has fewer customers. */
const ROUND_TIMES = 2;
const MERCHANTS = 200;
const TOLD_MS_MAX = 60_000;
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
  const told = new Map<string, number>();
  const receiver = await startReceiver(told);
  try {
    const where = { count: MERCHANTS, environment: "sandbox" } as const;
    const merchants = await makeEndpoints(db, receiver.url, where);
    const ours = (seconds: number) => load({ stage, merchants, told }, seconds);
    await ours(pace.warmUpSeconds);
    const takeTurn = async (turn: number): Promise<Turn> => {
      const mine = await ours(pace.seconds * ROUND_TIMES);
      const peer = await pgbench?.(pace.seconds);
      const beside = peer === undefined ? "" : `, pgbench -N ${round(peer)}/s`;
      say(`round ${turn} of ${pace.rounds}: whole checkouts ${round(mine)}/s${beside}`);
      return { mine, peer };
    };
    return outcomeOf(await takeTurns(pace, takeTurn));
  } finally {
    await db.close();
    await receiver.close();
  }
}

interface Turn {
  readonly mine: number;
  /** Undefined where there is no pgbench. */
  readonly peer: number | undefined;
}

function outcomeOf(turns: readonly Turn[]): Outcome {
  const perSecond = median(turns.map(({ mine }) => mine));
  const peers = turns.flatMap(({ peer }) => peer ?? []);
  if (peers.length === 0) return { figures: { perSecond }, goals: [], missing: "pgbench" };
  const measured = median(turns.map(({ mine, peer }) => mine / (peer ?? Number.NaN)));
  const figures = { perSecond, pgbenchPerSecond: median(peers), timesPgbench: measured };
  const goal = { atLeast: 0.25 };
  return {
    figures,
    goals: [{ number: "P4", what: "whole checkouts", measured, unit: "× pgbench -N", goal }],
  };
}

interface Yard {
  readonly stage: Stage;
  readonly merchants: readonly string[];
  /** Every event that arrived. */
  readonly told: ReadonlyMap<string, number>;
}

/** Until the last one is told of: each is two events, that it began and that it was paid. */
async function load({ stage, merchants, told }: Yard, seconds: number): Promise<number> {
  const toldBefore = told.size;
  const beganAt = performance.now();
  const endsAt = beganAt + seconds * 1_000;
  let asked = 0;
  let paid = 0;
  const buy = async () => {
    const customer = keepConnection(stage.service.url);
    try {
      while (performance.now() < endsAt) {
        const merchant = merchants[paid % merchants.length] ?? "";
        await checkOut(customer, { merchant, orderId: `o-${Math.floor(beganAt)}-${++asked}` });
        paid += 1;
      }
    } finally {
      customer.close();
    }
  };
  await Promise.all(Array.from({ length: CUSTOMERS }, buy));
  while (told.size - toldBefore < paid * 2) {
    if (performance.now() > endsAt + TOLD_MS_MAX) throw new Error("webhooks did not arrive");
    await sleep(5);
  }
  return (paid / (performance.now() - beganAt)) * 1_000;
}

/** The shop's own request comes on its customer's connection: one client less for each. */
async function checkOut(
  customer: KeptConnection,
  { merchant, orderId }: { merchant: string; orderId: string },
): Promise<void> {
  const order = { ...ORDER, account_number: merchant, order_id: orderId };
  const json = { "content-type": "application/json" };
  const asked = { method: "POST", path: PATH, headers: json, body: JSON.stringify(order) } as const;
  const opened = await customer.ask(asked);
  if (opened.status !== 200) throw new Error(`a payment request was refused: ${opened.body}`);
  const { origin, pathname: path } = new URL(JSON.parse(opened.body).url);
  const page = await customer.ask({ method: "GET", path });
  const formToken = /name="form_token" value="([^"]+)"/.exec(page.body)?.[1] ?? "";
  const paid = await customer.ask({
    method: "POST",
    path,
    headers: {
      origin,
      "sec-fetch-site": "same-origin",
      "content-type": "application/x-www-form-urlencoded",
    },
    body: new URLSearchParams({ form_token: formToken, ...CARD }).toString(),
  });
  if (!/\r\nlocation: [^\r]*status=success/i.test(paid.head))
    throw new Error(`a checkout ended with ${paid.status}`);
}
