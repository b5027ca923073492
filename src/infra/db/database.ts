/**
 * PostgreSQL: a bounded pool, single statements, and transactions that either happened, did not
 * happen, or say that it is unknown.
 *
 * Everything that can wait has a limit, and the limits are nested: a lock gives up before a
 * statement, a statement before the handler, the handler before the client.
 */

import pg from "pg";
import { Gauge } from "prom-client";
import type { Log } from "../log.ts";
import { asUnavailable } from "./database-errors.ts";
import { type Queryable, queryable, type RowCheck, sqlOf } from "./query.ts";
import { text } from "./row.ts";
import { createStandbyReads, type Read, STANDBY_SETTINGS } from "./standby.ts";
import { createTransactions, type Transactions } from "./transaction.ts";

const CONNECT_MS_MAX = 2_000;
const CLIENT_QUERY_MS_MAX = 6_000;
/** Written as PostgreSQL writes them back: `demandSettings` compares. */
const CONNECTION_SETTINGS = [
  "statement_timeout=5s",
  "lock_timeout=2s",
  "idle_in_transaction_session_timeout=10s",
  "tcp_user_timeout=10s",
  "timezone=UTC",
  // Money waits for the disk. A cluster that was set to be careless is overruled here.
  "synchronous_commit=on",
  // What a request asks is found by keys. A plan that is kept from when its table was small would
  // read all of it, and go on doing so while it grows (Decision 0061).
  "enable_seqscan=off",
  // Before PostgreSQL 18, a table that can only be read whole is priced so high that the statement
  // is compiled.
  "jit=off",
];

const POOL_SETTINGS: pg.PoolConfig = {
  verify: refuseRecovery,
  connectionTimeoutMillis: CONNECT_MS_MAX,
  query_timeout: CLIENT_QUERY_MS_MAX,
  keepAlive: true,
  application_name: "windward",
};

/** The pools of this process that requests and jobs take connections from. */
const opened = new Set<pg.Pool>();

new Gauge({
  name: "windward_database_connections",
  help: "Connections of the pool by state; waiting: requests that wait for one.",
  labelNames: ["state"],
  collect() {
    const all = [...opened];
    const sum = (of: (pool: pg.Pool) => number) => all.reduce((total, pool) => total + of(pool), 0);
    this.set(
      { state: "idle" },
      sum(({ idleCount }) => idleCount),
    );
    this.set(
      { state: "busy" },
      sum(({ totalCount, idleCount }) => totalCount - idleCount),
    );
    this.set(
      { state: "waiting" },
      sum(({ waitingCount }) => waitingCount),
    );
  },
});

export interface Database extends Queryable, Transactions {
  readonly pool: pg.Pool;
  /** Reads from the standby, if there is one that has all that was committed before the call. */
  readonly readFromStandby: Read;
  /**
   * For the job runner, which speaks to a pool itself: with numbers as `pg` reads them, because it
   * writes ids down as JSON, which has no BigInt. It ends with the database, because the runner
   * sends statements after it has stopped.
   */
  openPlainPool(connectionsMax: number): pg.Pool;
  /** Requests waiting for a connection: a sign of overload. */
  waiting(): number;
  /** From the moment of the call nothing more is sent. */
  close(): Promise<void>;
}

