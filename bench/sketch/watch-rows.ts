/**
 * Sees which rows are written while something is done: a trigger on every table notes each row as
 * it is inserted, changed and removed. For a database of its own, because triggers cost.
 *
 * Tables that do not outlive a crash are left out: they count for limits, which are a rule.
 */

import type pg from "pg";
import { until } from "../../testkit/until.ts";

/** The service writes some of it a second later: lines of the request log, what is counted. */
const STILL_MS = 2_500;
const LOOK_MS = 100;
const WAIT_SECONDS_MAX = 30;

/** As PostgreSQL writes it as JSON, by column. */
export type Values = Readonly<Record<string, unknown>>;

export interface SeenRow {
  readonly table: string;
  readonly what: "INSERT" | "UPDATE" | "DELETE";
  readonly before: Values | null;
  readonly after: Values | null;
}

const WATCH = `
  create unlogged table bench_seen (
    number bigint generated always as identity, "table" text, what text, before jsonb, after jsonb
  );
  create function bench_see() returns trigger language plpgsql as $$
  begin
    insert into bench_seen ("table", what, before, after)
    values (tg_table_name, tg_op, to_jsonb(old), to_jsonb(new));
    return null;
  end $$;
  do $$
  declare one regclass;
  begin
    for one in select oid from pg_class where relnamespace = 'public'::regnamespace
        and relkind in ('r', 'p') and not relispartition and relpersistence = 'p' loop
      execute format('create trigger zz_bench_sees after insert or update or delete on %s '
        'for each row execute function bench_see()', one);
    end loop;
  end $$`;

export async function watchRows(db: pg.Client) {
  await db.query(WATCH);
  await untilStill(db);
  return {
    /** What was written by it and by what followed from it, until nothing more was. */
    async during(act: () => Promise<unknown>): Promise<SeenRow[]> {
      await db.query("truncate bench_seen");
      await act();
      await untilStill(db);
      const { rows } = await db.query(
        `select "table", what, before, after from bench_seen order by number`,
      );
      return rows;
    },
    async stop(): Promise<void> {
      await db.query("drop function bench_see() cascade; drop table bench_seen");
    },
  };
}

async function untilStill(db: pg.Client): Promise<void> {
  let count = -1;
  let stillSince = 0;
  const isStill = async () => {
    const { rows } = await db.query("select count(*)::int as count from bench_seen");
    if (rows[0].count !== count) stillSince = performance.now();
    count = rows[0].count;
    return performance.now() - stillSince >= STILL_MS;
  };
  await until(isStill, "the rows of a payment come to an end", WAIT_SECONDS_MAX, {
    pauseMs: LOOK_MS,
  });
}
