/** A request of the log: a command of the terminal, with what was sent and answered below it. */

import type { Answer } from "../infra/http/answer.ts";
import { NotFound } from "../kit/errors.ts";
import { text } from "../kit/fields/text.ts";
import { html } from "../kit/html.ts";
import { UUID } from "../kit/ids.ts";
import { showRequest } from "../modules/operator/find/show-request.ts";
import { panel } from "../parts/panel.ts";
import { readReport } from "./actions/run-command.ts";
import { blocksOf } from "./blocks.ts";
import { type OperatorRoute, operatorRoute } from "./operator-route.ts";
import { operatorPage } from "./page.ts";

const ID_LENGTH_MAX = 64;

function messagePanel(heading: string, message: unknown) {
  return panel({
    heading,
    content: html`<pre class="report" tabindex="0">${JSON.stringify(message, null, 2)}</pre>`,
  });
}

export const requestRoutes: readonly OperatorRoute[] = [
  operatorRoute({
    method: "GET",
    path: "/operator/requests/{request_id}",
    summary: "A request of the log",
    right: "look",
    params: { request_id: text({ max: ID_LENGTH_MAX }) },
    async run(ctx, { params }, visitor): Promise<Answer> {
      if (!UUID.test(params.request_id)) throw new NotFound("no id of a request");
      const report = await readReport(ctx, visitor, showRequest, params);
      const { method, path, request, response } = report.data;
      return operatorPage(visitor, {
        title: `${method} ${path}`,
        section: "Home",
        back: { name: "Home", href: "/operator" },
        content: [
          blocksOf(report),
          messagePanel("Request", request),
          messagePanel("Answer", response),
        ],
      });
    },
  }),
];
