/**
 * Deliveries that came ahead of their turn, by their number, and the callers that wait until they
 * have been handled.
 */

import type { WindwardEvent } from "./lists.ts";

/** The feed has what does not fit. */
const KEPT_MAX = 1_000;

export class DeliveryShelf {
  readonly #events = new Map<number, WindwardEvent>();
  readonly #waiting = new Map<number, ((isHandled: boolean) => void)[]>();

  /** From the feed: always kept, because the next in line is among them. */
  put(event: WindwardEvent): void {
    this.#events.set(event.sequence, event);
  }

  /** From a webhook. Tells, when it is known, whether it has been handled. */
  offer(event: WindwardEvent): Promise<boolean> {
    const { sequence } = event;
    if (this.#events.size >= KEPT_MAX && !this.#events.has(sequence)) return Promise.resolve(false);
    this.put(event);
    return new Promise((tell) => {
      this.#waiting.set(sequence, [...(this.#waiting.get(sequence) ?? []), tell]);
    });
  }

  get(sequence: number): WindwardEvent | undefined {
    return this.#events.get(sequence);
  }

  /** The lowest number there is; infinite when there is none. */
  lowest(): number {
    return Math.min(...this.#events.keys());
  }

  /** All up to this number have been handled. */
  clearUpTo(sequence: number): void {
    for (const known of this.#events.keys()) if (known <= sequence) this.#events.delete(known);
    this.#tell(true, sequence);
  }

  /** Nothing more will be handled here. */
  close(): void {
    this.#events.clear();
    this.#tell(false, Number.POSITIVE_INFINITY);
  }

  #tell(isHandled: boolean, upTo: number): void {
    for (const [sequence, listeners] of this.#waiting) {
      if (sequence > upTo) continue;
      this.#waiting.delete(sequence);
      for (const tell of listeners) tell(isHandled);
    }
  }
}
