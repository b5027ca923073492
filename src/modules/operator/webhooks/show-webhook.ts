/** Everything an operator wants to know of a webhook endpoint before doing something about it. */

import { sql } from "../../../infra/db/query.ts";
import { findAnyEndpoint, latestAttempts } from "../../webhooks/troubled-endpoints.ts";
import { readTrail, viewEntry } from "../audit-trail.ts";
import { defineRead } from "../command.ts";
import { renderFacts, renderTable } from "../render.ts";
import { tableOfTrail } from "../trail.ts";
import { outcomeOf, stateOf, UnknownWebhook, viewWebhook, webhookIdField } from "./webhook.ts";

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
Made           2026-11-15 06:32:04Z
Changed        2026-11-15 06:32:04Z

Last attempts
  when                  attempt  ms  outcome
  2026-11-15 06:32:05Z  1        12  status 500

Audit trail
  entry  when                  who                 what             why
  6      2026-11-15 06:32:04Z  account 1234567890  webhook_created  -`,
  },
  async run({ db }, { webhook_id: webhookId }) {
    const endpoint = await findAnyEndpoint(db, webhookId);
    if (endpoint === undefined) throw new UnknownWebhook(webhookId);
    const attempts = await latestAttempts(db, [webhookId], ATTEMPTS_MAX);
    // Its account's entries are found by their index; those of one endpoint among them.
    const ofIt = sql`account_number = ${endpoint.account_number}
      and detail ->> 'webhook_id' = ${webhookId}`;
    const trail = await readTrail(db, ofIt, ENTRIES_MAX);
    const shown = viewWebhook(endpoint);
    const text = [
      renderFacts([
        ["Webhook", shown.id],
        ["Account", shown.account_number],
        ["Environment", shown.environment],
        ["Address", shown.url],
        ["Events", shown.events.join(" ")],
        ["State", stateOf(endpoint)],
        ["Failing since", shown.failing_since],
        ["Waiting", shown.waiting],
        ["Made", shown.created_at],
        ["Changed", shown.changed_at],
      ]),
      renderTable(
        "Last attempts",
        ["when", "attempt", "ms", "outcome"],
        attempts.map((one) => [one.began_at, one.attempt, one.duration_ms, outcomeOf(one)]),
      ),
      tableOfTrail(trail),
    ].join("\n\n");
    const data = { ...shown, state: stateOf(endpoint), attempts, audit: trail.map(viewEntry) };
    return { data, text };
  },
});
