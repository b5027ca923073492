/** The first page: a search over everything, and below it what waits for this person. */

import type { Answer } from "../infra/http/answer.ts";
import { optional } from "../kit/fields/field.ts";
import { text } from "../kit/fields/text.ts";
import { type Html, type HtmlValue, html } from "../kit/html.ts";
import { find } from "../modules/operator/find/find.ts";
import { readWaiting } from "../modules/operator/waiting/waiting.ts";
import { textField } from "../parts/field.ts";
import { button, buttonRow } from "../parts/form.ts";
import { panel } from "../parts/panel.ts";
import { readReport } from "./actions/run-command.ts";
import { blocksOf } from "./blocks.ts";
import type { OperatorConsoleContext } from "./context.ts";
import { type OperatorRoute, operatorRoute } from "./operator-route.ts";
import { operatorPage } from "./page.ts";
import { approvableBy, type OperatorVisitor } from "./visitor.ts";

const SEARCH_LENGTH_MAX = 320;
const SEARCH_HINT =
  "The name of a shop or its holder, an account number, e-mail, order, transaction id, last " +
  "four, request id or bank reference.";

function searchBox(q: string): Html {
  return panel({
    content: html`<form class="form" method="get" action="/operator" role="search">
${textField({
  name: "q",
  label: "Find",
  type: "search",
  hint: SEARCH_HINT,
  value: q,
  required: true,
  isCode: true,
  autocomplete: "off",
})}
${buttonRow(button({ text: "Search", kind: "primary" }))}
</form>`,
  });
}

async function waitingPart(
  { db }: OperatorConsoleContext,
  visitor: OperatorVisitor,
): Promise<HtmlValue> {
  const withChecks = visitor.may("audit");
  return blocksOf(await readWaiting(db, approvableBy(visitor), { withChecks }));
}

const home = operatorRoute({
  method: "GET",
  path: "/operator",
  summary: "Search over everything, and what waits",
  right: "look",
  query: { q: optional(text({ max: SEARCH_LENGTH_MAX })) },
  async run(ctx, { query }, visitor): Promise<Answer> {
    const q = (query.q ?? "").trim();
    return operatorPage(visitor, {
      title: q === "" ? "What waits" : "Search",
      section: "Home",
      tab: "What waits",
      content: [
        searchBox(q),
        q === ""
          ? await waitingPart(ctx, visitor)
          : blocksOf(await readReport(ctx, visitor, find, { text: q })),
      ],
    });
  },
});

export const homeRoutes: readonly OperatorRoute[] = [home];
