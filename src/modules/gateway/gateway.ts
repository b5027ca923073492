/**
 * The acquirer as a port: what we ask of whoever moves money on cards (Decision 0030).
 *
 * The rule that matters: every order carries a reference of ours, and the same reference is the
 * same order, however often it comes. So an answer that is lost costs nothing: we ask about the
 * reference, or send the order again. A call is made between two txs, never inside one. A method
 * that throws means that nobody knows.
 */

import type { Infra } from "../../infra/context.ts";
import type { Money } from "../../kit/money.ts";
import type { Environment } from "../../kit/vocabulary.ts";
import { createSimulator } from "./sandbox.ts";

export interface RefundOrder {
  readonly reference: string;
  /** The payment that is given back. */
  readonly transactionId: string;
  readonly amount: Money;
}

export type RefundAnswer =
  | { readonly outcome: "refunded" }
  | { readonly outcome: "rejected"; readonly reason: string };

export type RefundOutcome =
  | RefundAnswer
  /** The gateway has the order and cannot tell yet. */
  | { readonly outcome: "unknown" }
  | { readonly outcome: "never seen" };

export interface Gateway {
  refund(order: RefundOrder): Promise<RefundAnswer>;
  refundOutcome(reference: string): Promise<RefundOutcome>;
}

/** Undefined: none is configured for that environment. */
export type Gateways = Readonly<Record<Environment, Gateway | undefined>>;

export interface GatewayContext extends Infra {
  readonly gateways: Gateways;
}

export function createGateways({ db, config }: Pick<Infra, "db" | "config">): Gateways {
  const simulator = createSimulator(db);
  return {
    sandbox: simulator,
    live: config.liveGateway === "simulator" ? simulator : undefined,
  };
}
