/**
 * Durable payment requests per second over HTTP (P1): every rule held, and payment, session and
 * event committed before the answer. Beside it `pgbench -N` on the same server, which commits one
 * small update and insert at a time, and a bare Fastify route that reads and sends the same JSON.
 *
 * All of it is for one merchant, which is the hardest case. The contenders take turns within each
 * round, so that a slow minute of the machine slows all.
 */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { BurstResult } from "../support/autocannon.ts";
import { watch } from "../support/machine.ts";
import { openPgbench, type Pgbench } from "../support/pgbench.ts";
import { postOrders } from "../support/post-orders.ts";
import { median, round, say } from "../support/report.ts";
import type { Stage } from "../support/stage.ts";
import type { Pace } from "./authenticated-read.ts";

const BARE_FASTIFY = fileURLToPath(new URL("../peers/bare-fastify.ts", import.meta.url));
const PATH = "/plugins/payments/request";
const CONNECTIONS = 64;

export interface RequestFigures {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly residentMbMax: number;
  readonly barePerSecond: number;
  readonly timesBare: number;
  /** None where there is no pgbench. */
  readonly pgbenchPerSecond: number | undefined;
  readonly timesPgbench: number | undefined;
}

const REQUEST = {
  account_number: "1234567890",
  country_code: "TT",
  currency: "TTD",
  environment: "sandbox",
  fee_structure: "customer_pay",
  method: "credit_card_co",
  origin: "bench",
  response_url: "https://shop.example/paid?cart=7",
  total: "100.00",
  email: "customer@example.com",
};

export async function paymentRequest(stage: Stage, pace: Pace): Promise<RequestFigures> {
  const pgbench = await openPgbench(stage.settings.DATABASE_URL ?? "");
  const { bare, address } = await startBare(stage);
  try {
    const to = (base: string) => (seconds: number) =>
      postOrders({ url: base + PATH, connections: CONNECTIONS, order: REQUEST, seconds });
    const ours = to(stage.service.url);
    const bareRoute = to(address);
    for (const load of [bareRoute, ours]) await load(pace.warmUpSeconds);
    return await takeTurns(stage, pace, { ours, bareRoute, pgbench });
  } finally {
    bare.kill();
  }
}

interface Contenders {
  readonly ours: (seconds: number) => Promise<BurstResult>;
  readonly bareRoute: (seconds: number) => Promise<BurstResult>;
  readonly pgbench: Pgbench | undefined;
}

interface Turn extends BurstResult {
  readonly mb: number;
  readonly bare: number;
  readonly tps: number | undefined;
}

async function takeTurns(
  stage: Stage,
  { rounds, seconds }: Pace,
  { ours, bareRoute, pgbench }: Contenders,
): Promise<RequestFigures> {
  const turns: Turn[] = [];
  for (let turn = 1; turn <= rounds; turn++) {
    const bare = await bareRoute(seconds);
    const seen = await watch(stage.service.pid, () => ours(seconds));
    const tps = await pgbench?.(seconds);
    const { perSecond, failures } = seen.result;
    if (failures > 0) throw new Error(`${failures} payment requests failed`);
    const beside = tps === undefined ? "" : `, pgbench -N ${round(tps)}/s`;
    say(
      `round ${turn} of ${rounds}: payment requests ${round(perSecond)}/s, ` +
        `bare Fastify ${round(bare.perSecond)}/s${beside}`,
    );
    turns.push({ ...seen.result, mb: seen.residentMbMax, bare: bare.perSecond, tps });
  }
  const of = (pick: (turn: Turn) => number) => median(turns.map(pick));
  const hasPgbench = pgbench !== undefined;
  return {
    perSecond: of((turn) => turn.perSecond),
    p50Ms: of((turn) => turn.p50Ms),
    p99Ms: of((turn) => turn.p99Ms),
    residentMbMax: Math.max(...turns.map((turn) => turn.mb)),
    barePerSecond: of((turn) => turn.bare),
    timesBare: of((turn) => turn.perSecond / turn.bare),
    pgbenchPerSecond: hasPgbench ? of((turn) => turn.tps ?? Number.NaN) : undefined,
    timesPgbench: hasPgbench ? of((turn) => turn.perSecond / (turn.tps ?? Number.NaN)) : undefined,
  };
}

async function startBare(stage: Stage): Promise<{ bare: ChildProcess; address: string }> {
  const json = { ...REQUEST, order_id: `first-${Date.now()}` };
  const { status, text } = await stage.service.ask(PATH, { method: "POST", json });
  if (status !== 200) throw new Error(`a payment request was answered with ${text}`);
  const bare = spawn(process.execPath, [BARE_FASTIFY, text], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const [{ address }] = await once(bare, "message");
  return { bare, address };
}
