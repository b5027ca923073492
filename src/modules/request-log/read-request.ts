/** One request of the log, with what was sent and answered, and what was wrong with it. */

import { type Queryable, sqlOf } from "../../infra/db/query.ts";
import { columns, pick, type Row } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import { NotFound } from "../../kit/errors.ts";
import { UUID } from "../../kit/ids.ts";
import { explainRefusal } from "./explain-refusal.ts";
import type { LineDetail } from "./line-texts.ts";
import type { LogReader } from "./list-requests.ts";
import { LISTED, type LoggedRequest, listedRequest } from "./logged-request.ts";

const WHOLE = {
  ...LISTED,
  ...pick(tables.logged_requests, "request_body", "response_body", "detail"),
};

/** Another account's is not found, and neither is one that the credential does not reach. */
export async function readRequest(
  db: Queryable,
  { accountNumber, environment, keptDays }: LogReader,
  requestId: string,
  links: { readonly publicUrl: string },
): Promise<LoggedRequest> {
  if (!UUID.test(requestId)) throw new NotFound("no id of a request");
  const [row] = await db.rows(sqlOf(WHOLE)`
    select ${columns(WHOLE)} from logged_requests
    where request_id = ${requestId} and account_number = ${accountNumber}
      and at >= (select real_now()) - make_interval(days => ${keptDays})
    limit 1`);
  if (row === undefined) throw new NotFound("no such request of this account");
  if (environment !== undefined && row.environment !== environment)
    throw new NotFound("a request of another environment");
  return view(row, links);
}

function view(row: Row<typeof WHOLE>, links: { readonly publicUrl: string }): LoggedRequest {
  const { request_body, response_body, detail: text, ...listed } = row;
  const { query, request, response, refusal = {} } = readDetail(text);
  return {
    ...listedRequest(listed),
    request: { query: query ?? null, headers: request, body: request_body },
    response: { headers: response, body: response_body },
    explanation: explainRefusal({ code: row.code, refusal }, links),
  };
}

/** As `line-texts.ts` wrote it. */
function readDetail(text: string): LineDetail {
  return JSON.parse(text);
}
