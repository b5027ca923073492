/**
 * Events in order for each record, and records beside each other: an event that is not
 * acknowledged holds back the later ones of its record, and nothing else. A receiver that is away
 * holds back all, and is tried until it is there again (Decision 0108).
 */

import { growingMs, wait } from "../../wait.ts";
import type { FeedItem } from "./feed.ts";
import type { Reply } from "./receiver.ts";

const AT_ONCE_MAX = 8;
/** Of one event that is refused, and of a receiver that is away. */
const REFUSED_GROWTH = { firstMs: 1_000, mostMs: 60_000 };
const AWAY_GROWTH = { firstMs: 250, mostMs: 4_000 };

export interface LaneWork {
  deliver(item: FeedItem): Promise<Reply>;
  /** Writes down that it was acknowledged; the next of its record goes out after that. */
  acknowledge(item: FeedItem): Promise<void>;
  /** Undefined: it was acknowledged, and is not tried again. */
  onReply(item: FeedItem, reply: Reply, againMs: number | undefined): void;
  readonly signal: AbortSignal;
}

export class Lanes {
  readonly #work: LaneWork;
  readonly #byRecord = new Map<string, FeedItem[]>();
  readonly #running = new Set<Promise<void>>();
  readonly #queue: (() => void)[] = [];
  #freeSlots = AT_ONCE_MAX;
  #awayCount = 0;
  #pause: Promise<void> = Promise.resolve();
  #pausedUntil = 0;
  #failure: unknown;

  constructor(work: LaneWork) {
    this.#work = work;
  }

  add(item: FeedItem): void {
    const lane = this.#byRecord.get(item.record);
    if (lane !== undefined) return void lane.push(item);
    const fresh = [item];
    this.#byRecord.set(item.record, fresh);
    const running = this.#run(item.record, fresh).catch((error) => {
      if (!this.#work.signal.aborted) this.#failure ??= error;
    });
    this.#running.add(running);
    running.finally(() => this.#running.delete(running));
  }

  /** They are not tried again; one that is in transit may still arrive. */
  drop(isDropped: (item: FeedItem) => boolean): void {
    for (const lane of this.#byRecord.values())
      lane.splice(0, lane.length, ...lane.filter((item) => !isDropped(item)));
  }

  /** Throws what ended a lane, such as a disk that is full. */
  check(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  async end(): Promise<void> {
    await Promise.all(this.#running);
  }

  async #run(record: string, lane: FeedItem[]): Promise<void> {
    let tries = 1;
    for (let item = lane[0]; item !== undefined; item = lane[0]) {
      const reply = await this.#tryOnce(item);
      if (reply.isAcknowledged) {
        await this.#work.acknowledge(item);
        this.#work.onReply(item, reply, undefined);
        if (lane[0] === item) lane.shift();
      } else {
        this.#work.signal.throwIfAborted();
        if (!reply.isAway && lane[0] === item) await this.#waitAfter(item, { reply, tries });
      }
      tries = lane[0] === item ? tries + 1 : 1;
    }
    this.#byRecord.delete(record);
  }

  async #waitAfter(
    item: FeedItem,
    { reply, tries }: { reply: Reply; tries: number },
  ): Promise<void> {
    const againMs = growingMs(tries, REFUSED_GROWTH);
    this.#work.onReply(item, reply, againMs);
    await wait(againMs, this.#work.signal);
  }

  async #tryOnce(item: FeedItem): Promise<Reply> {
    await this.#takeSlot();
    try {
      await this.#pause;
      this.#work.signal.throwIfAborted();
      const reply = await this.#work.deliver(item);
      if (!reply.isAway) this.#awayCount = 0;
      else if (!this.#work.signal.aborted) this.#pauseAll(item, reply);
      return reply;
    } finally {
      this.#giveSlot();
    }
  }

  /** Deliveries that failed together are one absence. */
  #pauseAll(item: FeedItem, reply: Reply): void {
    if (performance.now() < this.#pausedUntil) return;
    this.#awayCount += 1;
    const againMs = growingMs(this.#awayCount, AWAY_GROWTH);
    this.#pausedUntil = performance.now() + againMs;
    this.#pause = wait(againMs, this.#work.signal);
    // A lane that waits for it takes the abort; without one nobody would.
    this.#pause.catch(() => {});
    this.#work.onReply(item, reply, againMs);
  }

  async #takeSlot(): Promise<void> {
    if (this.#freeSlots > 0) {
      this.#freeSlots -= 1;
      return;
    }
    await new Promise<void>((resolve) => this.#queue.push(resolve));
  }

  #giveSlot(): void {
    const next = this.#queue.shift();
    if (next === undefined) this.#freeSlots += 1;
    else next();
  }
}
