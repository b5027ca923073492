/** How much of what matters is there at a moment: on the primary, and in a copy of it. */

const TABLES = { payments: "transactions", "ledger entries": "ledger_transfers", events: "events" };

export type Counts = Readonly<Record<keyof typeof TABLES, number>>;

export interface Mark {
  /** As PostgreSQL writes it, with its time zone. */
  readonly moment: string;
  readonly counts: Counts;
}

const COUNTS = Object.values(TABLES)
  .map((table) => `(select count(*) from ${table})`)
  .join(" || ' ' || ");

/**
 * A moment with exactly what was committed by then: nobody writes these tables meanwhile. All locks
 * are taken at once or not at all, because the service takes them in another order.
 */
export const MARK = `begin;
  do $$ begin
    loop
      begin
        lock table ${Object.values(TABLES).join(", ")} in share mode nowait;
        exit;
      exception when lock_not_available then
        perform pg_sleep(0.002);
      end;
    end loop;
  end $$;
  select clock_timestamp() || '|' || ${COUNTS};
  commit`;

export const COUNT = `select now() || '|' || ${COUNTS}`;

export function readMark(line: string): Mark {
  const [moment = "", counts = ""] = line.split("|");
  const numbers = counts.split(" ").map(Number);
  const pairs = Object.keys(TABLES).map((name, index) => [name, numbers[index] ?? Number.NaN]);
  return { moment, counts: Object.fromEntries(pairs) as unknown as Counts };
}

export function describeCounts(counts: Counts): string {
  return Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(", ");
}

/** In words: what a copy has too much or too little of. */
export function differences(what: string, found: Counts, expected: Counts): string[] {
  return (Object.keys(expected) as (keyof Counts)[])
    .filter((name) => found[name] !== expected[name])
    .map((name) => `${what}: ${found[name]} ${name} instead of ${expected[name]}`);
}
