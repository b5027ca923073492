/**
 * The request log page by page, newest first, for people (Decision 0092). A page is reached by the
 * line it begins behind and has no total, so it reads little more than it shows, whatever the log
 * holds.
 *
 * Where filters leave few lines it looks at more and more of them, at `SEARCHED_MAX` at most; then
 * the next page goes on from there. Refusals have an index of their own.
 */

import { type Queryable, type Sql, sql, sqlOf } from "../../infra/db/query.ts";
import { bool, columns, type Row } from "../../infra/db/row.ts";
import { FieldRefused } from "../../kit/errors.ts";
import { fitting, type LogReader, type RequestFilter, withinKept } from "./list-requests.ts";
import { LISTED, type ListedRequest, listedRequest } from "./logged-request.ts";

/** Lines that are looked at, until a page is full. */
const STEPS = [100, 400] as const;
export const SEARCHED_MAX = STEPS.reduce((sum, step) => sum + step, 0);
const REFUSED_STATUS_MIN = 400;

const CURSOR = /^(?<at>\d{1,15})\.(?<id>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;
const TIME_MS_MAX = Date.UTC(9999, 11, 31);

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
  let border: Key | undefined = page.cursor === undefined ? undefined : readCursor(page.cursor);
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
  return { rows, older: end && writeCursor(end) };
}

const LOOKED_AT = { ...LISTED, fits: bool, is_border: bool };

const IN_ORDER = sql`at desc, request_id desc`;

/**
 * Those that fit among the next so many lines of the reader's environments, as many as are taken,
 * and the last that was looked at, if there may be more behind it.
 */
function lookedAt(
  { accountNumber, environment, withUnnamed = false }: LogReader,
  { which, fits, count, take }: { which: Sql; fits: Sql; count: number; take: number },
) {
  const named = environment === undefined ? ["live", "sandbox"] : [environment];
  const environments = environment === undefined || withUnnamed ? [...named, "any"] : named;
  return sqlOf(LOOKED_AT)`
    select ${columns(LISTED)}, fits, is_border from (
      select line.*, coalesce(true ${fits}, false) as fits,
        row_number() over (order by ${IN_ORDER}) = ${count} as is_border
      from (
        select line.* from unnest(${environments}::text[]) as wanted (environment)
        cross join lateral (
          select ${columns(LISTED)} from logged_requests as line
          where account_number = ${accountNumber} and line.environment = wanted.environment
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

function writeCursor({ at, request_id: id }: Key): string {
  return `${at.getTime()}.${id}`;
}

function readCursor(written: string): Key {
  const parts = CURSOR.exec(written)?.groups;
  const at = Number(parts?.at);
  if (parts?.id === undefined || at > TIME_MS_MAX)
    throw new FieldRefused("The page must come from a link of this list.", { field: "before" });
  return { at: new Date(at), request_id: parts.id };
}
