/**
 * Postings per second, durable, of callers that each bring one posting and wait for its commit;
 * `createPoster` gathers them here, as the service gathers the payments whose postings they are.
 * Beside it pgledger's create_transfer under the same load, when
 * PGLEDGER_SQL says where its SQL is (a file, or a folder of files that are run in the order of
 * their names).
 *
 * The contenders take turns within each round, so that a slow minute of the machine slows all.
 */

import { randomInt } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { type Database, openDatabase } from "../../src/infra/db/database.ts";
import { createLog } from "../../src/infra/log.ts";
import { money } from "../../src/kit/money.ts";
import { reconcile } from "../../src/modules/ledger/reconcile.ts";
import { fund, makeMerchants } from "../../testkit/books.ts";
import { createPoster } from "../../testkit/poster.ts";
import { say } from "../../testkit/tool/say.ts";
import { createDatabase } from "../support/own-database.ts";
import { takeTurns } from "../support/quietly.ts";
import { eachOf, type Goal, medians, round } from "../support/report.ts";
import type { Outcome, Pace, Scene } from "../support/scene.ts";
import type { Stage } from "../support/stage.ts";

const ACCOUNTS = 1_000;
/** Requests that wait at once in a busy process; the same for both. */
const CALLERS = 256;
const CONNECTIONS = 16;

type Place = "1,000 accounts" | "one hot account";
type Transfer = (from: number, to: number) => Promise<unknown>;

interface PostingFigures {
  readonly place: Place;
  readonly perSecond: number;
  /** Not a number when pgledger was not given. */
  readonly pgledgerPerSecond: number;
  readonly times: number;
  /** Of each round. */
  readonly rounds: number[];
}

export const postings: Scene = { name: "postings", play };

async function play(stage: Stage, pace: Pace): Promise<Outcome> {
  const url = stage.settings.DATABASE_URL ?? "";
  const log = createLog({ level: "warn" });
  const db = openDatabase({ url, connectionsMax: CONNECTIONS, log });
  const peer = await openPgledger(url);
  try {
    const ours = await openOurs(db);
    const figures: PostingFigures[] = [];
    for (const place of ["1,000 accounts", "one hot account"] as const)
      figures.push(await measure(place, pace, ours, peer?.transfer));
    const { differenceCount } = await reconcile(db);
    if (differenceCount > 0) throw new Error("the books differ after the load");
    return {
      figures,
      goals: figures.flatMap(goalOf),
      missing: peer === undefined ? "pgledger" : undefined,
    };
  } finally {
    await peer?.close();
    await db.close();
  }
}

function goalOf({ place, times, rounds }: PostingFigures): Goal[] {
  if (Number.isNaN(times)) return [];
  const goal = { atLeast: place === "one hot account" ? 15 : 5 };
  const what = `postings, ${place}`;
  return [{ number: "P2", what, measured: times, rounds, unit: "× pgledger", goal }];
}

async function measure(
  place: Place,
  pace: Pace,
  ours: Transfer,
  theirs: Transfer | undefined,
): Promise<PostingFigures> {
  for (const transfer of [ours, theirs])
    if (transfer !== undefined) await load(place, transfer, pace.warmUpSeconds / 2);
  const takeTurn = async (turn: number) => {
    const perSecond = await load(place, ours, pace.seconds);
    const pgledgerPerSecond =
      theirs === undefined ? Number.NaN : await load(place, theirs, pace.seconds);
    const both = `${round(perSecond)}/s, pgledger ${round(pgledgerPerSecond)}/s`;
    say(`round ${turn} of ${pace.rounds}: ${place} ${both}`);
    return { perSecond, pgledgerPerSecond, times: perSecond / pgledgerPerSecond };
  };
  const turns = await takeTurns(pace, takeTurn);
  return { place, ...medians(turns), rounds: eachOf(turns, "times") };
}

/** Transfers between two accounts by chance; or between the hot one and another, either way. */
async function load(place: Place, transfer: Transfer, seconds: number): Promise<number> {
  const beganAt = performance.now();
  const endsAt = beganAt + seconds * 1000;
  let done = 0;
  const caller = async () => {
    while (performance.now() < endsAt) {
      const one = place === "one hot account" ? 0 : randomInt(ACCOUNTS);
      const other = (one + 1 + randomInt(ACCOUNTS - 1)) % ACCOUNTS;
      await (randomInt(2) === 0 ? transfer(one, other) : transfer(other, one));
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  return (done / (performance.now() - beganAt)) * 1000;
}

async function openOurs(db: Database): Promise<Transfer> {
  const merchants = await makeMerchants(db, ACCOUNTS);
  for (const merchant of merchants) await fund(db, merchant, "1000000.00 TTD");
  const ask = createPoster(db);
  const run = randomInt(2 ** 40);
  let made = 0;
  const accountOf = (index: number) =>
    ({ kind: "available", accountNumber: merchants[index] ?? "" }) as const;
  return (from, to) =>
    ask({
      postingId: `bench-${run}-${++made}`,
      environment: "live",
      occasion: "bench",
      reference: "bench",
      transfers: [{ debit: accountOf(from), credit: accountOf(to), amount: money("TTD", 1n) }],
    });
}

interface Peer {
  readonly transfer: Transfer;
  close(): Promise<void>;
}

/** In a database of its own on the same server, under the same settings of durability. */
async function openPgledger(url: string): Promise<Peer | undefined> {
  const place = process.env.PGLEDGER_SQL;
  if (place === undefined) {
    say("pgledger is not measured: PGLEDGER_SQL does not say where its SQL is");
    return undefined;
  }
  const own = await createDatabase(url, "pgledger");
  const settings = { connectionString: own.href, options: "-c synchronous_commit=on" };
  const pool = new pg.Pool({ ...settings, max: CONNECTIONS });
  for (const file of filesAt(place)) await pool.query(readFileSync(file, "utf8"));
  const made = await pool.query(
    `select id from generate_series(1, ${ACCOUNTS}) as n,
      lateral pgledger_create_account('account ' || n, 'TTD')`,
  );
  const ids: string[] = made.rows.map(({ id }) => id);
  const statement = {
    name: "transfer",
    text: "select id from pgledger_create_transfer($1, $2, 0.01)",
  };
  return {
    transfer: (from, to) => pool.query({ ...statement, values: [ids[from], ids[to]] }),
    close: () => pool.end(),
  };
}

function filesAt(place: string): string[] {
  if (!statSync(place).isDirectory()) return [place];
  const names = readdirSync(place).filter((name) => name.endsWith(".sql"));
  return names.sort().map((name) => path.join(place, name));
}
