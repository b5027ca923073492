/**
 * What checkout needs beyond the gateway: what sessions are for, what they do together, and a way
 * to stop at a step, which only tests use.
 */

import type { GatewayContext } from "../../gateway/gateway.ts";
import type { CheckoutBatches } from "./checkout-batches.ts";
import type { Purposes } from "./purpose.ts";

/** Every step between a submitted card and the redirect at which a process may die. */
export const STEPS = [
  "submit: card read",
  "submit: session held",
  "submit: attempt written",
  "submit: attempt kept",
  "sale: about to be sent",
  "sale: answered",
  "sale: answer lost",
  "answer: taken up",
  "answer: session held",
  "answer: attempt moved",
  "answer: session ended",
  "answer: payment ended",
  "answer: kept",
  "challenge: back",
  "challenge: session held",
  "challenge: back written",
  "challenge: back kept",
  "challenge: completed",
  "ask: claimed",
  "ask: answered",
  "void: claimed",
  "void: done",
  "expiry: sessions ended",
  "expiry: payments ended",
  "replace: older ended",
  "replace: newer opened",
  "result: shown",
] as const;

export type Step = (typeof STEPS)[number];

export interface CheckoutContext extends GatewayContext {
  /** Told as each step is reached. Does nothing in the service. */
  readonly failpoint: (step: Step) => void | Promise<void>;
  readonly purposes: Purposes;
  readonly batches: CheckoutBatches;
}
