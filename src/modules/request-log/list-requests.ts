/**
 * A page of the request log, newest first (Decision 0087).
 *
 * One answer looks at the newest 5,000 lines of each environment, so it takes the same time
 * whatever the log holds and however few lines fit. `searchedSince` says where it stopped, and the
 * last page leads on from there. An order is found by its own index.
 */

import { realNow } from "../../infra/db/clock.ts";
import { type Queryable, type Sql, sql, sqlOf } from "../../infra/db/query.ts";
import { columns, int, nullable, outer, type Row, timestamp } from "../../infra/db/row.ts";
import { DAY_SECONDS, SECOND_MS } from "../../kit/clock.ts";
import type { PageAsked } from "../../kit/page.ts";
import { ENVIRONMENTS, type Environment } from "../../kit/vocabulary.ts";
import { LISTED, type ListedRequest, listedRequest } from "./logged-request.ts";

export const LIST_LINES_MAX = 5_000;

/** Whose log, and which part of it the credential reaches; undefined: all of it. */
export interface LogReader {
  readonly accountNumber: string;
  readonly environment: Environment | undefined;
  /** As the settings say. */
  readonly keptDays: number;
  /** Also requests that name neither environment, which a key never makes. */
  readonly withUnnamed?: boolean;
}

export interface RequestFilter {
  readonly method?: string | undefined;
  /** How the path begins. */
  readonly path?: string | undefined;
  readonly status?: number | undefined;
  readonly code?: string | undefined;
  readonly order_id?: string | undefined;
  /** The `kid` of an API key. */
  readonly credential?: string | undefined;
  readonly since?: Date | undefined;
  /** That moment included, like `since`. */
  readonly until?: Date | undefined;
}

export interface RequestPage {
  readonly rows: readonly ListedRequest[];
  /** Among the lines that were searched. */
  readonly total: number;
  /** There are older lines than this, which were not searched; undefined: none. */
  readonly searchedSince: Date | undefined;
}

const PAGE = {
  total: int,
  searched_since: nullable(timestamp),
  ...outer(LISTED),
};

export async function listRequests(
  db: Queryable,
  reader: LogReader,
  filter: RequestFilter,
  { page, page_size: pageSize }: PageAsked,
): Promise<RequestPage> {
  const kept = await withinKept(db, reader.keptDays, filter);
  const rows = await db.rows(sqlOf(PAGE)`
    with searched as materialized (
      select line.* from unnest(${environmentsOf(reader)}::text[]) as wanted (environment)
      cross join lateral (
        select ${columns(LISTED)} from logged_requests as line
        where account_number = ${reader.accountNumber} and line.environment = wanted.environment
          ${kept}
        -- With ties, because the next search goes on before the millisecond of the last line.
        order by at desc fetch first ${LIST_LINES_MAX} rows with ties
      ) as line
    ), cut as (
      select max(oldest) as since from (
        select min(at) as oldest from searched group by environment
        having count(*) >= ${LIST_LINES_MAX}
      ) as whole
    ), found as (
      select searched.* from searched cross join cut
      where (since is null or at >= since) ${fitting(filter)}
    )
    select (select count(*)::int from found) as total, since as searched_since, line.*
    from cut left join lateral (
      select ${columns(LISTED)} from found order by at desc, request_id desc
      offset ${(page - 1) * pageSize} limit ${pageSize}
    ) as line on true
    order by at desc, request_id desc`);
  const [first] = rows;
  return {
    rows: rows.filter(isLine).map(({ total: _, searched_since: __, ...row }) => listedRequest(row)),
    total: first?.total ?? 0,
    searchedSince: first?.searched_since ?? undefined,
  };
}

/** As the lines have them. */
export function environmentsOf({ environment, withUnnamed = false }: LogReader): string[] {
  const named = environment === undefined ? ENVIRONMENTS : [environment];
  return environment === undefined || withUnnamed ? [...named, "any"] : [...named];
}

function isLine(row: Row<typeof PAGE>): row is Row<typeof PAGE> & Row<typeof LISTED> {
  return row.request_id !== null;
}

/**
 * By order and time, as far back as lines are kept. Moments are told to PostgreSQL: between those
 * that it computes itself it expects few lines, and would read and sort all of them.
 */
export async function withinKept(
  db: Queryable,
  keptDays: number,
  { order_id: orderId, since, until }: RequestFilter,
): Promise<Sql> {
  const asOf = await realNow(db);
  const oldest = new Date(asOf.getTime() - keptDays * DAY_SECONDS * SECOND_MS);
  const from = since !== undefined && since > oldest ? since : oldest;
  return sql`and at >= ${from} ${when(until, sql`and at <= ${until}`)}
    ${when(orderId, sql`and order_id = ${orderId}`)}`;
}

export function fitting({ method, path, status, code, credential }: RequestFilter): Sql {
  return sql`
    ${when(method, sql`and method = ${method}`)}
    ${when(path, sql`and starts_with(path, ${path})`)}
    ${when(status, sql`and status = ${status}`)} ${when(code, sql`and code = ${code}`)}
    ${when(credential, sql`and credential = ${credential}`)}`;
}

function when(value: unknown, condition: Sql): Sql {
  return value === undefined ? sql`` : condition;
}
