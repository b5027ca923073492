/**
 * What must be true after the drill, whatever was killed: everything that was acknowledged is there
 * once and in its state, the books balance by the operator's own command, and events have no gap.
 */

import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Database, openDatabase } from "../../src/infra/db/database.ts";
import { type Sql, sql } from "../../src/infra/db/query.ts";
import { createLog } from "../../src/infra/log.ts";
import { KEPT_SETTINGS } from "../../testkit/kept-settings.ts";
import { patiently } from "../../testkit/until.ts";
import { type Acknowledged, type Diary, type Operation, seconds } from "./diary.ts";

const START = fileURLToPath(new URL("../../src/start.mjs", import.meta.url));
const SETTLED_SECONDS_MAX = 60;
const POLL_MS = 100;

/**
 * What the database has of each operation: by the caller's name, the id and whether its state is
 * one that its answer allows.
 */
const FOUND: Readonly<Record<Operation, (names: string[]) => Sql>> = {
  "payment request": (names) => sql`
    select order_id as name, '' as id, true as is_right from transactions
    where order_id = any(${names}) and environment = 'sandbox'`,
  checkout: (names) => sql`
    select order_id as name, transaction_id as id, status = 'success' and exists (
      select from ledger_postings where reference = transaction_id) as is_right
    from transactions where order_id = any(${names}) and environment = 'sandbox'`,
  refund: (names) => sql`
    select reason as name, refund_id::text as id, amount_minor = 1000 as is_right
    from refunds where reason = any(${names})`,
  withdrawal: (names) => sql`
    select data as name, transaction_id as id, status in ('pending', 'processing', 'completed')
      as is_right from withdrawals where data = any(${names})`,
};

export interface Proof {
  readonly complaints: readonly string[];
  readonly lines: readonly string[];
}

export async function prove(databaseUrl: string, diary: Diary): Promise<Proof> {
  const log = createLog({ level: "silent" });
  const db = openDatabase({ url: databaseUrl, connectionsMax: 6, log });
  try {
    const settledMs = await settle(db);
    // What follows reads only, and a busy machine must not look like something lost.
    const kept = await Promise.all(
      (Object.keys(FOUND) as Operation[]).map((operation) =>
        patiently(() => lookFor(db, diary, operation)),
      ),
    );
    const events = await patiently(() => lookAtEvents(db));
    const books = await reconcile(databaseUrl);
    return {
      complaints: [...kept, events, books].flatMap(({ complaints }) => complaints),
      lines: [
        `all work came to its end ${seconds(settledMs)} s after the last request`,
        ...[...kept, events, books].flatMap(({ lines }) => lines),
      ],
    };
  } finally {
    await db.close();
  }
}

/** Nothing waits any more: events, cards, refunds, withdrawals. */
async function settle(db: Database): Promise<number> {
  const beganAt = performance.now();
  const look = sql`
    select (select count(*) from events_to_number) as events,
      (select count(*) from checkout_attempts
        where state in ('submitted', 'unknown', 'void_due')) as cards,
      (select count(*) from refunds where state not in ('refunded', 'rejected')) as refunds,
      (select count(*) from withdrawals
        where status in ('pending', 'processing')) as withdrawals`;
  const expectNothing = async () => {
    const waiting = Object.entries(await patiently(() => db.one<Record<string, bigint>>(look)));
    if (waiting.every(([, count]) => count === 0n)) return;
    const what = waiting.map(([name, count]) => `${count} ${name}`).join(", ");
    throw new StillWaiting(`still waiting after ${SETTLED_SECONDS_MAX} s: ${what}`);
  };
  const isWaiting = (error: unknown) => error instanceof StillWaiting;
  await patiently(expectNothing, isWaiting, SETTLED_SECONDS_MAX, { pauseMs: POLL_MS });
  return performance.now() - beganAt;
}

class StillWaiting extends Error {}

async function lookFor(db: Database, diary: Diary, operation: Operation): Promise<Proof> {
  const acknowledged = diary.acknowledged.filter((one) => one.operation === operation);
  const asked = [...(diary.asked.get(operation)?.keys() ?? [])];
  const rows = await db.rows<Found>(FOUND[operation](asked));
  const found = Map.groupBy(rows, ({ name }) => name);
  const complaints = acknowledged.flatMap((one) => complain(one, found.get(one.name) ?? []));
  for (const [name, { length }] of found)
    if (length > 1) complaints.push(`${operation} ${name} is there ${length} times`);
  const told = new Set(acknowledged.map(({ name }) => name));
  const done = [...found].filter(([name, [row]]) => !told.has(name) && row?.is_right === true);
  return {
    complaints,
    lines: [
      `${operation}: ${acknowledged.length} acknowledged, ${complaints.length} lost or wrong; ` +
        `${asked.length - told.size} asked for without an answer, ${done.length} of them done`,
    ],
  };
}

interface Found {
  readonly name: string;
  readonly id: string;
  readonly is_right: boolean;
}

function complain({ operation, name, id }: Acknowledged, found: readonly Found[]): string[] {
  const [row] = found;
  if (row === undefined) return [`${operation} ${name} was acknowledged and is lost`];
  if (row.id !== id) return [`${operation} ${name} was acknowledged as ${id} and is ${row.id}`];
  return row.is_right ? [] : [`${operation} ${name} is not in the state that was acknowledged`];
}

async function lookAtEvents(db: Database): Promise<Proof> {
  const feeds = await db.rows<{ feed: string; events: bigint; is_whole: boolean }>(sql`
    select account_number || ' ' || environment as feed, count(*) as events,
      min(sequence) = 1 and max(sequence) = count(sequence) and max(sequence) = last_sequence
        and count(distinct sequence) = count(sequence)
        -- One that a job has written just now waits for its number.
        and bool_and(sequence is not null or event_id in (select event_id from events_to_number))
        as is_whole
    from events join event_feeds using (account_number, environment)
    group by account_number, environment, last_sequence`);
  const silent = await db.rows<{ id: string }>(sql`
    select transaction_id as id from transactions where environment = 'sandbox' and not exists (
      select from events where resource = transaction_id and event = 'payment.created')`);
  const total = feeds.reduce((sum, { events }) => sum + events, 0n);
  return {
    complaints: [
      ...feeds.filter((feed) => !feed.is_whole).map(({ feed }) => `events of ${feed} have a gap`),
      ...silent.map(({ id }) => `payment ${id} has no event`),
    ],
    lines: [`events: ${total} in ${feeds.length} feeds, numbered without a gap`],
  };
}

/** By the operator's own command. */
async function reconcile(databaseUrl: string): Promise<Proof> {
  const env = { ...KEPT_SETTINGS, DATABASE_URL: databaseUrl };
  const args = [START, "operator", "reconcile"];
  return promisify(execFile)(process.execPath, args, { env }).then(
    ({ stdout }) => ({ complaints: [], lines: [`books: ${stdout.trim()}`] }),
    (error) => ({ complaints: [`reconcile: ${error.stdout}${error.stderr}`], lines: [] }),
  );
}
