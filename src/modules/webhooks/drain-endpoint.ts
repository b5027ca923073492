/**
 * Sends what is due at one claimed endpoint, then releases the claim (Decision 0034).
 *
 * A few attempts run at once, but one at a time for one record, in the order of the feed, and one
 * at a time for a failing endpoint. The claim is released when nothing is due, when the endpoint
 * has to rest, or after its share of time; never while an attempt is in progress.
 */

import { SECOND_MS } from "../../kit/clock.ts";
import { inTrace } from "../../kit/trace.ts";
import type { BegunAttempt, Wanted } from "./begin-attempts.ts";
import {
  type Claim,
  type DueDelivery,
  READ_AHEAD,
  type Release,
  type Seen,
  type View,
} from "./claim-endpoint.ts";
import type { Health } from "./end-attempts.ts";
import { createPace, type Pace, restAfterFailure, TURN_SECONDS } from "./pace.ts";

const AT_ONCE_MAX = 5;
const AT_ONCE_MAX_FAILING = 1;
/** After this the endpoint gives up its slot, and stands behind the others if more is due. */
const SHARE_MS = 10_000;
/** New deliveries are told (Decision 0137); without that they are read while attempts run. */
const READ_MS = 250;
const READ_MS_MAX = 2_000;
const READS_PER_SILENCE = 4;
/** How long a stop retries to release a row that is locked or woken; then the lease runs out. */
const RELEASE_MS_MAX = 1_000;
/** A longer rest is not worth holding the slot. */
const REST_HELD_MS_MAX = 1_000;

export interface DrainTools {
  view(claim: Claim): Promise<View | undefined>;
  begin(wanted: Wanted): Promise<BegunAttempt | undefined>;
  /** Sends it and writes down the result. */
  make(begun: BegunAttempt): Promise<Health>;
  release(release: Release): Promise<boolean>;
  /** Whether so many attempts run that each endpoint gets one at a time. */
  isBusy(): boolean;
}

export class Drain {
  readonly ended: Promise<void>;
  readonly #claim: Claim;
  readonly #tools: DrainTools;
  readonly #pace: Pace;
  readonly #leaveAt = performance.now() + SHARE_MS;
  /** Resources by delivery. */
  readonly #underWay = new Map<string, string>();
  #due: DueDelivery[] = [];
  #wakeCount = 0n;
  #failingSeconds: number | undefined;
  #mayBegin = true;
  /** The claim has ended, or the endpoint is no longer active. */
  #isLost = false;
  /** Set once it should stop and could not release. */
  #releaseUntil: number | undefined;
  #isStale = false;
  /** Whether the last read ended at its limit. */
  #hasMore = false;
  #readAt = 0;
  #lastEndedAt = performance.now();
  #failure: { error: unknown } | undefined;
  #wake = () => {};

  constructor(tools: DrainTools, first: View) {
    this.#tools = tools;
    this.#claim = first.claim;
    // A recovered endpoint does not rest any more, but keeps its pace.
    const restSecondsMax = first.failingSeconds === undefined ? TURN_SECONDS : Infinity;
    this.#pace = createPace(Math.min(first.restSeconds, restSecondsMax));
    this.#take(first);
    this.ended = this.#run();
  }

