/**
 * Hands every event of one feed to a function, once and in order, whatever webhooks do (Decision
 * 0053).
 *
 * Deliveries are hints that save time: the next in line is handled as it was delivered, and
 * whatever is missing before one that came is fetched from the feed, which has everything. The
 * cursor is saved after the function has done its work. So a crash between the two brings that one
 * event again, and nothing else is ever repeated, skipped or overtaken.
 */

import { type FeedAddress, foreignTo, readFeed } from "./consumer-feed.ts";
import { type CursorStore, readCursor } from "./cursor-store.ts";
import { DeliveryShelf } from "./delivery-shelf.ts";
import type { WindwardEvent } from "./lists.ts";
import type { WebhookEvent } from "./verify/verify-webhook.ts";
import { growingMs, wait } from "./wait.ts";
import type { Windward } from "./windward.ts";

export interface ConsumerOptions extends FeedAddress {
  /** Its credential reads the feed: an API key of that environment, or a sign-in. */
  readonly windward: Pick<Windward, "GET">;
  readonly store: CursorStore;
  /** Does the work. If it throws, the same event comes again after a pause; later ones wait. */
  readonly handle: (event: WindwardEvent) => Promise<void> | void;
  /** Told of every failure: of `handle`, of the store, of the feed, of an event not ours. */
  readonly onTrouble?: (trouble: Trouble) => void;
  /** Where to begin with an empty store; `first`, with all that ever happened, if absent. */
  readonly from?: "first" | "now";
  /** How often the feed is looked at though no webhook came; 60 if absent. */
  readonly pollSeconds?: number;
  /** How long an event that was overtaken is waited for before the feed is asked; 0.2 if absent. */
  readonly overtakenSeconds?: number;
  /** The pause after a failure: this at first, doubled each time, up to that. */
  readonly retrySeconds?: { readonly first: number; readonly most: number };
}

export interface Trouble {
  readonly error: unknown;
  /** The event that waits; undefined when there is none in hand. */
  readonly event: WindwardEvent | undefined;
  /** How many times in a row. */
  readonly attempt: number;
}

export interface Consumer {
  /** Catches up with the feed, and looks at it now and then from then on. */
  start(): void;
  /**
   * Takes an event that a webhook brought and that was verified. Tells, when it is known, whether
   * it has been handled; there is no need to wait for that: what is not comes by the feed. Rejects
   * an event of another feed, of which `onTrouble` is told as well.
   */
  deliver(event: WebhookEvent): Promise<boolean>;
  /** The `sequence` of the last event that was handled and saved. */
  cursor(): number | undefined;
  /** Begins nothing new, and waits for what is under way. */
  stop(): Promise<void>;
}

const OVERTAKEN_SECONDS = 0.2;
const POLL_SECONDS = 60;
const RETRY_SECONDS = { first: 1, most: 60 };

export function createConsumer(options: ConsumerOptions): Consumer {
  const worker = new FeedWorker(options);
  return {
    start: () => worker.start(),
    deliver: (event) => worker.deliver(event),
    cursor: () => worker.cursor,
    stop: () => worker.stop(),
  };
}

