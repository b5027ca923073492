/**
 * Whether a standby has everything that anybody was told so far (Decision 0125).
 *
 * The bound is what the primary has flushed: a commit is answered, shown or delivered only after
 * that, so it holds for every caller and every process, and nobody has to remember it.
 *
 * Positions mean something along one history. A standby that went another way after a failover may
 * be further and lack what was told, so the first read after a failover leaves a mark in a row of
 * the primary that leads since: a server that has the row followed it.
 */

import { setTimeout as sleep } from "node:timers/promises";
import type { PoolClient } from "pg";
import { createBatcher, PATIENCE_MS } from "../../kit/batch.ts";
import { prepared, type Queryable, type Returns, type Statement, sql, sqlOf } from "./query.ts";
import { bigint, bool, nullable, pick, type Row, type Shape, text } from "./row.ts";
import { tables } from "./tables.ts";

const ASKED_AT_ONCE_MAX = 500;
/** Of a question about a server itself, whose answer takes a millisecond. */
const LOOK_MS_MAX = 500;
/** A healthy standby is a few milliseconds behind; beyond this the primary answers sooner. */
const WAIT_MS_MAX = 50;
const PAUSE_MS = { first: 1, max: 8 };

/** Why a standby is not read from. */
export const MISSES = [
  "behind",
  // No free connection of the pool.
  "busy",
  // A statement was in the way of what the standby had to replay, or its plan of a migration.
  "conflict",
  "failed",
  // The primary did not say in time how far it is.
  "primary",
  // The server understood a statement and said no, as the primary will.
  "refused",
  "slow",
  "unreachable",
  // It leads, or does not follow this primary.
  "unrelated",
] as const;
export type Miss = (typeof MISSES)[number];

export class StandbyMissed extends Error {
  readonly miss: Miss;
  constructor(miss: Miss, options?: ErrorOptions) {
    super(`A read did not come from the standby: ${miss}.`, options);
    this.miss = miss;
  }
}

export interface Position {
  /** Of the primary that it is about. */
  readonly mark: string;
  /** In bytes since the beginning of the WAL. */
  readonly flushed: bigint;
}

/** The first eight digits of the name of a WAL file. */
const TIMELINE = sql`left(pg_walfile_name(pg_current_wal_flush_lsn()), 8)`;

const POSITION = prepared(
  "position",
  sqlOf({
    ...pick(tables.timeline_mark, "mark"),
    is_marked: bool,
    flushed: bigint,
    is_page_end: bool,
  })`
    select mark, timeline = ${TIMELINE} as is_marked,
      pg_wal_lsn_diff(flushed, '0/0')::bigint as flushed,
      pg_wal_lsn_diff(flushed, '0/0') % current_setting('wal_block_size')::int = 0 as is_page_end
    from timeline_mark cross join pg_current_wal_flush_lsn() as flushed where only_row`,
);

/**
 * What is written without a commit is flushed by whole pages, in the middle of a record: a standby
 * has nothing to replay up to there until the rest follows, some tenths of a second later. This
 * commit flushes it, and ends where it says. It waits for no standby, because it means nothing.
 */
const PUSH = prepared(
  "push",
  sqlOf({ flushed: bigint, how: text })`
    select set_config('synchronous_commit', 'local', true) as how,
      pg_wal_lsn_diff(pg_logical_emit_message(true, 'windward', 'position'), '0/0')::bigint
        as flushed`,
);

/** One question for all reads of a moment; each gets an answer that was given after it came. */
export function createPositionReader(primary: Queryable): () => Promise<Position> {
  let marking: Promise<unknown> | undefined;
  const ask = createBatcher<undefined, Position>({
    sizeMax: ASKED_AT_ONCE_MAX,
    patienceMs: PATIENCE_MS,
    async run(asked) {
      const { is_marked: isMarked, is_page_end, mark, flushed } = await primary.one(POSITION);
      // Not waited for: after a failover, a commit may wait until there is a standby again.
      if (!isMarked) marking ??= leaveMark(primary).finally(() => (marking = undefined));
      if (!isMarked) return asked.map(() => new StandbyMissed("unrelated"));
      const whole = is_page_end ? (await primary.one(PUSH)).flushed : flushed;
      return asked.map(() => ({ mark, flushed: whole }));
    },
  });
  return () => ask(undefined);
}

