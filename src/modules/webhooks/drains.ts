/**
 * The endpoints that this process is sending to (Decisions 0034 and 0137).
 *
 * An endpoint that keeps us waiting holds a slot here, of which there are many; the lease in its
 * row marks it as claimed. A process that dies leaves nothing but leases, which run out.
 */

import type { Infra } from "../../infra/context.ts";
import {
  claimDue,
  claimEndpoints,
  findWoken,
  type Room,
  type Seen,
  type View,
} from "./claim-endpoint.ts";
import { Drain, type DrainTools } from "./drain-endpoint.ts";

/** Most of them wait for a response most of the time. Failing endpoints have slots of their own. */
const SLOTS = 1_000;
/** Their rows are locked together, and fan-out waits for them. */
const CLAIMED_AT_ONCE_MAX = 100;

const KINDS = ["healthy", "failing"] as const;
type Kind = keyof Room;

export class Drains {
  readonly #db: Infra["db"];
  readonly #log: Infra["log"];
  readonly #tools: DrainTools;
  readonly #stopping: AbortSignal;
  /** Each with the kind whose slot it holds: how it was when it was claimed. */
  readonly #running = new Map<Drain, Kind>();

  constructor({ db, log }: Pick<Infra, "db" | "log">, tools: DrainTools, stopping: AbortSignal) {
    this.#db = db;
    this.#log = log;
    this.#tools = tools;
    this.#stopping = stopping;
  }

  claims(): Seen[] {
    return [...this.#running.keys()].map((drain) => drain.seen());
  }

  /**
   * Begins to send to endpoints that are due, and tells those that it sends to already of what is
   * new. Tells whether there may be more.
   */
  async claim(): Promise<boolean> {
    const room = { healthy: this.#room("healthy"), failing: this.#room("failing") };
    const held = this.claims();
    const [views] = await Promise.all([
      claimDue(
        this.#db,
        room,
        held.map(({ endpointId }) => endpointId),
      ),
      held.length > 0 && this.#pokeWoken(held),
    ]);
    for (const view of views) this.#watch(this.#start(view));
    const found = Map.groupBy(views, kindOf);
    return KINDS.some((kind) => room[kind] > 0 && found.get(kind)?.length === room[kind]);
  }

  async #pokeWoken(held: readonly Seen[]): Promise<void> {
    const woken = new Set(await findWoken(this.#db, held));
    for (const drain of this.#running.keys()) if (woken.has(drain.seen().endpointId)) drain.poke();
  }

  /** Resolves at the end; at once if there is nothing to send or it is claimed. */
  async deliver(endpointId: string): Promise<void> {
    const [view] = await claimEndpoints(this.#db, [endpointId]);
    if (view !== undefined) await this.#start(view).ended;
  }

  /** Begins no more attempts; resolves when everything has ended. */
  async stop(): Promise<void> {
    const drains = [...this.#running.keys()];
    for (const drain of drains) drain.stop();
    await Promise.allSettled(drains.map((drain) => drain.ended));
  }

  #room(kind: Kind): number {
    const taken = [...this.#running.values()].filter((one) => one === kind).length;
    return Math.max(0, Math.min(CLAIMED_AT_ONCE_MAX, SLOTS - taken));
  }

  #start(view: View): Drain {
    const drain = new Drain(this.#tools, view);
    this.#running.set(drain, kindOf(view));
    const forget = () => this.#running.delete(drain);
    drain.ended.then(forget, forget);
    if (this.#stopping.aborted) drain.stop();
    return drain;
  }

  /** The claim runs out by itself, and a later look finds what is left. */
  #watch(drain: Drain): void {
    const { endpointId } = drain.seen();
    drain.ended.catch((err: unknown) =>
      this.#log.warn({ err, endpointId }, "an endpoint could not be sent to"),
    );
  }
}

function kindOf({ failingSeconds }: View): Kind {
  return failingSeconds === undefined ? "healthy" : "failing";
}
