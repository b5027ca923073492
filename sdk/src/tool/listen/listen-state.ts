/**
 * How far a listener has come, on disk. `read` is the last position taken from a feed; `waiting`
 * are those up to it that the receiver has not acknowledged. So nothing is missed after a kill at
 * any moment, and what was written down as acknowledged is not sent again (Decision 0108).
 */

import { createHash } from "node:crypto";
import path from "node:path";
import { readPrivateJson, stateFolder, writePrivate } from "../private-file.ts";
import type { FeedItem, FeedName } from "./feed.ts";

/** A position of a feed, and what stood there. */
type Known = readonly [position: number, key: string];

interface FeedState {
  readonly read: number;
  readonly waiting: ReadonlyMap<number, string>;
  /** The last ones that were read, oldest first: where a feed that was set back parts from them. */
  readonly recent: readonly Known[];
}

type Written = Record<
  FeedName,
  {
    readonly read: number;
    readonly waiting: readonly Known[];
    readonly recent: readonly Known[];
  }
>;

const RECENT_MAX = 100;
const MEND = "Delete it: listen then begins with new events, or with the first by --from-start.";

export function stateFile(parts: readonly string[]): string {
  const name = createHash("sha256").update(parts.join("\n")).digest("hex").slice(0, 16);
  return path.join(stateFolder(), `listen-${name}.json`);
}

export class ListenState {
  readonly isNew: boolean;
  readonly #feeds: Record<FeedName, FeedState & { waiting: Map<number, string> }>;
  readonly #file: string;
  #saving: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  private constructor(file: string, written: Written | undefined) {
    this.#file = file;
    this.isNew = written === undefined;
    const feedOf = (name: FeedName) => {
      const { read = 0, waiting = [], recent = [] } = written?.[name] ?? {};
      return { read, waiting: new Map(waiting), recent };
    };
    this.#feeds = { events: feedOf("events"), resent: feedOf("resent") };
  }

  /** The folder exists. */
  static async open(file: string): Promise<ListenState> {
    return new ListenState(file, await readPrivateJson(file, MEND));
  }

  get feeds(): Readonly<Record<FeedName, FeedState>> {
    return this.#feeds;
  }

  waitingCount(): number {
    return this.#feeds.events.waiting.size + this.#feeds.resent.waiting.size;
  }

  /** One more of a feed was read; unwanted ones are not waited for. */
  take({ feed, position, key }: FeedItem, isWanted: boolean): void {
    const { waiting, recent } = this.#feeds[feed];
    if (isWanted) waiting.set(position, key);
    const known: Known = [position, key];
    this.#feeds[feed] = {
      read: position,
      waiting,
      recent: [...recent, known].slice(-RECENT_MAX),
    };
  }

  /** By position and key: in a feed that was set back, another event has that position. */
  acknowledge({ feed, position, key }: FeedItem): Promise<void> {
    const { waiting } = this.#feeds[feed];
    if (waiting.get(position) === key) waiting.delete(position);
    return this.save();
  }

  /** Goes on from an earlier or later position; what waited behind it is given up. */
  moveTo(feed: FeedName, position: number): Promise<void> {
    const { waiting, recent } = this.#feeds[feed];
    const upTo = ([each]: Known) => each <= position;
    const known = recent.filter(upTo);
    this.#feeds[feed] = {
      read: position,
      waiting: new Map([...waiting].filter(upTo)),
      // They end at `read`, or nothing is known of what stands there.
      recent: known.at(-1)?.[0] === position ? known : [],
    };
    return this.save();
  }

  /** What several callers want saved at once is one write; each waits until its own is on disk. */
  save(): Promise<void> {
    if (this.#next !== undefined) return this.#next;
    const before = this.#saving ?? Promise.resolve();
    const next = before.then(() => {
      this.#saving = next;
      this.#next = undefined;
      return writePrivate(this.#file, this.#text());
    });
    this.#next = next;
    return next;
  }

  #text(): string {
    const feedOf = ({ read, waiting, recent }: FeedState) => ({
      read,
      waiting: [...waiting].sort(([a], [b]) => a - b),
      recent,
    });
    const { events, resent } = this.#feeds;
    const written: Written = { events: feedOf(events), resent: feedOf(resent) };
    return JSON.stringify(written);
  }
}
