/**
 * Whether the acquirer serves us. Ten calls in a row without an answer, or ten answers in a row
 * that refuse our credentials or settings, and it counts as down.
 *
 * Without answers nothing is sent: a customer who pays now is not kept waiting for a minute. A
 * probe every 30 seconds finds out whether it is back. A refusal comes at once, so calls go on: the
 * first that is not refused says that it is up, and one currency's wrong credentials stop no other.
 */

import { SECOND_MS } from "../../../kit/clock.ts";

const IN_A_ROW_MAX = 10;
const PROBE_EVERY_MS = 30 * SECOND_MS;

export interface Circuit {
  readonly state: () => "up" | "down";
  /** Nothing is sent. */
  readonly isOpen: () => boolean;
  readonly answered: () => void;
  /** It answered that it does not want us. */
  readonly refused: () => void;
  readonly failed: () => void;
  readonly stop: () => void;
}

export interface CircuitEvents {
  readonly onDown: (why: "silent" | "refuses us") => void;
  readonly onUp: () => void;
}

interface Parts extends CircuitEvents {
  /** Resolves when the gateway has answered. */
  readonly probe: () => Promise<unknown>;
  readonly probeEveryMs?: number;
}

export function createCircuit({
  probe,
  onDown,
  onUp,
  probeEveryMs = PROBE_EVERY_MS,
}: Parts): Circuit {
  let failures = 0;
  let refusals = 0;
  let timer: NodeJS.Timeout | undefined;
  const isOpen = () => timer !== undefined;
  const state = () => (isOpen() || refusals >= IN_A_ROW_MAX ? "down" : "up");

  function reached(refusalsNow: number): void {
    const before = state();
    failures = 0;
    refusals = refusalsNow;
    clearInterval(timer);
    timer = undefined;
    if (state() === before) return;
    if (before === "down") onUp();
    else onDown("refuses us");
  }

  function failed(): void {
    failures += 1;
    if (failures < IN_A_ROW_MAX || isOpen()) return;
    // It is asked without credentials, so its answer says nothing about them.
    const ask = () => probe().then(() => reached(refusals));
    timer = setInterval(() => ask().catch(() => {}), probeEveryMs);
    // A process that stops does not wait for the gateway.
    timer.unref();
    onDown("silent");
  }

  return {
    state,
    isOpen,
    answered: () => reached(0),
    refused: () => reached(refusals + 1),
    failed,
    stop: () => clearInterval(timer),
  };
}