class FeedWorker {
  cursor: number | undefined;
  readonly #options: ConsumerOptions;
  readonly #shelf = new DeliveryShelf();
  readonly #ending = new AbortController();
  /** The highest number that is known to exist. */
  #newest = 0;
  /** The last that `handle` has done, saved or not. */
  #handled: number | undefined;
  #isLookDue = false;
  #running: Promise<void> | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(options: ConsumerOptions) {
    this.#options = options;
  }

  start(): void {
    if (this.#ending.signal.aborted || this.#timer !== undefined) return;
    const look = () => {
      this.#isLookDue = true;
      this.#wake();
    };
    this.#timer = setInterval(look, (this.#options.pollSeconds ?? POLL_SECONDS) * 1000);
    look();
  }

  deliver(event: WebhookEvent): Promise<boolean> {
    const told = this.#accept(event);
    // Who does not wait for it must not be ended by a rejection that nobody looks at.
    told.catch((error) => this.#tell({ error, event: undefined, attempt: 1 }));
    return told;
  }

  async #accept(event: WebhookEvent): Promise<boolean> {
    const foreign = foreignTo(this.#options, event);
    if (foreign !== undefined) throw foreign;
    if (!Number.isSafeInteger(event.sequence)) throw new TypeError("The event has no sequence.");
    if (event.sequence <= (this.cursor ?? 0)) return true;
    if (this.#ending.signal.aborted) return false;
    this.#newest = Math.max(this.#newest, event.sequence);
    // The same bytes as in the feed; the types of the SDK know its names.
    const isHandled = this.#shelf.offer(event as WindwardEvent);
    this.#wake();
    return isHandled;
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#ending.abort(new Error("The consumer was stopped."));
    await this.#running;
    this.#shelf.close();
  }

  #wake(): void {
    this.#running ??= this.#work().finally(() => {
      this.#running = undefined;
      if (this.#hasWork()) this.#wake();
    });
  }

  #hasWork(): boolean {
    if (this.#ending.signal.aborted) return false;
    return this.#isLookDue || this.#newest > (this.cursor ?? 0);
  }

  /** Never rejects, and pauses after every failure: else it would begin again without an end. */
  async #work(): Promise<void> {
    const { retrySeconds = RETRY_SECONDS } = this.#options;
    const growth = { firstMs: retrySeconds.first * 1000, mostMs: retrySeconds.most * 1000 };
    for (let attempt = 0; this.#hasWork(); ) {
      try {
        this.cursor ??= await this.#firstCursor();
        await this.#step(this.cursor);
        attempt = 0;
      } catch (error) {
        const { aborted, reason } = this.#ending.signal;
        if (aborted && error === reason) return;
        attempt += 1;
        this.#tell({ error, event: this.#shelf.get((this.cursor ?? 0) + 1), attempt });
        await wait(growingMs(attempt, growth), this.#ending.signal).catch(() => {});
      }
    }
  }

  /** The listener may throw or reject; the work goes on. */
  #tell(trouble: Trouble): void {
    const telling = async () => this.#options.onTrouble?.(trouble);
    telling().catch(() => {});
  }

  async #step(last: number): Promise<void> {
    const next = this.#shelf.get(last + 1);
    if (next !== undefined) return this.#take(next);
    if (this.#newest <= last && !this.#isLookDue) return;
    const { overtakenSeconds = OVERTAKEN_SECONDS } = this.#options;
    if (!this.#isLookDue) await wait(overtakenSeconds * 1000, this.#ending.signal);
    if (this.#shelf.get(last + 1) === undefined) await this.#look(last);
  }

  async #take(event: WindwardEvent): Promise<void> {
    const { handle, store } = this.#options;
    const { sequence } = event;
    // When only the store failed, the work is not done twice.
    if (this.#handled !== sequence) await handle(event);
    this.#handled = sequence;
    await store.save(sequence);
    this.cursor = sequence;
    this.#shelf.clearUpTo(sequence);
  }

  async #look(last: number): Promise<void> {
    const { events, lastSequence } = await readFeed(this.#options, last, this.#ending.signal);
    for (const event of events) this.#shelf.put(event);
    this.#isLookDue = false;
    if (events.length === 0 && this.#newest > last)
      throw new Error(`The feed ends with ${last}, but ${this.#newest} was delivered.`);
    this.#newest = Math.max(this.#newest, lastSequence);
  }

  async #firstCursor(): Promise<number> {
    const { store, from } = this.#options;
    let sequence = readCursor(await store.load());
    if (sequence === undefined && from === "now") {
      const { lastSequence } = await readFeed(this.#options, 0, this.#ending.signal);
      // What has been delivered already is of now, too.
      sequence = Math.min(lastSequence, this.#shelf.lowest() - 1);
      await store.save(sequence);
    }
    this.#shelf.clearUpTo(sequence ?? 0);
    return sequence ?? 0;
  }
}