async function leaveMark(primary: Queryable): Promise<void> {
  const leave = sql`update timeline_mark set timeline = ${TIMELINE}, mark = gen_random_uuid()
    where timeline <> ${TIMELINE}`;
  // If it fails, a later read does it.
  await primary.run(leave).catch(() => {});
}

/** For what only the primary knows. A caller who has to wait for it reads there just as well. */
export async function answerOfPrimary<T>(asking: Promise<T>): Promise<T> {
  const waiting = new AbortController();
  const missed = sleep(LOOK_MS_MAX, undefined, { signal: waiting.signal, ref: false }).then(() => {
    throw new StandbyMissed("primary");
  });
  try {
    return await Promise.race([asking, missed]);
  } catch (cause) {
    throw cause instanceof StandbyMissed ? cause : new StandbyMissed("primary", { cause });
  } finally {
    waiting.abort();
  }
}

/** The same on a primary and on each of its standbys, and on no other database. */
const IDENTITY = prepared(
  "identity",
  sqlOf({ identity: text, is_in_recovery: bool })`
    select system_identifier || ' ' || (
      select oid from pg_database where datname = current_database()
    ) as identity, pg_is_in_recovery() as is_in_recovery
    from pg_control_system()`,
);

/** For each new connection: an address may come to lead to a primary, or to another cluster. */
export async function demandStandbyOf(primary: Queryable, client: PoolClient): Promise<void> {
  const asking = answerOfPrimary(primary.one(IDENTITY));
  const [own, theirs] = await Promise.all([asking, look(client, IDENTITY)]);
  if (!theirs.is_in_recovery || theirs.identity !== own.identity)
    throw new StandbyMissed("unrelated");
}

/** The last known of each connection, which leads to one server for as long as it is open. */
const known = new WeakMap<PoolClient, Position>();

const REPLAYED = prepared(
  "replayed",
  sqlOf({
    ...pick(tables.timeline_mark, "mark"),
    is_in_recovery: bool,
    replayed: nullable(bigint),
  })`
    select mark, pg_is_in_recovery() as is_in_recovery,
      pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::bigint as replayed
    from timeline_mark where only_row`,
);

/**
 * Waits until the server of this connection has replayed as far as that. It must end before the
 * statement that reads begins: within one, the snapshot is older than what the server then says of
 * itself.
 */
export async function reach(client: PoolClient, { mark, flushed }: Position): Promise<void> {
  const before = known.get(client);
  if (before?.mark === mark && before.flushed >= flushed) return;
  const giveUpAt = performance.now() + WAIT_MS_MAX;
  for (let pauseMs = PAUSE_MS.first; ; pauseMs = Math.min(2 * pauseMs, PAUSE_MS.max)) {
    const there = await look(client, REPLAYED);
    // Promoted since it was connected to.
    if (!there.is_in_recovery || there.replayed === null) throw new StandbyMissed("unrelated");
    const isFollower = there.mark === mark;
    if (isFollower) known.set(client, { mark, flushed: there.replayed });
    if (isFollower && there.replayed >= flushed) return;
    if (performance.now() + pauseMs > giveUpAt)
      throw new StandbyMissed(isFollower ? "behind" : "unrelated");
    await sleep(pauseMs);
  }
}

async function look<S extends Shape>(
  client: PoolClient,
  { name, text, values }: Statement & { readonly name: string } & Returns<S>,
): Promise<Row<S>> {
  const limited = { name, text, values, query_timeout: LOOK_MS_MAX };
  const { rows } = await client.query<Row<S>>(limited);
  const [row] = rows;
  if (row === undefined) throw new Error("a server says something of itself");
  return row;
}
