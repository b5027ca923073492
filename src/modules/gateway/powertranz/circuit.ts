/**
 * Whether the acquirer answers. After ten calls in a row without an answer it counts as down, and
 * nothing is sent: a customer who pays now is not kept waiting for a minute. While it is down a
 * probe every 30 seconds finds out whether it is back.
 */

import { SECOND_MS } from "../../../kit/clock.ts";

const FAILURES_MAX = 10;
const PROBE_EVERY_MS = 30 * SECOND_MS;

export interface Circuit {
  readonly state: () => "up" | "down";
  readonly answered: () => void;
  readonly failed: () => void;
  readonly stop: () => void;
}

interface Parts {
  /** Resolves when the gateway has answered. */
  readonly probe: () => Promise<unknown>;
  readonly onDown: () => void;
  readonly onUp: () => void;
  readonly probeEveryMs?: number;
}

export function createCircuit({
  probe,
  onDown,
  onUp,
  probeEveryMs = PROBE_EVERY_MS,
}: Parts): Circuit {
  let failures = 0;
  let timer: NodeJS.Timeout | undefined;
  const isDown = () => timer !== undefined;

  function answered(): void {
    failures = 0;
    if (!isDown()) return;
    clearInterval(timer);
    timer = undefined;
    onUp();
  }

  function failed(): void {
    failures += 1;
    if (failures < FAILURES_MAX || isDown()) return;
    timer = setInterval(() => probe().then(answered, () => {}), probeEveryMs);
    // A process that stops does not wait for the gateway.
    timer.unref();
    onDown();
  }

  return {
    state: () => (isDown() ? "down" : "up"),
    answered,
    failed,
    stop: () => clearInterval(timer),
  };
}