  seen(): Seen {
    return { ...this.#claim, wakeCount: this.#wakeCount };
  }

  /** There are new deliveries. */
  poke(): void {
    this.#isStale = true;
    this.#wake();
  }

  /** Begins no more attempts. */
  stop(): void {
    this.#mayBegin = false;
    this.#wake();
  }

  async #run(): Promise<void> {
    for (;;) {
      const waitMs = this.#beginAttempts();
      if (this.#underWay.size > 0 || waitMs !== undefined) {
        await this.#change(waitMs ?? Math.max(READ_MS, this.#msToRead()));
        if (this.#shouldRead()) await this.#read();
      } else if (await this.#release()) {
        if (this.#failure !== undefined) throw this.#failure.error;
        return;
      }
    }
  }

  /** Milliseconds until the pace admits the next; undefined: none waits for the pace alone. */
  #beginAttempts(): number | undefined {
    while (this.#mayBeginOne()) {
      const waitMs = this.#pace.waitMs();
      if (waitMs > REST_HELD_MS_MAX) return undefined;
      const busy = new Set(this.#underWay.values());
      const index = this.#due.findIndex(({ resource }) => !busy.has(resource));
      if (index < 0) return undefined;
      if (waitMs > 0) return waitMs;
      for (const delivery of this.#due.splice(index, 1)) {
        this.#pace.begin();
        this.#underWay.set(delivery.deliveryId, delivery.resource);
        void inTrace("deliver webhook", {}, () => this.#attempt(delivery));
      }
    }
    return undefined;
  }

  #mayBeginOne(): boolean {
    const isFailing = this.#failingSeconds !== undefined;
    const isOneAtATime = isFailing || this.#tools.isBusy();
    const atOnceMax = isOneAtATime ? AT_ONCE_MAX_FAILING : AT_ONCE_MAX;
    return this.#mayBegin && performance.now() < this.#leaveAt && this.#underWay.size < atOnceMax;
  }

  async #attempt({ deliveryId }: DueDelivery): Promise<void> {
    try {
      const begun = await this.#tools.begin({ claim: this.#claim, deliveryId });
      if (begun === undefined) this.#isStale = true;
      else this.#learn(await this.#tools.make(begun));
    } catch (error) {
      this.#giveUp(error);
    }
    this.#underWay.delete(deliveryId);
    this.#lastEndedAt = performance.now();
    this.#wake();
  }

  /** By the silence there was at the last read; later it would never be long enough. */
  #msToRead(): number {
    const silenceMs = this.#readAt - this.#lastEndedAt;
    const readMs = Math.min(READ_MS_MAX, Math.max(READ_MS, silenceMs / READS_PER_SILENCE));
    return this.#readAt + readMs - performance.now();
  }

  #learn({ failingSeconds }: Health): void {
    this.#failingSeconds = failingSeconds;
    if (failingSeconds !== undefined) this.#pace.rest(restAfterFailure(failingSeconds));
  }

  /** Not after the last attempt has ended: the release shows whether there is more. */
  #shouldRead(): boolean {
    if (!this.#mayBegin) return false;
    if (this.#isStale) return true;
    if (this.#due.length > 0) return false;
    if (this.#hasMore) return true;
    return this.#underWay.size > 0 && this.#msToRead() <= 0;
  }

  async #read(): Promise<void> {
    this.#isStale = false;
    try {
      const view = await this.#tools.view(this.#claim);
      this.#isLost = view === undefined;
      if (view === undefined) this.#mayBegin = false;
      else this.#take(view);
    } catch (error) {
      this.#giveUp(error);
    }
  }

  #take(view: View): void {
    this.#readAt = performance.now();
    this.#hasMore = view.due.length === READ_AHEAD;
    this.#due = view.due.filter(({ deliveryId }) => !this.#underWay.has(deliveryId));
    this.#wakeCount = view.wakeCount;
    this.#failingSeconds = view.failingSeconds;
  }

  /** False when it must be repeated: the endpoint was woken meanwhile, or its row is locked. */
  async #release(): Promise<boolean> {
    if (this.#failure !== undefined) return true;
    const restSeconds = this.#pace.waitMs() / SECOND_MS;
    const { wakeCount, ...claim } = this.seen();
    try {
      if (await this.#tools.release({ ...claim, wakeCount, restSeconds })) return true;
    } catch (error) {
      this.#giveUp(error);
    }
    if (this.#isOver()) return true;
    await this.#read();
    if (this.#isOver()) return true;
    if (!this.#mayBegin) this.#releaseUntil ??= performance.now() + RELEASE_MS_MAX;
    if (performance.now() >= (this.#releaseUntil ?? Infinity)) return true;
    // Not woken, so the row is locked for a moment.
    if (this.#wakeCount === wakeCount) await this.#change(READ_MS);
    return false;
  }

  #isOver(): boolean {
    return this.#isLost || this.#failure !== undefined;
  }

  /** The claim is left to run out by itself: what fails here would fail again at once. */
  #giveUp(error: unknown): void {
    this.#mayBegin = false;
    this.#failure ??= { error };
  }

  /** Waits for a poke, a stop or the end of an attempt. */
  #change(msMax: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, msMax);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
