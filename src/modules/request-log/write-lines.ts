/**
 * Writes lines of the request log, many with one statement (Decision 0087).
 *
 * All of them are sent as one text with separators and taken apart by PostgreSQL: for arrays the
 * driver would escape every quote of every body, and for each column it would do its work again,
 * which costs more than all the rest. The commit does not wait for the disk, as all others do: a
 * line may be lost with the server.
 */

import { prepared, type Queryable, type Sql, sql } from "../../infra/db/query.ts";
import { type LineTexts, textsOfLine } from "./line-texts.ts";
import type { RequestLine } from "./request-line.ts";

/** JSON escapes control characters; the other texts have none. */
const LINE_END = "\x1e";
const FIELD_END = "\x1f";

/** Lines with their texts made: what is written, and written again if that fails. */
type LineBatch = readonly { readonly line: RequestLine; readonly texts: LineTexts }[];

export function batchOf(lines: readonly RequestLine[]): LineBatch {
  return lines.map((line) => ({ line, texts: textsOfLine(line) }));
}

export async function writeLines(
  db: Queryable,
  batch: LineBatch,
  { startMs, isSecondTry }: { startMs: number; isSecondTry: boolean },
): Promise<void> {
  const name = isSecondTry ? "log-requests-again" : "log-requests";
  await db.run(prepared(name, insertion(batch, startMs, isSecondTry ? NOT_THERE : sql``)));
}

/** The first try may have come through with its answer lost. */
const NOT_THERE = sql`
  and not exists (select from logged_requests as there where there.request_id = field[1]::uuid)`;

/** `startMs`: when `performance.now()` was 0, by the database's clock. */
function insertion(batch: LineBatch, startMs: number, condition: Sql): Sql {
  const lines = batch.map((one) => fieldsOf(one, startMs));
  // OFFSET keeps a line from being taken apart once for each field.
  return sql`
    with careless as materialized (
      select set_config('synchronous_commit', 'off', true) = 'off' as is_so
    )
    insert into logged_requests (request_id, account_number, environment, at, method, path, status,
      code, duration_ms, credential, address, order_id, request_body, response_body, detail)
    select field[1]::uuid, field[2], field[4], to_timestamp(field[5]::float8 / 1000), field[6],
      field[7], field[8]::int, field[9], field[10]::int, field[11], coalesce(field[12], ''),
      field[13], field[14], field[15], field[16]
    from careless cross join (
      select string_to_array(line, chr(31), '') as field
      from string_to_table(${lines.join(LINE_END)}::text, chr(30)) as line offset 0
    ) as line
    where is_so
      and (field[3] is null or exists (select from accounts where account_number = field[2]))
      ${condition}`;
}

/** In the order of the statement; what is empty is null. */
function fieldsOf({ line, texts }: LineBatch[number], startMs: number): string {
  return [
    line.requestId,
    line.accountNumber,
    line.isClaimed ? "claimed" : "",
    line.environment,
    Math.round(startMs + line.beganAt),
    line.method,
    texts.path,
    line.status,
    line.code,
    Math.round(line.elapsedMs),
    line.credential,
    line.address,
    texts.orderId,
    texts.requestBody,
    texts.responseBody,
    texts.detail,
  ].join(FIELD_END);
}
