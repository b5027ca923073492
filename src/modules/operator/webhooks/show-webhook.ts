/** What an operator has to know about a webhook endpoint before acting on it. */

import { sql } from "../../../infra/db/query.ts";
import { findAnyEndpoint, latestAttempts } from "../../webhooks/troubled-endpoints.ts";
import { defineRead } from "../command.ts";
import { factsBlock, reportBlocks, tableBlock } from "../render.ts";
import { readTrail, tableOfTrail, viewEntry } from "../trail.ts";
import { outcomeOf, stateOf, unknownWebhook, viewWebhook, webhookIdField } from "./webhook.ts";

const ATTEMPTS_MAX = 10;
const ENTRIES_MAX = 20;

export const showWebhook = defineRead({
  name: "show-webhook",
  about: "show a webhook endpoint: its state, what was tried last, and its audit trail",
  fields: { webhook_id: webhookIdField },
  subject: "webhook_id",
  example: {
    given: "5f0c2a4e-93b1-4c57-8d6a-1e2f3a4b5c6d",
    shows: `Webhook        5f0c2a4e-93b1-4c57-8d6a-1e2f3a4b5c6d
Account        1234567890
Environment    live
Address        https://shop.example.com/webhooks
Events         *
State          failing
Failing since  2026-11-15 06:32:05Z
Waiting        1
Created        2026-11-15 06:32:04Z
Updated        2026-11-15 06:32:04Z

Last attempts
  when                  attempt  ms  outcome
  2026-11-15 06:32:05Z  1        12  status 500

Audit trail
  entry  when                  who                 what             why
  6      2026-11-15 06:32:04Z  account 1234567890  webhook_created  -`,
  },
  async run({ db }, { webhook_id: webhookId }) {
    const endpoint = await findAnyEndpoint(db, webhookId);
    if (endpoint === undefined) throw unknownWebhook(webhookId);
    const attempts = await latestAttempts(db, [webhookId], ATTEMPTS_MAX);
    // Its account's entries are found by their index; those of one endpoint among them.
    const ofIt = sql`account_number = ${endpoint.account_number}
      and detail ->> 'webhook_id' = ${webhookId}`;
    const trail = await readTrail(db, ofIt, ENTRIES_MAX);
    const view = { ...viewWebhook(endpoint), state: stateOf(endpoint) };
    const blocks = [
      factsBlock(view, {
        Webhook: "id",
        Account: "account_number",
        Environment: "environment",
        Address: "url",
        Events: ({ events }) => events.join(" "),
        State: "state",
        "Failing since": "failing_since",
        Waiting: "waiting",
        Created: "created_at",
        Updated: "changed_at",
      }),
      tableBlock("Last attempts", attempts, {
        when: "began_at",
        attempt: "attempt",
        ms: "duration_ms",
        outcome: outcomeOf,
      }),
      tableOfTrail(trail),
    ];
    return reportBlocks({ ...view, attempts, audit: trail.map(viewEntry) }, blocks);
  },
});
