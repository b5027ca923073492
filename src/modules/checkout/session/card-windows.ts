/**
 * Counts of tried cards, in windows of an hour: of any number of submitted cards in one statement
 * (Decisions 0040 and 0078). Which windows a card is counted in, and what a full one means, stands
 * in `card-testing.ts`.
 *
 * A window may count no more than a share of its hits for one subject (Decision 0068). The share is
 * a window of its own. Shares and all other windows are taken first, then the windows that have
 * shares, with the hits that the shares granted. Two statements must lock windows in the same
 * order: keys of windows with shares sort after all others, so that is the order of the keys.
 */

import type { Database } from "../../../infra/db/database.ts";
import { prepared, sql, sqlOf } from "../../../infra/db/query.ts";
import { unnest } from "../../../infra/db/unnest.ts";
import {
  type Count,
  takenWithin,
  WINDOW,
  windowsOf,
} from "../../../infra/http/admit/rate-limiter.ts";
import { SECOND_MS } from "../../../kit/clock.ts";

const WINDOW_MS = 3600 * SECOND_MS;

export interface CardWindow {
  readonly name: string;
  readonly key: string;
  readonly max: number;
  /** Hits beyond it are not counted here, and refused only once this window is full. */
  readonly share?: { readonly key: string; readonly max: number };
}

/** What became of a card in one window. */
export interface CountedWindow extends Count {
  readonly name: string;
  readonly key: string;
  /** Where it was counted, to be given back: here, in its share, in both or nowhere. */
  readonly keys: readonly string[];
}

const FIRST = { key: "text", max: "int" };
const SHARED = { ...FIRST, shareKey: "text" };

/**
 * Of each card, whether its windows had room for it; the first are granted. Full windows count no
 * further, so an hour after the last one that counted it is open again.
 */
export async function takeCardWindows(
  db: Database,
  cards: readonly (readonly CardWindow[])[],
): Promise<CountedWindow[][]> {
  const all = cards.flat();
  const first = all.map((one) => one.share ?? one);
  const shared = sharedWindowsOf(all).map((one) => ({ ...one, shareKey: one.share.key }));
  const within = takenWithin(WINDOW_MS, sql`${SECOND_MS}::int`);
  const statement = sqlOf(WINDOW)`
    with first_taken as materialized (
      with wanted as (
        select key as window_key, max as hits_max, 1 as hits
        from ${unnest("wanted", first, FIRST, { anyLength: true })}
      ), ${within}
      select * from taken
    ), shared_taken as materialized (
      with wanted as (
        select key as window_key, max as hits_max, first_taken.granted as hits
        from ${unnest("shared", shared, SHARED, { anyLength: true })}
        join first_taken on first_taken.window_key = share_key
      ), ${within}
      select * from taken
    )
    select * from first_taken union all select * from shared_taken`;
  const windows = windowsOf(await db.rows(prepared("take-card-windows", statement)));
  const next = (key: string, weight: 0 | 1 = 1): Count => {
    const count = windows.get(key);
    if (count === undefined) throw new Error("a window came back without its count");
    return count(weight);
  };
  return cards.map((card) => card.map((one) => countedIn(one, next)));
}

function countedIn(
  { name, key, share }: CardWindow,
  next: (key: string, weight?: 0 | 1) => Count,
): CountedWindow {
  if (share === undefined) {
    const count = next(key);
    return { name, key, ...count, keys: count.granted ? [key] : [] };
  }
  if (!next(share.key).granted) {
    const seen = next(key, 0);
    return { name, key, ...seen, granted: seen.remaining > 0, keys: [] };
  }
  const count = next(key);
  return { name, key, ...count, keys: count.granted ? [share.key, key] : [share.key] };
}

type SharedWindow = Required<CardWindow>;

/** Each share once, however many cards of one address there are. */
function sharedWindowsOf(windows: readonly CardWindow[]): SharedWindow[] {
  const shared = windows.filter((one): one is SharedWindow => one.share !== undefined);
  return [...new Map(shared.map((one) => [one.share.key, one])).values()];
}

/**
 * Takes as many hits out of each window as its key is named: the newest, which are as good as our
 * own.
 */
export async function giveBackCardWindows(db: Database, keys: readonly string[]): Promise<void> {
  const statement = sql`
    with returned as materialized (
      select window_key, count(*) as returned_count
      from unnest((select ${keys}::text[])) as returned (window_key)
      group by window_key
    ), held as materialized (
      select window_key, hit_at_ms, hit_count from rate_limit_windows
      where window_key = any(array(select window_key from returned))
      order by window_key for update
    ), left_over as materialized (
      select window_key,
        coalesce(array_agg(at order by place) filter (where left_count > 0), '{}') as hit_at_ms,
        coalesce(array_agg(left_count order by place) filter (where left_count > 0), '{}')
          as hit_count
      from (
        -- From the newest backwards: each entry gives what those after it could not.
        select window_key, place, at,
          greatest(count - greatest(returned_count - newer_count, 0), 0)::int as left_count
        from held join returned using (window_key),
        lateral (
          select at, count, place,
            coalesce(sum(count) over (order by place desc rows between unbounded preceding
              and 1 preceding), 0) as newer_count
          from unnest(hit_at_ms, hit_count) with ordinality as kept (at, count, place)
        ) as kept
      ) as counted
      group by window_key
    )
    update rate_limit_windows as given
    set hit_at_ms = left_over.hit_at_ms, hit_count = left_over.hit_count
    from left_over
    where given.window_key = any(array(select window_key from left_over))
      and given.window_key = left_over.window_key`;
  await db.run(prepared("give-back-card-windows", statement));
}
