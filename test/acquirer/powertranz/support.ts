/** A service that sells live through a fake PowerTranz, and what its tests share. */

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { register } from "prom-client";
import { money } from "../../../src/kit/money.ts";
import type { Decided, Gateway, Sale, SaleOutcome } from "../../../src/modules/gateway/port.ts";
import type { ProblemReason } from "../../../src/modules/gateway/powertranz/problem.ts";
import {
  type FakeOptions,
  type PowertranzFake,
  startPowertranzFake,
} from "../../../testkit/powertranz/fake.ts";
import type { FaultKind } from "../../../testkit/powertranz/fault-kinds.ts";
import type { Endpoint } from "../../../testkit/powertranz/faults.ts";
import { assertFakeInvariant } from "../../../testkit/powertranz/invariant.ts";
import { playBrowser } from "../../../testkit/powertranz/play-browser.ts";
import { expectNoSecrets } from "../../../testkit/powertranz/secrets.ts";
import { startService, type TestService } from "../../../testkit/service.ts";
import { saleWith } from "../../gateway/support.ts";

export const VISA = "4012000000020071";
export const ASKED = "4012000000020006";

export interface Live {
  readonly service: TestService;
  readonly fake: PowertranzFake;
  readonly gateway: Gateway;
  /** With the proofs that every test of live payments ends with. */
  close(): Promise<void>;
}

export async function startLive(
  options: { settings?: Record<string, string>; fake?: FakeOptions } = {},
): Promise<Live> {
  const fake = await startPowertranzFake(options.fake);
  const service = await startService({
    settings: {
      POWERTRANZ_URL: fake.url,
      POWERTRANZ_ID: fake.id,
      POWERTRANZ_PASSWORD: fake.password,
      ...options.settings,
    },
  });
  const { live: gateway } = service.ctx.gateways;
  assert(gateway !== undefined);
  return {
    service,
    fake,
    gateway,
    async close() {
      try {
        await assertFakeInvariant(fake);
        await expectNoSecrets(service, fake);
      } finally {
        await service.stop();
        await fake.stop();
      }
    },
  };
}

/** A sale of an order of its own. */
export function newSale(more: Partial<Sale> & { number?: string; holder?: string } = {}): Sale {
  const { number = VISA, holder, ...rest } = more;
  const sale = saleWith(number, { transactionId: `TT-${randomUUID()}`, ...rest });
  return holder === undefined ? sale : { ...sale, card: { ...sale.card, holder } };
}

/** What its bank will answer. */
export const saleWithCode = (code: string): Sale => newSale({ holder: `Code ${code}` });

/** The next call of this sale to this endpoint gets it. */
export async function spoil(
  { fake }: Live,
  { reference }: Sale,
  endpoint: Endpoint,
  kind: FaultKind,
  more: { seconds?: number; times?: number | "always" } = {},
): Promise<void> {
  await fake.control.fault({ kind, endpoint, transactionIdentifier: reference, ...more });
}

/** Prepared, and authenticated as the card lets it be. */
export async function prepare({ gateway }: Live, sale: Sale) {
  const answer = await gateway.sale(sale);
  assert.equal(answer.outcome, "challenge", JSON.stringify(answer));
  const { token } = answer as Extract<SaleOutcome, { outcome: "challenge" }>;
  const html = (await gateway.challengeDocument(sale.reference)) ?? "";
  const { fields } = await playBrowser(html);
  return { token, posted: fields };
}

export async function pay(live: Live, sale: Sale): Promise<Decided> {
  const { token, posted } = await prepare(live, sale);
  return live.gateway.completeChallenge(sale.reference, token, posted);
}

export async function paid(live: Live, more: Parameters<typeof newSale>[0] = {}): Promise<Sale> {
  const sale = newSale(more);
  assert.equal((await pay(live, sale)).outcome, "approved");
  return sale;
}

export const refundOf = (sale: Sale, minor: bigint, reference: string = randomUUID()) => ({
  reference,
  transactionId: sale.transactionId,
  saleReference: sale.reference,
  amount: money(sale.amount.currency, minor),
});

export async function outcomeOf({ gateway }: Live, { reference }: Sale): Promise<string> {
  const unknown = { outcome: "unknown" };
  return (await gateway.saleOutcome(reference).catch(() => unknown)).outcome;
}

/** How often this problem was counted by this process. */
export async function problemCount(reason: ProblemReason): Promise<number> {
  const text = await register.getSingleMetricAsString("windward_gateway_problems_total");
  return Number(new RegExp(`reason="${reason}"} (\\d+)`).exec(text)?.[1] ?? 0);
}

/** The alarms for operators so far: error lines of the gateway. */
export const alarmsOf = ({ service }: Live): string[] =>
  service.logged.filter((line) => /"gateway":"powertranz"/.test(line) && /"level":50/.test(line));
