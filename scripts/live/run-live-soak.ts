/**
 * Many live payments against the fake acquirer while it misbehaves: a real process of the service,
 * a fake in a process of its own, customers by HTTP; some payments are refunded, some cards saved
 * and verified. Then the faults end, the clock goes on for five minutes, and everything must have
 * come to one truth, here and at the acquirer.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "../../src/infra/db/query.ts";
import { NO_LIMITS } from "../../testkit/no-limits.ts";
import type { RecordedCall } from "../../testkit/powertranz/control-door.ts";
import type { PowertranzFake } from "../../testkit/powertranz/fake.ts";
import { startFakeProcess } from "../../testkit/powertranz/fake-process.ts";
import { FAULT_KINDS, type FaultKind } from "../../testkit/powertranz/fault-kinds.ts";
import { compareWithFake, type LiveDifferences } from "../../testkit/powertranz/live-truth.ts";
import { endAll, type Running, start } from "../../testkit/processes.ts";
import { startService, type TestService } from "../../testkit/service.ts";
import { openShop, type Shop } from "../../testkit/transactions.ts";
import { type Chance, chanceOf } from "../soak/random.ts";
import { type Customer, visitPage } from "./customer.ts";

export interface LiveSoakOptions {
  readonly payments: number;
  /** Of a hundred calls. */
  readonly faultPercent: number;
  readonly seed: number;
  /** Those that are left out: one of them takes a minute. */
  readonly without?: readonly FaultKind[];
  readonly onProgress?: (done: number) => void;
}

interface LiveSoakReport extends LiveDifferences {
  readonly figures: Readonly<Record<string, number>>;
}

/** What is still there when all is over, for more checks. */
export interface LiveSoak {
  readonly observer: TestService;
  readonly fake: PowertranzFake;
  readonly words: () => string[];
  readonly report: LiveSoakReport;
}

interface Scene {
  readonly observer: TestService;
  readonly service: Running;
  readonly shops: readonly Shop[];
  /** What browsers were told, by payment. */
  readonly told: Map<string, string>;
  readonly counts: { refunds: number; checks: number };
}

const CUSTOMERS = 12;
const SHOPS = 4;
const SLOW_SECONDS = 2;
const CHECK_PERCENT = 4;
const REFUND_PERCENT = 10;
/** A call is given up after 65 s at most; what is on the wire is not overtaken by the clock. */
const ON_THE_WIRE_SECONDS_MAX = 70;
const SETTLED_SECONDS_MAX = 5 * 60;
const PACE_SECONDS = 20;
/** Sweeps come once a second; those of refunds every five. */
const SWEPT_MS = 2_500;

export async function runLiveSoak<T>(
  options: LiveSoakOptions,
  check: (soak: LiveSoak) => Promise<T>,
): Promise<T> {
  const fake = await startFakeProcess();
  const settings = {
    ...NO_LIMITS,
    POWERTRANZ_URL: fake.url,
    POWERTRANZ_ID: fake.id,
    POWERTRANZ_PASSWORD: fake.password,
    LIVE_PAYOUTS: "files",
    PASSWORD_HASHING: "floor",
    OVERLOAD_LOOP_DELAY_MS: "0",
  };
  const observer = await startService({ settings });
  try {
    const own = { ...settings, DATABASE_URL: observer.database.url, LOG_LEVEL: "info" };
    const service = await start({ settings: own });
    const traffic = await runTraffic({ observer, service, fake, options });
    const differences = await settle({ observer, fake });
    const figures = { ...traffic.figures, ...(await figuresOf(traffic.scene, fake)) };
    const words = () => `${service.stdout()}\n${service.stderr()}`.split("\n");
    const report = { ...differences, figures };
    const result = await check({ observer, fake, words, report });
    await service.stop();
    return result;
  } finally {
    await endAll();
    await observer.stop();
    await fake.stop();
  }
}

async function runTraffic(parts: {
  observer: TestService;
  service: Running;
  fake: PowertranzFake;
  options: LiveSoakOptions;
}): Promise<{ scene: Scene; figures: Record<string, number> }> {
  const { observer, service, fake, options } = parts;
  const { payments, faultPercent, seed, without = [] } = options;
  const shops = await Promise.all(Array.from({ length: SHOPS }, () => openShop(observer)));
  const kinds = FAULT_KINDS.filter((kind) => !without.includes(kind));
  const random = { rate: faultPercent / 100, kinds, seed, seconds: SLOW_SECONDS };
  await fake.control.send({ switches: { centsDecide: false }, random });
  const scene: Scene = {
    observer,
    service,
    shops,
    told: new Map(),
    counts: { refunds: 0, checks: 0 },
  };
  let next = 0;
  const beganAt = performance.now();
  const customer = async () => {
    while (next < payments) {
      const turn = next++;
      await buy(scene, { service, chance: chanceOf(seed, `payment ${turn}`) }, turn);
      options.onProgress?.(turn + 1);
    }
  };
  await Promise.all(Array.from({ length: CUSTOMERS }, customer));
  const seconds = Math.round((performance.now() - beganAt) / 1_000);
  await fake.control.send({ random: null });
  const calls = await fake.control.calls();
  const faults = calls.filter(({ fault }) => fault !== undefined);
  await waitForTheWire(faults);
  const kindsMet = new Set(faults.map(({ fault }) => fault)).size;
  return { scene, figures: { payments, seconds, faults: faults.length, faultKinds: kindsMet } };
}

