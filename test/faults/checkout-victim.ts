/**
 * A process that dies by kill -9 at a named step of one checkout: run by `checkout-kills.test.ts`
 * with the database's address, what to do, the page's token and the step as its arguments.
 */

import process from "node:process";
import { readConfig } from "../../src/infra/config.ts";
import { openDatabase } from "../../src/infra/db/database.ts";
import { createLog } from "../../src/infra/log.ts";
import { money } from "../../src/kit/money.ts";
import { openCheckout } from "../../src/modules/checkout/request/known-orders.ts";
import type { PaymentRequest } from "../../src/modules/checkout/request/payment-request.ts";
import { createCheckoutBatches } from "../../src/modules/checkout/session/checkout-batches.ts";
import { completeChallenge } from "../../src/modules/checkout/session/complete-challenge.ts";
import type { CheckoutContext } from "../../src/modules/checkout/session/context.ts";
import { returnUrl } from "../../src/modules/checkout/session/end-sessions.ts";
import { paymentPurpose } from "../../src/modules/checkout/session/payment-purpose.ts";
import type { SessionView } from "../../src/modules/checkout/session/session.ts";
import { submitCard } from "../../src/modules/checkout/session/submit-card.ts";
import { sweepCheckouts } from "../../src/modules/checkout/session/sweep.ts";
import { createGateways } from "../../src/modules/gateway/create-gateways.ts";
import type { Gateway } from "../../src/modules/gateway/port.ts";
import { chargingPurpose } from "../../src/modules/trusted-cards/charging-purpose.ts";
import { savingPurpose } from "../../src/modules/trusted-cards/saving-purpose.ts";
import { withWaiting } from "../../testkit/checkout-sessions.ts";

const [, , url = "", task = "", token = "", step = ""] = process.argv;
const CARD = "4111111111111111";
/** Another for each: a card whose process is killed stays counted, and an address has 20. */
const ADDRESS = `203.0.113.${(process.pid % 254) + 1}`;

const log = createLog({ level: "silent" });
const db = openDatabase({ url, connectionsMax: 4, log });
const config = readConfig({});
const { sandbox } = createGateways({ db, config, log });
if (sandbox === undefined) throw new Error("the sandbox has a gateway");

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

const GATEWAYS: Record<string, Gateway> = {
  "lose the answer": losing(sandbox, true),
  "lose the order": losing(sandbox, false),
};
const gateway = GATEWAYS[task] ?? sandbox;
const purposes = { payment: paymentPurpose, card: savingPurpose, charge: chargingPurpose };
const batches = createCheckoutBatches({ db, log, config, purposes });
/** Attempts and answers go as those do whose sessions are locked elsewhere. */
const WAITING = withWaiting({ db, log, config, purposes }, batches);
const ctx: CheckoutContext = {
  config,
  db,
  log,
  gateways: { live: undefined, sandbox: gateway },
  purposes,
  batches: task === "pay after waiting" ? WAITING : batches,
  failpoint(here) {
    if (here === step) process.kill(process.pid, "SIGKILL");
  },
};

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
    form: { number: CARD, expiry: "12/39", cvv: "739", holder: "Anika Mohammed" },
    seenAttempts: session.attempts,
    address: ADDRESS,
  });
await returnUrl(ctx, session);
await db.close();
