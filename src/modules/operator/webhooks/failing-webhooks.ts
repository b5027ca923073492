/** Lists the webhook endpoints that fail, or that were disabled because they did. */

import { latestAttempts, troubledEndpoints } from "../../webhooks/troubled-endpoints.ts";
import { demandAccount } from "../accounts/account.ts";
import { defineRead } from "../command.ts";
import { accountOption, environmentOption, limitOption } from "../fields.ts";
import { reportList } from "../render.ts";
import { outcomeOf, stateOf, viewWebhook } from "./webhook.ts";

export const failingWebhooks = defineRead({
  name: "failing-webhooks",
  about: "list webhook endpoints that fail, or were disabled because they did",
  more:
    "Those in trouble for longest first, with what their receivers said last. Gone is one that " +
    "answered 410. Endpoints that their owners disabled themselves are not shown.",
  fields: { account: accountOption, environment: environmentOption, limit: limitOption(50) },
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
  async run({ db }, { account = null, environment = null, limit: max }) {
    await demandAccount(db, account);
    const found = await troubledEndpoints(db, { accountNumber: account, environment }, max + 1);
    const ids = found.map(({ endpoint_id: id }) => id);
    const attempts = await latestAttempts(db, ids, 1);
    const latest = new Map(attempts.map((one) => [one.endpoint_id, one]));
    const rows = found.map((row) => ({
      ...viewWebhook(row),
      state: stateOf(row),
      last: outcomeOf(latest.get(row.endpoint_id)) ?? null,
      last_tried_at: latest.get(row.endpoint_id)?.began_at ?? null,
    }));
    return reportList(
      { title: "Failing webhooks", name: "webhooks", rows, max },
      {
        webhook: "id",
        account: "account_number",
        environment: "environment",
        state: "state",
        since: "in_trouble_since",
        waiting: "waiting",
        last: "last",
        url: "url",
      },
    );
  },
});
