/**
 * Follows the feeds and hands every event to its lane (Decision 0108).
 *
 * The service may be away for as long as it likes: the feeds have everything. A page is asked for
 * from the last known event on, whose id must be the one that was read: another one means that a
 * snapshot was restored, and then the listener goes on from where the two agree.
 */

import { growingMs, wait } from "../../wait.ts";
import { WindwardError } from "../../windward-error.ts";
import type { Api } from "../api.ts";
import { type FeedItem, type FeedName, PAGE_SIZE, readFeedBytes } from "./feed.ts";
import type { Lanes } from "./lanes.ts";
import type { ListenState } from "./listen-state.ts";

const POLL_MS = 1_000;
/** Events read and not acknowledged; beyond it reading waits. */
const WAITING_MAX = 2_000;
const TROUBLE_GROWTH = { firstMs: 500, mostMs: 10_000 };

export interface ListenerParts {
  readonly api: Api;
  readonly state: ListenState;
  readonly lanes: Lanes;
  readonly isWanted: (event: string) => boolean;
  readonly signal: AbortSignal;
  readonly note: (line: string) => void;
}

/** Ends only by the signal, by a credential that is no longer good, or by the disk. */
export async function follow(parts: ListenerParts): Promise<void> {
  const { signal, lanes } = parts;
  await persist(parts, () => takeUpWaiting(parts));
  for (;;) {
    lanes.check();
    const isMore = await persist(parts, async () => {
      const hasEvents = await readOn(parts, "events");
      return (await readOn(parts, "resent").catch(noSuchFeed)) || hasEvents;
    });
    if (!isMore) await wait(POLL_MS, signal);
  }
}

/** Does the work, again while the service does not answer. */
export async function persist<T>(
  { signal, note }: Pick<ListenerParts, "signal" | "note">,
  work: () => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      const done = await work();
      if (tries > 1) note("The service answers again.");
      return done;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof WindwardError) || [401, 403].includes(error.status)) throw error;
      if (tries === 1) note(`${error.detail} Trying again; nothing is missed meanwhile.`);
      const pauseMs = (error.retryAfterSeconds ?? 0) * 1000 + growingMs(tries, TROUBLE_GROWTH);
      await wait(pauseMs, signal);
    }
  }
}

/** What an earlier run had read and not delivered. Neighbours come by one request. */
async function takeUpWaiting({ api, state, lanes, signal }: ListenerParts): Promise<void> {
  for (const feed of ["events", "resent"] as const) {
    const { waiting } = state.feeds[feed];
    for (let after = 0; ; ) {
      const next = Math.min(...[...waiting.keys()].filter((each) => each > after));
      if (!Number.isFinite(next)) break;
      const { items } = await readFeedBytes(api, feed, { after: next - 1, signal });
      for (const item of items) if (waiting.get(item.position) === item.key) lanes.add(item);
      after = Math.max(next, items.at(-1)?.position ?? 0);
    }
  }
}

/** Whether there is more to read at once. */
async function readOn(parts: ListenerParts, feed: FeedName): Promise<boolean> {
  const { api, state, signal } = parts;
  if (state.waitingCount() >= WAITING_MAX) return false;
  const { read, recent } = state.feeds[feed];
  const [position = read + 1, key] = recent.at(-1) ?? [];
  const { items, last } = await readFeedBytes(api, feed, { after: position - 1, signal });
  const known = items.find((item) => item.position === position);
  if (last < read || (key !== undefined && known !== undefined && known.key !== key)) {
    await goOnFromFork(parts, { feed, last });
    return true;
  }
  take(
    parts,
    items.filter((item) => item.position > read),
  );
  return items.length === PAGE_SIZE;
}

/** Not saved for itself: after a kill it is read again. */
function take({ state, lanes, isWanted }: ListenerParts, items: readonly FeedItem[]): void {
  for (const item of items) {
    state.take(item, isWanted(item.event));
    if (isWanted(item.event)) lanes.add(item);
  }
}

/** A service of before 1.1 has no list of resends. */
function noSuchFeed(error: unknown): false {
  if (error instanceof WindwardError && [404, 405].includes(error.status)) return false;
  throw error;
}

/** The last one of which both know the same; without one, before all that is known. */
async function goOnFromFork(
  { api, state, lanes, signal, note }: ListenerParts,
  { feed, last }: { feed: FeedName; last: number },
): Promise<void> {
  const { read, recent } = state.feeds[feed];
  const known = new Map(recent);
  const before = (recent[0]?.[0] ?? read + 1) - 1;
  const { items } = await readFeedBytes(api, feed, { after: before, signal });
  const agreed = items.filter(({ position, key }) => known.get(position) === key);
  const from = agreed.at(-1)?.position ?? Math.min(before, last);
  lanes.drop((item) => item.feed === feed && item.position > from);
  await state.moveTo(feed, from);
  const name = feed === "events" ? "The feed" : "The list of resends";
  note(
    `${name} parts from what was read at ${from} (it was ${read}): a snapshot was restored, or ` +
      `the service has another database. Going on from ${from}.`,
  );
}

/** Where a new listener begins: at the end of both feeds, or where it was told to. */
export async function beginAt(
  { api, state, signal }: Pick<ListenerParts, "api" | "state" | "signal">,
  begin: "now" | "start" | Date,
): Promise<void> {
  const end = async (feed: FeedName) =>
    (await readFeedBytes(api, feed, { after: 0, count: 1, signal })).last;
  const resent = (await end("resent").catch(noSuchFeed)) || 0;
  const last = await end("events");
  const from =
    begin === "now" ? last : begin === "start" ? 0 : await positionAt({ api, signal, last }, begin);
  await state.moveTo("resent", resent);
  await state.moveTo("events", from);
}

/** By halving: the last event before that moment. */
async function positionAt(
  { api, signal, last }: { api: Api; signal: AbortSignal; last: number },
  moment: Date,
): Promise<number> {
  let [before, after] = [0, last + 1];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    const { items } = await readFeedBytes(api, "events", { after: middle - 1, count: 1, signal });
    const at = JSON.parse(items[0]?.body ?? "{}").occurred_at;
    if (new Date(at) < moment) before = middle;
    else after = middle;
  }
  return before;
}
