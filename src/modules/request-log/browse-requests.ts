/**
 * The request log page by page, newest first, for people (Decision 0092). A page is reached by the
 * line it begins behind and has no total, so it reads little more than it shows, whatever the log
 * holds.
 *
 * Where filters leave few lines it looks at more and more of them, at `BROWSED_LINES_MAX` at most;
 * then the next page goes on from there. Refusals have an index of their own.
 */

import { type Queryable, type Sql, sql, sqlOf } from "../../infra/db/query.ts";
import { bool, columns, type Row } from "../../infra/db/row.ts";
import { readCursor, writeCursor } from "../../kit/cursor.ts";
import { UUID } from "../../kit/ids.ts";
import {
  environmentsOf,
  fitting,
  type LogReader,
  type RequestFilter,
  withinKept,
} from "./list-requests.ts";
import { LISTED, type ListedRequest, listedRequest } from "./logged-request.ts";

/** Lines that are looked at, until a page is full. */
const STEPS = [100, 400] as const;
export const BROWSED_LINES_MAX = STEPS.reduce((sum, step) => sum + step, 0);
const REFUSED_STATUS_MIN = 400;

export interface BrowsedRequests {
  readonly rows: readonly ListedRequest[];
  /** The cursor of the page behind this one; undefined at the end of the log. */
  readonly older: string | undefined;
}

type Key = Pick<Row<typeof LISTED>, "at" | "request_id">;

export async function browseRequests(
  db: Queryable,
  reader: LogReader,
  filter: RequestFilter,
  page: { readonly cursor: string | undefined; readonly pageSize: number },
): Promise<BrowsedRequests> {
  const { pageSize } = page;
  const found: ListedRequest[] = [];
  let border: Key | undefined = page.cursor === undefined ? undefined : readBefore(page.cursor);
  const kept = await withinKept(db, reader.keptDays, filter);
  for (const count of STEPS) {
    const which = sql`${kept} ${amongRefusals(filter)} ${behind(border)}`;
    const asked = { which, fits: fitting(filter), count, take: pageSize + 1 - found.length };
    const lines = await db.rows(lookedAt(reader, asked));
    for (const { fits, is_border: _, ...line } of lines) if (fits) found.push(listedRequest(line));
    border = lines.find(({ is_border }) => is_border);
    if (found.length > pageSize || border === undefined) break;
  }
  const rows = found.slice(0, pageSize);
  const end = found.length > pageSize ? rows.at(-1) : border;
  return { rows, older: end && writeBefore(end) };
}

const LOOKED_AT = { ...LISTED, fits: bool, is_border: bool };

const IN_ORDER = sql`at desc, request_id desc`;

/**
 * Those that fit among the next so many lines of the reader's environments, as many as are taken,
 * and the last that was looked at, if there may be more behind it.
 */
function lookedAt(
  reader: LogReader,
  { which, fits, count, take }: { which: Sql; fits: Sql; count: number; take: number },
) {
  return sqlOf(LOOKED_AT)`
    select ${columns(LISTED)}, fits, is_border from (
      select line.*, coalesce(true ${fits}, false) as fits,
        row_number() over (order by ${IN_ORDER}) = ${count} as is_border
      from (
        select line.* from unnest(${environmentsOf(reader)}::text[]) as wanted (environment)
        cross join lateral (
          select ${columns(LISTED)} from logged_requests as line
          where account_number = ${reader.accountNumber} and line.environment = wanted.environment
            ${which}
          order by ${IN_ORDER} limit ${count}
        ) as line
        order by ${IN_ORDER} limit ${count}
      ) as line
    ) as line
    where fits or is_border
    order by ${IN_ORDER} limit ${take}`;
}

function behind(after: Key | undefined): Sql {
  if (after === undefined) return sql``;
  const { at, request_id: id } = after;
  // PostgreSQL leaves out days by the first alone.
  return sql`and at <= ${at} and (at, request_id) < (${at}, ${id}::uuid)`;
}

/** In the words of the index of refusals. */
function amongRefusals({ code, status = 0 }: RequestFilter): Sql {
  if (code === undefined && status < REFUSED_STATUS_MIN) return sql``;
  return sql`and (code is not null or status >= 400)`;
}

function writeBefore({ at, request_id: id }: Key): string {
  return writeCursor({ towards: "older", at, id });
}

function readBefore(written: string): Key {
  const { at, id } = readCursor(written, { form: UUID, field: "before" });
  return { at, request_id: id };
}
