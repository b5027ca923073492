/**
 * The endpoints that this process is sending to (Decisions 0034 and 0137).
 *
 * An endpoint that keeps us waiting holds a slot here, of which there are many; the lease in its
 * row marks it as claimed. A process that dies leaves nothing but leases, which run out.
 */

import type { Infra } from "../../infra/context.ts";
import { claimDue, claimEndpoints, type Room, type View } from "./claim-endpoint.ts";
import { Drain, type DrainTools } from "./drain-endpoint.ts";

/** Most of them wait for a response most of the time. Failing endpoints have slots of their own. */
const SLOTS = 1_000;
/** So that another process gets some of them, too. */
const CLAIMED_AT_ONCE_MAX = 100;

export class Drains {
  readonly #db: Infra["db"];
  readonly #log: Infra["log"];
  readonly #tools: DrainTools;
  readonly #stopping: AbortSignal;
  /** Each with the lane whose slot it holds: how it was when it was claimed. */
  readonly #running = new Map<Drain, keyof Room>();

  constructor({ db, log }: Pick<Infra, "db" | "log">, tools: DrainTools, stopping: AbortSignal) {
    this.#db = db;
    this.#log = log;
    this.#tools = tools;
    this.#stopping = stopping;
  }

  running(): Drain[] {
    return [...this.#running.keys()];
  }

  /** Begins to send to endpoints that are due. Tells whether there may be more of them. */
  async claim(): Promise<boolean> {
    const room = { healthy: this.#room("healthy"), failing: this.#room("failing") };
    const except = this.running().map(({ claim }) => claim.endpointId);
    const views = await claimDue(this.#db, room, except);
    for (const view of views) this.#watch(this.#start(view));
    return Object.values(room).some((count) => count > 0 && count <= views.length);
  }

  /** Resolves at the end; at once if there is nothing to send or it is claimed. */
  async deliver(endpointId: string): Promise<void> {
    const [view] = await claimEndpoints(this.#db, [endpointId]);
    if (view !== undefined) await this.#start(view).ended;
  }

  /** Begins no more attempts; resolves when everything has ended. */
  async stop(): Promise<void> {
    for (const drain of this.running()) drain.stop();
    await Promise.allSettled(this.running().map((drain) => drain.ended));
  }

  #room(lane: keyof Room): number {
    const taken = [...this.#running.values()].filter((one) => one === lane).length;
    return Math.min(CLAIMED_AT_ONCE_MAX, SLOTS - taken);
  }

  #start(view: View): Drain {
    const drain = new Drain(this.#tools, view);
    this.#running.set(drain, view.failingSeconds === undefined ? "healthy" : "failing");
    const forget = () => this.#running.delete(drain);
    drain.ended.then(forget, forget);
    if (this.#stopping.aborted) drain.stop();
    return drain;
  }

  /** The claim runs out by itself, and a later look finds what is left. */
  #watch({ ended, claim: { endpointId } }: Drain): void {
    ended.catch((err: unknown) =>
      this.#log.warn({ err, endpointId }, "an endpoint could not be sent to"),
    );
  }
}
