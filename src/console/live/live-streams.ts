/**
 * Pages that follow their account while they are open: each has a stream of server-sent events,
 * which says `changed` when the account's feed has moved. One statement reads the feeds of all
 * streams of the process.
 *
 * A stream ends by itself after a minute, and the browser opens another; so processes that start
 * get their share, and nothing is kept of a browser that has gone away. It ends with its session,
 * when that acts for another account, and at once when the process stops. The number of a feed is
 * sent as the event's id: the browser sends it back when it connects again, so nothing is missed in
 * between.
 */

import { Readable } from "node:stream";
import type { Infra } from "../../infra/context.ts";
import { SECOND_MS } from "../../kit/clock.ts";
import { type Feed, feedPositions } from "../../modules/events/feed-positions.ts";
import { aliveSessions } from "../../modules/people/console-session.ts";

export const STREAMS_MAX = 200;
/** Only pages in view have one, so this is many. */
const STREAMS_PER_SESSION_MAX = 10;
const LOOK_EVERY_MS = 2 * SECOND_MS;
const LIFE_MS = 60 * SECOND_MS;
/** Less than any proxy's patience with a silent connection. */
const SILENCE_MS_MAX = 8 * SECOND_MS;

interface Stream {
  readonly feed: Feed;
  readonly sessionId: string;
  readonly body: Readable;
  readonly openedAt: number;
  seen: bigint;
  wroteAt: number;
  isEnded: boolean;
}

export interface LiveStreams {
  /** The stream to answer with; undefined when there are too many. */
  open(wanted: { feed: Feed; sessionId: string; seen: bigint }): Readable | undefined;
  /** Ends all, and opens no more. */
  stop(): Promise<void>;
}

export function createLiveStreams({ db, log }: Pick<Infra, "db" | "log">): LiveStreams {
  const streams = new Set<Stream>();
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;
  let isStopped = false;
  let isFailing = false;

  /** In trouble the pages stay as they are: what changed meanwhile is told afterwards. */
  async function look(): Promise<void> {
    try {
      await tellChanges(db, [...streams]);
      isFailing = false;
    } catch (err) {
      if (!isFailing) log.warn({ err }, "open pages are not told of changes: no feed can be read");
      isFailing = true;
    }
    for (const stream of streams) keepOpenOrEnd(stream);
    timer = undefined;
    if (streams.size > 0) lookLater();
  }

  function lookLater(): void {
    if (isStopped) return;
    timer ??= setTimeout(() => {
      looking = look();
    }, LOOK_EVERY_MS).unref();
  }

  return {
    open({ feed, sessionId, seen }) {
      const ofSession = [...streams].filter((each) => each.sessionId === sessionId).length;
      if (isStopped || streams.size >= STREAMS_MAX || ofSession >= STREAMS_PER_SESSION_MAX)
        return undefined;
      const now = performance.now();
      const body = new Readable({ read() {} });
      const times = { openedAt: now, wroteAt: now };
      const stream: Stream = { feed, sessionId, body, seen, ...times, isEnded: false };
      streams.add(stream);
      body.on("close", () => streams.delete(stream));
      write(stream, `id: ${seen}\ndata:\n\n`);
      lookLater();
      return body;
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      for (const stream of streams) end(stream);
      await looking;
    },
  };
}

async function tellChanges(db: Infra["db"], streams: readonly Stream[]): Promise<void> {
  const feeds = new Map(streams.map(({ feed }) => [nameOf(feed), feed]));
  const positions = await feedPositions(db, [...feeds.values()]);
  const byName = new Map([...feeds.keys()].map((name, nth) => [name, positions[nth] ?? 0n]));
  const alive = await aliveSessions(db, [...new Set(streams.map(({ sessionId }) => sessionId))]);
  for (const stream of streams) {
    const position = byName.get(nameOf(stream.feed)) ?? stream.seen;
    if (alive.get(stream.sessionId) !== stream.feed.accountNumber) end(stream);
    else if (
      position !== stream.seen &&
      write(stream, `event: changed\nid: ${position}\ndata:\n\n`)
    )
      stream.seen = position;
  }
}

function nameOf({ accountNumber, environment }: Feed): string {
  return `${accountNumber} ${environment}`;
}

function keepOpenOrEnd(stream: Stream): void {
  const now = performance.now();
  if (now - stream.openedAt > LIFE_MS) end(stream);
  else if (now - stream.wroteAt > SILENCE_MS_MAX) write(stream, ":\n\n");
}

/** Whether it was written: a client that reads nothing gets nothing more. */
function write(stream: Stream, text: string): boolean {
  if (stream.isEnded || stream.body.readableLength > 0) return false;
  stream.wroteAt = performance.now();
  stream.body.push(text);
  return true;
}

function end(stream: Stream): void {
  if (!stream.isEnded) stream.body.push(null);
  stream.isEnded = true;
}
