/** Lists the webhook endpoints that fail, or that were disabled because they did. */

import { oneOf } from "../../../kit/fields/choice.ts";
import { optional } from "../../../kit/fields/field.ts";
import { ENVIRONMENTS } from "../../transactions/transaction.ts";
import { latestAttempts, troubledEndpoints } from "../../webhooks/troubled-endpoints.ts";
import { accountNumberField, demandAccount } from "../accounts/account.ts";
import { asked, defineRead } from "../command.ts";
import { rowsField } from "../fields.ts";
import { renderTable } from "../render.ts";
import { outcomeOf, stateOf, viewWebhook } from "./webhook.ts";

const ROWS_DEFAULT = 100;
const ROWS_MAX = 1_000;

export const failingWebhooks = defineRead({
  name: "failing-webhooks",
  about: "list webhook endpoints that fail, or were disabled because they did",
  more:
    "Those in trouble for longest first, with what their receivers said last. Gone is one that " +
    "answered 410. Endpoints that their owners disabled themselves are not shown.",
  fields: {
    account: optional({ ...accountNumberField }),
    environment: optional(asked(oneOf(ENVIRONMENTS), ENVIRONMENTS.join("|"), "Both if absent.")),
    limit: rowsField(ROWS_DEFAULT, ROWS_MAX),
  },
  example: {
    given: "",
    shows: [
      "Failing webhooks",
      "  webhook                               account     environment  state    " +
        "since                 waiting  last        url",
      "  5f0c2a4e-93b1-4c57-8d6a-1e2f3a4b5c6d  1234567890  live         failing  " +
        "2026-11-15 06:32:05Z  1        status 500  https://shop.example.com/webhooks",
    ].join("\n"),
  },
  async run({ db }, { account = null, environment = null, limit }) {
    if (account !== null) await demandAccount(db, account);
    const max = Number(limit);
    const found = await troubledEndpoints(db, { accountNumber: account, environment }, max + 1);
    const rows = found.slice(0, max);
    const isComplete = found.length === rows.length;
    const ids = rows.map(({ endpoint_id: id }) => id);
    const latest = new Map(
      (await latestAttempts(db, ids, 1)).map((one) => [one.endpoint_id, one] as const),
    );
    const shown = rows.map((row) => ({
      ...viewWebhook(row),
      state: stateOf(row),
      last: outcomeOf(latest.get(row.endpoint_id)) ?? null,
      last_tried_at: latest.get(row.endpoint_id)?.began_at ?? null,
    }));
    const table = renderTable(
      "Failing webhooks",
      ["webhook", "account", "environment", "state", "since", "waiting", "last", "url"],
      shown.map((one) => [
        one.id,
        one.account_number,
        one.environment,
        one.state,
        one.in_trouble_since,
        one.waiting,
        one.last,
        one.url,
      ]),
    );
    const more = isComplete ? "" : `\n  and more: ${max} are shown`;
    return { data: { webhooks: shown, is_complete: isComplete }, text: table + more };
  },
});
