/**
 * Sends what is due at one claimed endpoint, then lets go of it (Decision 0034).
 *
 * A few attempts at once, but one at a time of one resource, in the order of the feed; one at a
 * time of an endpoint that fails. It lets go when nothing is due, when the endpoint has to rest, or
 * when it had its share of time and others may want the place; only then, and never while an
 * attempt is under way.
 */

import { SECOND_MS } from "../../kit/clock.ts";
import type { BegunAttempt, Wanted } from "./begin-attempts.ts";
import {
  type Claim,
  type DueDelivery,
  READ_AHEAD,
  type Release,
  type View,
} from "./claim-endpoint.ts";
import type { Health } from "./end-attempts.ts";
import { createPace, type Pace, restAfterFailure, TURN_SECONDS } from "./pace.ts";

const AT_ONCE_MAX = 5;
const AT_ONCE_MAX_IN_TROUBLE = 1;
/** After this it makes room, and waits in line again when more is due. */
const SHARE_MS = 10_000;
/** How often it looks for what is new while attempts are under way; less often when they hang. */
const LOOK_MS = 250;
const LOOK_MS_MAX = 2_000;
const LOOKS_PER_SILENCE = 4;
/** How long a stop asks to let go of a row that is locked, or woken again; then its lease ends. */
const LET_GO_MS_MAX = 1_000;
/** A pace is kept while holding the place; a rest is not. */
const REST_WORTH_LEAVING_MS = 1_000;

export interface DrainTools {
  view(claim: Claim): Promise<View | undefined>;
  begin(wanted: Wanted): Promise<BegunAttempt | undefined>;
  /** Sends it and writes down what came of it. */
  make(begun: BegunAttempt): Promise<Health>;
  release(release: Release): Promise<boolean>;
  /** Whether so much is under way that each endpoint gets one attempt at a time. */
  isCrowded(): boolean;
}

export interface Drain {
  readonly claim: Claim;
  readonly ended: Promise<void>;
  /** There may be something new. */
  poke(): void;
  /** Begins nothing more. */
  stop(): void;
}

export function drainEndpoint(tools: DrainTools, first: View): Drain {
  const drain = new Drainer(tools, first);
  return {
    claim: first.claim,
    ended: drain.run(),
    poke: () => drain.poke(),
    stop: () => drain.stop(),
  };
}

class Drainer {
  readonly #tools: DrainTools;
  readonly #claim: Claim;
  readonly #pace: Pace;
  readonly #leaveAt = performance.now() + SHARE_MS;
  /** Resources by delivery. */
  readonly #underWay = new Map<string, string>();
  #due: DueDelivery[] = [];
  #wakeCount = 0n;
  #failingSeconds: number | undefined;
  #mayBegin = true;
  /** Somebody else has it by now, or nobody is to be sent to any more. */
  #isLost = false;
  /** Once it is to stop and was not let go. */
  #letGoUntil: number | undefined;
  #isStale = false;
  /** Whether the last look ended at its limit. */
  #hasMore = false;
  #lookedAt = 0;
  #heardAt = performance.now();
  #trouble: { error: unknown } | undefined;
  #wake = () => {};

  constructor(tools: DrainTools, first: View) {
    this.#tools = tools;
    this.#claim = first.claim;
    // What is well again does not rest any more, but keeps its pace.
    const restSecondsMax = first.failingSeconds === undefined ? TURN_SECONDS : Infinity;
    this.#pace = createPace(Math.min(first.restSeconds, restSecondsMax));
    this.#take(first);
  }

  poke(): void {
    this.#isStale = true;
    this.#wake();
  }

  stop(): void {
    this.#mayBegin = false;
    this.#wake();
  }

