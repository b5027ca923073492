/** A request of the log, found by its id: whose it was, and what was sent, as its owner sees it. */

import { sqlOf } from "../infra/db/query.ts";
import { pick } from "../infra/db/row.ts";
import { tables } from "../infra/db/tables.ts";
import type { Answer } from "../infra/http/answer.ts";
import { NotFound } from "../kit/errors.ts";
import { text } from "../kit/fields/text.ts";
import { html } from "../kit/html.ts";
import { UUID } from "../kit/ids.ts";
import { plain } from "../modules/operator/render.ts";
import { readRequest } from "../modules/request-log/read-request.ts";
import { definitionList } from "../parts/definition-list.ts";
import { panel } from "../parts/panel.ts";
import { linked } from "./blocks.ts";
import { type OperatorRoute, operatorRoute } from "./operator-route.ts";
import { operatorPage } from "./page.ts";

export const requestRoutes: readonly OperatorRoute[] = [
  operatorRoute({
    method: "GET",
    path: "/operator/requests/{request_id}",
    summary: "A request of the log",
    right: "look",
    params: { request_id: text({ max: 64 }) },
    async run(ctx, { params: { request_id: requestId } }, visitor): Promise<Answer> {
      if (!UUID.test(requestId)) throw new NotFound("no id of a request");
      const [row] = await ctx.db.rows(sqlOf(pick(tables.logged_requests, "account_number"))`
        select account_number from logged_requests where request_id = ${requestId} limit 1`);
      if (row?.account_number == null) throw new NotFound("no such request of an account");
      const { account_number: accountNumber } = row;
      const { publicUrl } = ctx.config.http;
      const { requestLogDays: keptDays } = ctx.config.retention;
      const whose = { accountNumber, environment: undefined, keptDays };
      const one = await readRequest(ctx.db, whose, requestId, { publicUrl });
      const shown = (part: unknown) => JSON.stringify(part, null, 2);
      return operatorPage(visitor, {
        title: `${one.method} ${one.path}`,
        section: "Search",
        back: { name: "Search", href: "/operator" },
        content: [
          panel({
            content: definitionList([
              { term: "Account", value: linked("account", accountNumber) },
              { term: "When", value: plain(new Date(one.at)) },
              { term: "Status", value: String(one.status) },
              { term: "Code", value: one.code ?? undefined },
              { term: "Credential", value: one.credential ?? undefined },
              { term: "Address", value: one.address ?? undefined },
            ]),
          }),
          panel({
            heading: "Request",
            content: html`<pre class="report" tabindex="0">${shown(one.request)}</pre>`,
          }),
          panel({
            heading: "Answer",
            content: html`<pre class="report" tabindex="0">${shown(one.response)}</pre>`,
          }),
        ],
      });
    },
  }),
];
