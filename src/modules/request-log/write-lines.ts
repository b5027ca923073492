/**
 * Writes lines of the request log, many with one statement (Decision 0087).
 *
 * Each column is sent as one text with separators and taken apart by PostgreSQL: for an array the
 * driver would escape every quote of every body, which costs more than all the rest. The commit
 * does not wait for the disk, as all others do: a line may be lost with the server.
 */

import { now } from "../../infra/db/clock.ts";
import { prepared, type Queryable, type Sql, sql } from "../../infra/db/query.ts";
import { textsOfLine } from "./line-texts.ts";
import type { RequestLine } from "./request-line.ts";

/** JSON escapes control characters; the other texts have none. */
const SEPARATOR = "\x1e";
const EMPTY_IS_NULL = sql`chr(30), ''`;

/** Lines with their texts made: what is written, and written again if that fails. */
export interface LineBatch {
  readonly lines: readonly RequestLine[];
  readonly texts: readonly ReturnType<typeof textsOfLine>[];
}

export function batchOf(lines: readonly RequestLine[]): LineBatch {
  return { lines, texts: lines.map(textsOfLine) };
}

export async function writeLines(
  db: Queryable,
  batch: LineBatch,
  { isSecondTry }: { isSecondTry: boolean },
): Promise<void> {
  // The database's clock, read by itself: a statement that waits for a connection or a lock would
  // make its lines later than they were, and two batches would be in the wrong order.
  const asOf = await now(db);
  const clock = { startMs: asOf.getTime() - performance.now() };
  const name = isSecondTry ? "log-requests-again" : "log-requests";
  await db.run(prepared(name, insertion(batch, clock, isSecondTry ? NOT_THERE : sql``)));
}

/** The first try may have come through with its answer lost. */
const NOT_THERE = sql`
  and not exists (select from logged_requests as there where there.request_id = id::uuid)`;

/** `startMs`: when `performance.now()` was 0, by the database's clock. */
function insertion(
  { lines, texts }: LineBatch,
  { startMs }: { startMs: number },
  condition: Sql,
): Sql {
  const own = (of: (line: RequestLine) => string | number | undefined) => column(lines.map(of));
  const text = (name: keyof (typeof texts)[number]) => column(texts.map((one) => one[name]));
  return sql`
    with careless as materialized (
      select set_config('synchronous_commit', 'off', true) = 'off' as is_so
    )
    insert into logged_requests (request_id, account_number, environment, at, method, path, status,
      code, duration_ms, credential, address, order_id, request_body, response_body, detail)
    select id::uuid, account, environment, to_timestamp(at::float8 / 1000), method, path,
      status::int, code, duration::int, credential, coalesce(address, ''), order_id, request_body,
      response_body, detail
    from careless cross join unnest(
      ${own(({ requestId }) => requestId)},
      ${own(({ accountNumber }) => accountNumber)},
      ${own(({ isClaimed }) => (isClaimed ? "claimed" : ""))},
      ${own(({ environment }) => environment)},
      ${own(({ beganAt }) => Math.round(startMs + beganAt))},
      ${own(({ method }) => method)},
      ${text("path")},
      ${own(({ status }) => status)},
      ${own(({ code }) => code)},
      ${own(({ elapsedMs }) => Math.round(elapsedMs))},
      ${own(({ credential }) => credential)},
      ${own(({ address }) => address)},
      ${text("orderId")},
      ${text("requestBody")},
      ${text("responseBody")},
      ${text("detail")}
    ) as line (id, account, claimed, environment, at, method, path, status, code, duration,
      credential, address, order_id, request_body, response_body, detail)
    where is_so
      and (claimed is null or exists (select from accounts where account_number = account))
      ${condition}`;
}

function column(values: readonly (string | number | undefined)[]): Sql {
  return sql`string_to_array(${values.join(SEPARATOR)}::text, ${EMPTY_IS_NULL})`;
}
