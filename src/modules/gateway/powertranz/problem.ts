/**
 * What goes wrong with the acquirer. Every problem counts in `windward_gateway_problems_total` by
 * its reason; those that need a person are also error lines. The words are our own: what the
 * gateway said may repeat a card number.
 */

import { Counter, Gauge } from "prom-client";

const REASONS = [
  /** No connection, or it broke. */
  "unreachable",
  "timeout",
  /** An HTTP status, a page, a redirect or something that is not the JSON we know. */
  "not_an_answer",
  /** Too many failures in a row: nothing is sent for a while. */
  "circuit_open",
  /** The gateway says that it does not know. */
  "unknown_outcome",
  "contradiction",
  /** Credentials, currencies or products of ours are refused. */
  "settings",
  /** It calls our request malformed. */
  "our_request",
  /** A sale that nobody can look up, or that the gateway does not let us undo. */
  "undecided",
] as const;

export type ProblemReason = (typeof REASONS)[number];

export class GatewayProblem extends Error {
  readonly reason: ProblemReason;
  /** Of HTTP, where there was one. */
  readonly status: number | undefined;
  /** Of a connection that failed, as `ECONNREFUSED`. */
  readonly code: string | undefined;

  constructor(reason: ProblemReason, message: string, status?: number, code?: string) {
    super(message);
    this.reason = reason;
    this.status = status;
    this.code = code;
  }
}

export const gatewayProblems = new Counter({
  name: "windward_gateway_problems_total",
  help: "Problems with the acquirer, by reason.",
  labelNames: ["reason"],
});
for (const reason of REASONS) gatewayProblems.inc({ reason }, 0);

/** No series where no acquirer is configured. */
const gatewayUp = new Gauge({
  name: "windward_gateway_up",
  help: "Whether the acquirer counts as up, 1 or 0.",
  labelNames: ["gateway"],
  aggregator: "min",
});

export function noteUp(gateway: string, isUp: boolean): void {
  gatewayUp.set({ gateway }, isUp ? 1 : 0);
}
