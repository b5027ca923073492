/**
 * The request log in the console. The list is of the session's environment, with requests that name
 * neither; one request is shown whichever it is of, because its id was asked for.
 */

import type { Answer } from "../../infra/http/answer.ts";
import { NotFound } from "../../kit/errors.ts";
import { optional } from "../../kit/fields/field.ts";
import { text } from "../../kit/fields/text.ts";
import { browseRequests } from "../../modules/request-log/browse-requests.ts";
import { readRequest } from "../../modules/request-log/read-request.ts";
import { redirect } from "../answers.ts";
import { type ConsoleRoute, consoleRoute } from "../console-route.ts";
import type { ConsoleContext } from "../context.ts";
import { idParam } from "../id-param.ts";
import { orRefused } from "../refused.ts";
import type { Visitor } from "../visitor.ts";
import { requestFilterOf, typedRequestFilters } from "./request-filters.ts";
import { REQUESTS_SHOWN, requestListPage } from "./request-list-page.ts";
import { requestPage } from "./request-page.ts";
import { REQUESTS } from "./tabs.ts";

const right = "request_log" as const;
const ID_LENGTH_MAX = 64;
const CURSOR_LENGTH_MAX = 100;

const list = consoleRoute({
  method: "GET",
  path: REQUESTS,
  summary: "Requests",
  right,
  readsFromStandby: true,
  query: {
    id: optional(text({ max: ID_LENGTH_MAX })),
    before: optional(text({ max: CURSOR_LENGTH_MAX })),
  },
  async run(ctx: ConsoleContext, { url, query, read }, visitor): Promise<Answer> {
    const id = query.id?.trim();
    if (id !== undefined && id !== "") return jumpTo(ctx, visitor, id);
    const { searchParams } = new URL(url);
    const typed = typedRequestFilters(searchParams);
    const { requestLogDays: keptDays } = ctx.config.retention;
    const place = { typed, isNewest: query.before === undefined, keptDays };
    return orRefused(
      async () => {
        const filter = requestFilterOf(visitor, typed);
        const page = { cursor: query.before, pageSize: REQUESTS_SHOWN };
        const reader = { ...readerOf(visitor), keptDays };
        const found = await read((db) => browseRequests(db, reader, filter, page));
        return requestListPage(visitor, { ...place, found });
      },
      (refused) => requestListPage(visitor, { ...place, refused }),
    );
  },
});

function readerOf({ account, environment }: Visitor) {
  return { accountNumber: account.accountNumber, environment, withUnnamed: true };
}

function readOne({ db, config }: ConsoleContext, { account }: Visitor, id: string) {
  const { requestLogDays: keptDays } = config.retention;
  const reader = { accountNumber: account.accountNumber, environment: undefined, keptDays };
  return readRequest(db, reader, id, config.http);
}

async function jumpTo(ctx: ConsoleContext, visitor: Visitor, id: string): Promise<Answer> {
  try {
    const { request_id: found } = await readOne(ctx, visitor, id);
    return redirect(`${REQUESTS}/${found}`);
  } catch (error) {
    if (!(error instanceof NotFound)) throw error;
    const { requestLogDays: keptDays } = ctx.config.retention;
    return requestListPage(visitor, { typed: {}, isNewest: true, keptDays, missing: id });
  }
}

const one = consoleRoute({
  method: "GET",
  path: `${REQUESTS}/{request_id}`,
  summary: "What happened to a request",
  right,
  params: { request_id: idParam },
  run: async (ctx: ConsoleContext, { params }, visitor) =>
    requestPage(visitor, await readOne(ctx, visitor, params.request_id)),
});

export const requestRoutes: readonly ConsoleRoute<ConsoleContext>[] = [list, one];
