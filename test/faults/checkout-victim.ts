/**
 * A process that dies by kill -9 at a named step of one checkout: run by `run-victim.ts`
 * with the database's address, what to do, the page's token and the step as its arguments.
 */

import process from "node:process";
import { readConfig } from "../../src/infra/config.ts";
import { createLog } from "../../src/infra/log.ts";
import { money } from "../../src/kit/money.ts";
import { openCheckout } from "../../src/modules/checkout/request/known-orders.ts";
import type { PaymentRequest } from "../../src/modules/checkout/request/payment-request.ts";
import { completeChallenge } from "../../src/modules/checkout/session/complete-challenge.ts";
import { returnUrl } from "../../src/modules/checkout/session/end-sessions.ts";
import type { SessionView } from "../../src/modules/checkout/session/session.ts";
import { submitCard } from "../../src/modules/checkout/session/submit-card.ts";
import type { Gateway } from "../../src/modules/gateway/port.ts";
import { sweepCheckouts } from "../../testkit/sweeps.ts";
import { openVictim } from "./victim-context.ts";

const [, , url = "", task = "", token = "", step = ""] = process.argv;
const CARD = "4111111111111111";
/** Another for each: a card whose process is killed stays counted, and an address has 20. */
const ADDRESS = `203.0.113.${(process.pid % 254) + 1}`;

/** The work is done or not, and either way its answer is lost. */
function losing(gateway: Gateway, isWorkDone: boolean): Gateway {
  return {
    ...gateway,
    async sale(sale) {
      if (isWorkDone) await gateway.sale(sale);
      throw new Error("lost");
    },
    saleOutcome: () => Promise.reject(new Error("lost")),
  };
}

const WRAPPED: Record<string, (gateway: Gateway) => Gateway> = {
  "lose the answer": (gateway) => losing(gateway, true),
  "lose the order": (gateway) => losing(gateway, false),
};
const ctx = openVictim({
  url,
  config: readConfig({}),
  log: createLog({ level: "silent" }),
  wrapGateway: WRAPPED[task] ?? ((gateway) => gateway),
  waitsForLocks: task === "pay after waiting",
  failpoint(here) {
    if (here === step) process.kill(process.pid, "SIGKILL");
  },
});
const { db, batches } = ctx;

/** The order of this session again, for another amount. */
function changedRequest({ accountNumber, environment, orderId }: SessionView): PaymentRequest {
  return {
    purpose: "payment",
    transaction: {
      accountNumber,
      environment,
      countryCode: "TT",
      total: money("TTD", 8_000n),
      feeStructure: "customer_pay",
      orderId,
      checkoutMethod: "credit_card_co",
      origin: "shop",
      customer: {},
      details: {},
    },
    email: "anika@example.com",
    responseUrl: "https://shop.example.com/back",
    isAvs: false,
    cardType: undefined,
    words: {},
  };
}

const session = await batches.findSession(token);
if (session === undefined) throw new Error("no such session");
if (task === "sweep") await sweepCheckouts(ctx);
else if (task === "replace")
  await db.transaction((tx) => openCheckout(ctx, tx, changedRequest(session)));
else if (task === "come back") {
  if (session.step.kind !== "challenge") throw new Error("no bank asks");
  const posted = { token: session.step.token };
  await completeChallenge(ctx, { session, posted, address: ADDRESS });
} else
  await submitCard(ctx, {
    session,
    pageUrl: `https://pay.example.com/checkout/${token}`,
    form: {
      number: CARD,
      expiry: "12/39",
      cvv: "739",
      holder: "Anika Mohammed",
      // Read where the page asks for it: a payment link's does.
      email: "anika@example.com",
    },
    language: "en",
    seenAttempts: session.attempts,
    address: ADDRESS,
  });
await returnUrl(ctx, session);
await db.close();
