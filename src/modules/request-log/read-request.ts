/** One request of the log, with what was sent and answered, and what was wrong with it. */

import { type Queryable, sql, sqlOf } from "../../infra/db/query.ts";
import { columns, computed, json, pick, type Row } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import { NotFound } from "../../kit/errors.ts";
import { UUID } from "../../kit/ids.ts";
import { explainRefusal, type StoredRefusal } from "./explain-refusal.ts";
import { KEPT_DAYS } from "./keep-request-days.ts";
import type { LogReader } from "./list-requests.ts";
import { LISTED, type LoggedRequest, listedRequest } from "./logged-request.ts";

type Headers = Readonly<Record<string, string>>;

const WHOLE = {
  ...LISTED,
  ...pick(tables.logged_requests, "query", "request_body", "response_body"),
  request_headers: computed(json<Headers>(), sql`request_headers::jsonb`),
  response_headers: computed(json<Headers>(), sql`response_headers::jsonb`),
  refusal: computed(json<StoredRefusal>(), sql`coalesce(refusal, '{}')::jsonb`),
};

/** Another account's is not found, and neither is one that the credential does not reach. */
export async function readRequest(
  db: Queryable,
  { accountNumber, environment }: LogReader,
  requestId: string,
  links: { readonly publicUrl: string },
): Promise<LoggedRequest> {
  if (!UUID.test(requestId)) throw new NotFound("no id of a request");
  const [row] = await db.rows(sqlOf(WHOLE)`
    select ${columns(WHOLE)} from logged_requests
    where request_id = ${requestId} and account_number = ${accountNumber}
      and at >= (select app_now()) - make_interval(days => ${KEPT_DAYS})
    limit 1`);
  if (row === undefined) throw new NotFound("no such request of this account");
  if (environment !== undefined && row.environment !== environment)
    throw new NotFound("a request of another environment");
  return view(row, links);
}

function view(row: Row<typeof WHOLE>, links: { readonly publicUrl: string }): LoggedRequest {
  const { query, request_headers, request_body, response_headers, response_body, ...rest } = row;
  const { refusal, ...listed } = rest;
  return {
    ...listedRequest(listed),
    request: { query, headers: request_headers, body: request_body },
    response: { headers: response_headers, body: response_body },
    explanation: explainRefusal({ code: row.code, refusal }, links),
  };
}
