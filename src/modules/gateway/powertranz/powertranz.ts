/**
 * The adapter of PowerTranz, the gateway of First Atlantic Commerce (Decision 0080). Its journal
 * is written before anything is sent; no call is made inside a tx.
 */

import type { Infra } from "../../../infra/context.ts";
import type { Gateway } from "../port.ts";
import { createClient } from "./client.ts";
import { complete } from "./complete-sale.ts";
import type { PowertranzParts } from "./parts.ts";
import { GatewayProblem, gatewayProblems, noteUp, type ProblemReason } from "./problem.ts";
import { findSale, openChallenge } from "./sale-journal.ts";
import { saleOutcome } from "./sale-outcome.ts";
import { digestOf, sell } from "./sell.ts";
import type { PowertranzSettings } from "./settings.ts";
import { refundOutcome, refundPayment, voidSale } from "./undo.ts";

const MINUTE = 60;
/** Slower than a simulator is asked: each question is a call to a foreign service. */
const ASK_AFTER_SECONDS = [5, 15, 60, 2 * MINUTE, 4 * MINUTE, 8 * MINUTE, 15 * MINUTE, 60 * MINUTE];

const DOWN = {
  silent: {
    reason: "unreachable",
    sentence: "the acquirer is down: it did not answer ten times",
  },
  "refuses us": {
    reason: "settings",
    sentence: "the acquirer is down: it refused our settings ten times",
  },
} as const;

export function createPowertranz(
  { db, config, log }: Pick<Infra, "db" | "config" | "log">,
  settings: PowertranzSettings,
  { probeEveryMs }: { probeEveryMs?: number } = {},
): Gateway {
  const listeners: (() => void)[] = [];
  const raise = (reason: ProblemReason, facts: object, sentence: string) => {
    gatewayProblems.inc({ reason });
    log.error({ ...facts, reason, gateway: "powertranz" }, sentence);
  };
  noteUp("powertranz", true);
  const client = createClient(settings, {
    ...(probeEveryMs === undefined ? {} : { probeEveryMs }),
    onDown(why) {
      noteUp("powertranz", false);
      raise(DOWN[why].reason, {}, DOWN[why].sentence);
    },
    onUp() {
      noteUp("powertranz", true);
      log.warn({ gateway: "powertranz" }, "the acquirer serves us again");
      for (const listener of listeners) listener();
    },
  });
  const report = ({ reason, message }: GatewayProblem, reference: string) => {
    if (reason === "settings" || reason === "contradiction")
      raise(reason, { reference, what: message }, "the acquirer needs attention");
    else gatewayProblems.inc({ reason });
  };
  const { wrappingKeys } = config;
  const parts: PowertranzParts = { db, wrappingKeys, settings, client, report, raise };

  /** Every problem is counted; the caller takes it for an unknown outcome. */
  async function watched<T>(reference: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof GatewayProblem) report(error, reference);
      throw error;
    }
  }

  return {
    askAfterSeconds: ASK_AFTER_SECONDS,
    state: client.state,
    onUp: (listener) => void listeners.push(listener),
    stop: client.stop,
    sale: (sale) => watched(sale.reference, () => sell(parts, sale)),
    async challengeDocument(reference) {
      const entry = await findSale(db, reference);
      return entry && openChallenge(wrappingKeys, entry)?.html;
    },
    returnedToken: ({ SpiToken }) => (SpiToken === undefined ? undefined : digestOf(SpiToken)),
    completeChallenge: (reference, token, posted) =>
      watched(reference, () => complete(parts, reference, token, posted)),
    saleOutcome: (reference) => watched(reference, () => saleOutcome(parts, reference)),
    voidSale: (reference) => watched(reference, () => voidSale(parts, reference)),
    refund: (order) => watched(order.reference, () => refundPayment(parts, order)),
    refundOutcome: (reference) => watched(reference, () => refundOutcome(parts, reference)),
  };
}