/** An answer that comes byte by byte still arrives: the clock must not overtake it. */
async function waitForTheWire(faults: readonly RecordedCall[]): Promise<void> {
  const ends = faults.map(
    ({ at, fault }) =>
      Date.parse(at) + (fault === "drip" ? ON_THE_WIRE_SECONDS_MAX : 3 * SLOW_SECONDS) * 1_000,
  );
  await sleep(Math.max(0, Math.max(0, ...ends) - Date.now()));
}

async function buy(scene: Scene, customer: Customer, turn: number): Promise<void> {
  const { chance } = customer;
  const shop = chance.pick(scene.shops);
  if (chance.percent(CHECK_PERCENT)) return saveCard(scene, customer, shop);
  const { status, body, text } = await scene.service.ask("/plugins/payments/request", {
    method: "POST",
    json: {
      account_number: shop.accountNumber,
      country_code: "TT",
      currency: chance.pick(["TTD", "USD"]),
      environment: "live",
      fee_structure: chance.pick(["customer_pay", "merchant_absorb"]),
      method: "credit_card_co",
      order_id: `order-${turn}`,
      origin: "shop",
      response_url: "https://shop.example/paid",
      total: amount(chance, 60, 400),
      email: "customer@example.com",
    },
  });
  if (status !== 200) throw new Error(`a payment request was refused: ${text}`);
  const told = await visitPage(customer, body.url);
  if (told !== undefined) scene.told.set(body.transaction_id, told);
  if (told === "success" && chance.percent(REFUND_PERCENT))
    await askRefund(scene, shop, body.transaction_id, amount(chance, 1, 25));
}

async function askRefund(
  { service, counts }: Scene,
  { token }: Shop,
  id: string,
  amount: string,
): Promise<void> {
  const path = `/transactions/${id}/refund`;
  const { status, text } = await service.ask(path, { method: "POST", token, json: { amount } });
  if (status !== 201) throw new Error(`a refund was refused: ${text}`);
  counts.refunds += 1;
}

/** Saves a card, and verifies it with the amount that the holder reads on the statement. */
async function saveCard(scene: Scene, customer: Customer, { token }: Shop): Promise<void> {
  const { observer, service, counts } = scene;
  const json = { environment: "live", response_url: "https://shop.example/saved" };
  const { status, body, text } = await service.ask("/trusted-cards/", {
    method: "POST",
    token,
    json,
  });
  if (status !== 200) throw new Error(`a card could not be saved: ${text}`);
  counts.checks += 1;
  const id = body.transaction_id;
  const told = await visitPage(customer, body.url);
  if (told !== undefined) scene.told.set(id, told);
  if (told !== "success") return;
  const { card_uuid, minor } = await observer.ctx.db.one<{ card_uuid: string; minor: number }>(sql`
    select card_uuid, amount_minor::int as minor from card_checks where transaction_id = ${id}`);
  const path = `/trusted-cards/${card_uuid}/verify`;
  await service.ask(path, { method: "POST", token, json: { amount: `0.${minor}` } });
}

const amount = (chance: Chance, min: number, max: number) =>
  `${chance.between(min, max)}.${String(chance.between(0, 100)).padStart(2, "0")}`;

async function settle({
  observer,
  fake,
}: Pick<LiveSoak, "observer" | "fake">): Promise<LiveDifferences> {
  for (let passed = 0; ; passed += PACE_SECONDS) {
    await sleep(SWEPT_MS);
    const differences = await compareWithFake(observer.ctx.db, fake);
    const isSettled = Object.values(differences).every((list) => list.length === 0);
    if (isSettled || passed >= SETTLED_SECONDS_MAX) return differences;
    await observer.clock.advance({ seconds: PACE_SECONDS });
    await fake.control.advance(PACE_SECONDS);
  }
}

async function figuresOf({ observer, told, counts }: Scene, fake: PowertranzFake) {
  const statuses = await observer.ctx.db.rows<{ id: string; status: string }>(sql`
    select transaction_id as id, status from transactions
    union all select transaction_id, status from card_checks`);
  const now = new Map(statuses.map(({ id, status }) => [id, status]));
  const ofStatus = (wanted: string) => statuses.filter(({ status }) => status === wanted).length;
  const sales = await fake.control.transactions();
  return {
    ...counts,
    success: ofStatus("success"),
    failed: ofStatus("failed"),
    error: ofStatus("error"),
    open: ofStatus("incomplete"),
    /** Told one result and recorded with another. */
    toldWrong: [...told].filter(([id, status]) => now.get(id) !== status).length,
    salesAtAcquirer: sales.length,
    approvedAtAcquirer: sales.filter(({ isApproved }) => isApproved).length,
  };
}