  async run(): Promise<void> {
    for (;;) {
      const waitMs = this.#beginWhatMay();
      if (this.#underWay.size > 0 || waitMs !== undefined) {
        await this.#somethingNew(waitMs ?? this.#lookMs());
        if (this.#isWorthALook()) await this.#look();
      } else if (await this.#leave()) {
        if (this.#trouble !== undefined) throw this.#trouble.error;
        return;
      }
    }
  }

  /** How long until another may begin; undefined: none is left that waits for its time alone. */
  #beginWhatMay(): number | undefined {
    while (this.#hasPlace()) {
      const waitMs = this.#pace.waitMs();
      if (waitMs > REST_WORTH_LEAVING_MS) return undefined;
      const taken = new Set(this.#underWay.values());
      const index = this.#due.findIndex(({ resource }) => !taken.has(resource));
      if (index < 0) return undefined;
      if (waitMs > 0) return waitMs;
      for (const delivery of this.#due.splice(index, 1)) {
        this.#pace.begin();
        this.#underWay.set(delivery.deliveryId, delivery.resource);
        void this.#attempt(delivery);
      }
    }
    return undefined;
  }

  #hasPlace(): boolean {
    const isFailing = this.#failingSeconds !== undefined;
    const isOneAtATime = isFailing || this.#tools.isCrowded();
    const atOnceMax = isOneAtATime ? AT_ONCE_MAX_IN_TROUBLE : AT_ONCE_MAX;
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
    this.#heardAt = performance.now();
    this.#wake();
  }

  #lookMs(): number {
    const silenceMs = performance.now() - this.#heardAt;
    return Math.min(LOOK_MS_MAX, Math.max(LOOK_MS, silenceMs / LOOKS_PER_SILENCE));
  }

  #learn({ failingSeconds }: Health): void {
    this.#failingSeconds = failingSeconds;
    if (failingSeconds !== undefined) this.#pace.rest(restAfterFailure(failingSeconds));
  }

  /** Not when the last attempt has ended: then letting go tells whether there is more. */
  #isWorthALook(): boolean {
    if (!this.#mayBegin) return false;
    if (this.#isStale) return true;
    if (this.#due.length > 0) return false;
    if (this.#hasMore) return true;
    return this.#underWay.size > 0 && performance.now() - this.#lookedAt >= this.#lookMs();
  }

  async #look(): Promise<void> {
    this.#isStale = false;
    try {
      const view = await this.#tools.view(this.#claim);
      if (view === undefined) this.#lose();
      else this.#take(view);
    } catch (error) {
      this.#giveUp(error);
    }
  }

  #take(view: View): void {
    this.#lookedAt = performance.now();
    this.#hasMore = view.due.length === READ_AHEAD;
    this.#due = view.due.filter(({ deliveryId }) => !this.#underWay.has(deliveryId));
    this.#wakeCount = view.wakeCount;
    this.#failingSeconds = view.failingSeconds;
  }

  /** False when it has to be asked again: something came in the meantime, or its row is locked. */
  async #leave(): Promise<boolean> {
    const restSeconds = this.#pace.waitMs() / SECOND_MS;
    const wakeCount = this.#wakeCount;
    try {
      if (await this.#tools.release({ ...this.#claim, wakeCount, restSeconds })) return true;
    } catch (error) {
      this.#giveUp(error);
    }
    if (this.#isOver()) return true;
    await this.#look();
    if (this.#isOver()) return true;
    if (!this.#mayBegin) this.#letGoUntil ??= performance.now() + LET_GO_MS_MAX;
    if (performance.now() >= (this.#letGoUntil ?? Infinity)) return true;
    // Nothing came: its row is locked, which passes.
    if (this.#wakeCount === wakeCount) await this.#somethingNew(LOOK_MS);
    return false;
  }

  #isOver(): boolean {
    return this.#isLost || this.#trouble !== undefined;
  }

  #lose(): void {
    this.#mayBegin = false;
    this.#isLost = true;
  }

  /** The claim runs out by itself, and whoever sweeps finds what is left. */
  #giveUp(error: unknown): void {
    this.#mayBegin = false;
    this.#trouble ??= { error };
  }

  #somethingNew(msMax: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, msMax);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
