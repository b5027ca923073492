/**
 * What PostgreSQL counted: time by statement, and by the function of a trigger. Times are those
 * that passed, with waiting for a lock and for a processor; the wait for the disk is in COMMIT
 * where there is one, and in no statement that commits by itself.
 */

import { tables } from "../../src/infra/db/tables.ts";
import type { Rig } from "./rig.ts";

export interface StatementTime {
  readonly what: string;
  /** Inside of another one: of a trigger or a foreign key. */
  readonly isInner: boolean;
  calls: number;
  planMs: number;
  ms: number;
  rows: number;
  walBytes: number;
}

export function resetStatements({ db }: Rig): Promise<unknown> {
  return db.query("select pg_stat_statements_reset()");
}

/** Those that look alike together, the longest first. */
export async function readStatements({ db }: Rig): Promise<StatementTime[]> {
  const { rows } = await db.query(`
    select not toplevel as "isInner", calls::float8, total_plan_time as "planMs",
      total_exec_time as ms, rows::float8, wal_bytes::float8 as "walBytes", query
    from pg_stat_statements
    where dbid = (select oid from pg_database where datname = current_database())
      and query not like '%pg_stat_statements%'`);
  const times = new Map<string, StatementTime>();
  for (const { query, isInner, ...counts } of rows) {
    const what = inWords(query);
    const name = `${isInner} ${what}`;
    const sum = times.get(name);
    if (sum === undefined) times.set(name, { what, isInner, ...counts });
    else for (const count of COUNTS) sum[count] += counts[count];
  }
  return [...times.values()].toSorted((a, b) => b.ms + b.planMs - a.ms - a.planMs);
}

const COUNTS = ["calls", "planMs", "ms", "rows", "walBytes"] as const;
const FOREIGN_KEY = /FROM ONLY "public"\."(\w+)" x .*FOR KEY SHARE/s;
const ACT = /\b(insert into|update|delete from|from|join)\s+(?:only )?([\w.]+)/gi;
const IS_WRITE = /^(insert|update|delete)$/;
const WORDS_MAX = 100;

/** Which tables it writes, or reads where it writes none; otherwise how it begins. */
function inWords(query: string): string {
  const [, parent] = FOREIGN_KEY.exec(query) ?? [];
  if (parent !== undefined) return `foreign key to ${parent}`;
  const acts = [...query.replaceAll('"', "").matchAll(ACT)].flatMap(([, act = "", table = ""]) => {
    const [verb = ""] = act.toLowerCase().split(" ");
    const isTable = Object.hasOwn(tables, table) || table.startsWith("graphile_worker._");
    return isTable ? [{ verb, table }] : [];
  });
  const writes = acts.filter(({ verb }) => IS_WRITE.test(verb));
  const reading = /\bfor (no key )?update\b/i.test(query) ? "lock" : "read";
  const told =
    writes.length > 0
      ? writes.map(({ verb, table }) => `${verb} ${table}`)
      : acts.map(({ table }, at) => (at === 0 ? `${reading} ${table}` : table));
  const text = [...new Set(told)].join(", ") || query.replace(/\s+/g, " ").trim();
  return text.slice(0, WORDS_MAX);
}

export interface FunctionTime {
  readonly what: string;
  readonly calls: number;
  readonly ms: number;
  /** Without what it called. */
  readonly ownMs: number;
}

/** By the function's number. */
type FunctionLook = ReadonlyMap<number, FunctionTime>;

export async function lookAtFunctions({ db }: Rig): Promise<FunctionLook> {
  const { rows } = await db.query(`
    select funcid::int8::int as id, calls::float8, total_time as ms, self_time as "ownMs",
      funcname || coalesce(' (' || (
        select string_agg(distinct tgrelid::regclass::text, ', ') from pg_trigger
        where tgfoid = funcid and not tgisinternal and tgparentid = 0) || ')', '') as what
    from pg_stat_user_functions`);
  return new Map(rows.map(({ id, ...time }) => [id, time]));
}

export function functionTimes(before: FunctionLook, after: FunctionLook): FunctionTime[] {
  return [...after]
    .map(([id, { what, calls, ms, ownMs }]) => ({
      what,
      calls: calls - (before.get(id)?.calls ?? 0),
      ms: ms - (before.get(id)?.ms ?? 0),
      ownMs: ownMs - (before.get(id)?.ownMs ?? 0),
    }))
    .filter(({ calls }) => calls > 0)
    .toSorted((a, b) => b.ms - a.ms);
}