export function openDatabase(options: {
  url: string;
  /** Undefined: there is none. */
  standbyUrl?: string | undefined;
  connectionsMax: number;
  log: Log;
  check?: RowCheck;
}): Database {
  let closing: Promise<unknown> | undefined;
  const pools: pg.Pool[] = [];
  const openPool = (connection: pg.PoolConfig, settings: pg.PoolConfig) => {
    const pool = new pg.Pool({ ...connection, ...POOL_SETTINGS, ...settings });
    // A connection that dies while idle is no request's error; without a listener it would end the
    // process. While closing, `end` returns before the last ones are closed.
    pool.on("error", (err) => {
      if (closing === undefined) options.log.warn({ err }, "an idle connection was lost");
    });
    // The same for one that is in use: its own statement gets the error.
    pool.on("connect", (client) => {
      client.on("error", () => {});
      // Begun before the pool ended: by now another database may have the name.
      if (closing !== undefined) void client.end();
    });
    pools.push(pool);
    return pool;
  };
  const { check, standbyUrl, connectionsMax: max, log } = options;
  const connection = connectionOf(options.url, CONNECTION_SETTINGS);
  const rowSettings = { max, types: ROW_TYPES };
  const pool = openPool(connection, rowSettings);
  opened.add(pool);
  const single = queryable((statement) => pool.query(statement).catch(rethrowReadable), check);
  const openStandby = (address: string) => {
    const standby = connectionOf(address, [...CONNECTION_SETTINGS, ...STANDBY_SETTINGS]);
    const open = (settings: pg.PoolConfig) => openPool(standby, { ...rowSettings, ...settings });
    return createStandbyReads({ openPool: open, primary: single, check, log });
  };
  return {
    pool,
    readFromStandby: standbyUrl === undefined ? (work) => work(single) : openStandby(standbyUrl),
    openPlainPool: (max) => openPool(connection, { max }),
    ...single,
    ...createTransactions({ pool, check }, single, log),
    waiting: () => pool.waitingCount,
    async close() {
      opened.delete(pool);
      closing ??= Promise.all(pools.map((one) => one.end()));
      await closing;
    },
  };
}

/**
 * A server that is being promoted may still have to replay what was acknowledged: what is read
 * there is too old, and a payment would be answered 404. Once out of recovery it stays out of it.
 */
function refuseRecovery(client: pg.PoolClient, done: (error?: Error) => void): void {
  client
    .query("select pg_is_in_recovery() as is_in_recovery")
    .then(
      ({ rows: [row] }) => done(row?.is_in_recovery === true ? new IsInRecovery() : undefined),
      done,
    );
}

class IsInRecovery extends Error {
  /** As a write there would fail. */
  readonly code = "25006";
  constructor() {
    super("The server is in recovery: a standby, or a primary that is still being promoted.");
  }
}

/** Ours come after those of the address, which would otherwise replace them all. */
function connectionOf(address: string, settings: readonly string[]) {
  const url = new URL(address);
  const theirs = url.searchParams.get("options") ?? "";
  url.searchParams.delete("options");
  const ours = settings.map((setting) => `-c ${setting}`).join(" ");
  return { connectionString: url.href, options: `${theirs} ${ours}`.trim() };
}

export class SettingsAreDropped extends Error {
  constructor(names: readonly string[]) {
    super(
      `PostgreSQL at DATABASE_URL does not get the settings of our connections ` +
        `(${names.join(", ")}): is there a pooler in between? Point DATABASE_URL at PostgreSQL.`,
    );
  }
}

/** A pooler may take our settings and drop them; then nothing would wait for disk or standby. */
export async function demandSettings(db: Queryable): Promise<void> {
  const wanted = CONNECTION_SETTINGS.map((setting) => setting.split("="));
  const dropped = await db.rows(sqlOf({ name: text })`
    select name from unnest(${wanted.map(([name]) => name)}::text[],
      ${wanted.map(([, value]) => value)}::text[]) as wanted (name, value)
    -- Over a Unix socket there is no such time.
    where current_setting(name) <> value and name <> 'tcp_user_timeout'`);
  if (dropped.length > 0) throw new SettingsAreDropped(dropped.map(({ name }) => name));
}

/** int8 is money and counts: BigInt, never a float. Everything else as `pg` reads it. */
const typeParser = ((oid: number, format?: "text" | "binary") =>
  oid === pg.types.builtins.INT8 && format !== "binary"
    ? (text: string) => BigInt(text)
    : pg.types.getTypeParser(oid, format as "text")) as typeof pg.types.getTypeParser;

export const ROW_TYPES = { getTypeParser: typeParser };

function rethrowReadable(error: unknown): never {
  throw asUnavailable(error) ?? error;
}
