/** The pages about errors as routes; each is made when it is first asked for, and kept. */

import type { Infra } from "../infra/context.ts";
import { publicRoute, type Route } from "../infra/http/route.ts";
import { cachedAnswers, cachedAs, prepared } from "../infra/http/serve/etag-cache.ts";
import { CATALOGUE, type ErrorCode } from "../kit/error-catalogue/catalogue.ts";
import { NotFound } from "../kit/errors.ts";
import { described } from "../kit/fields/field.ts";
import { text } from "../kit/fields/text.ts";
import { lazy } from "../kit/lazy.ts";
import { Type } from "../kit/schema.ts";
import { errorHtml, errorIndexHtml, type RoutesByCode, routesByCode } from "./error-page.ts";
import { ERRORS_PATH } from "./guides.ts";
import { GUIDE_POLICY, HTML_TYPE } from "./page-shell.ts";

const CODE_LENGTH_MAX = 64;
const PAGE = {
  contentType: HTML_TYPE,
  headers: { "content-security-policy": GUIDE_POLICY },
} as const;

export function errorRoutes<Ctx extends Infra>(shown: () => readonly Route<never>[]): Route<Ctx>[] {
  const index = prepared(errorIndexHtml);
  const routes = lazy(async () => routesByCode(shown()));
  const pageOf = pageMaker(routes);
  return [
    publicRoute({
      method: "GET",
      path: ERRORS_PATH,
      summary: "All errors by their codes",
      answers: cachedAnswers("A page", Type.String(), "text/html"),
      run: async (_ctx: Ctx, call) => cachedAs(call, { ...(await index(undefined)), ...PAGE }),
    }),
    publicRoute({
      method: "GET",
      path: `${ERRORS_PATH}/{code}`,
      summary: "What an error means and what to do about it",
      params: {
        code: described(text({ max: CODE_LENGTH_MAX }), "From X-SVC-Error.", "field_required"),
      },
      answers: cachedAnswers("A page", Type.String(), "text/html"),
      async run(_ctx: Ctx, call) {
        const { code } = call.params;
        if (!isCode(code)) throw new NotFound("no such error code");
        return cachedAs(call, { ...(await pageOf(code)), ...PAGE });
      },
    }),
  ];
}

function isCode(given: string): given is ErrorCode {
  return Object.hasOwn(CATALOGUE, given);
}

function pageMaker(routes: () => Promise<RoutesByCode>) {
  const made = new Map<ErrorCode, ReturnType<typeof prepared>>();
  return (code: ErrorCode) => {
    const known = made.get(code) ?? prepared(async () => errorHtml(code, await routes()));
    made.set(code, known);
    return known(undefined);
  };
}
