/** Lets a webhook endpoint that failed begin anew (Decision 0073). */

import { OperatorError } from "../../../kit/errors.ts";
import { type Revived, reviveEndpoint } from "../../webhooks/enable-endpoint.ts";
import { defineAction } from "../command.ts";
import { unknownWebhook, webhookIdField } from "./webhook.ts";

export const reviveWebhook = defineAction({
  name: "revive-webhook",
  right: "assist",
  about: "enable a webhook endpoint that failed, or try it again at once",
  more:
    "One that was disabled because it failed or answered 410 is enabled, as its owner would: " +
    "nothing old is sent. One that is failing is tried at once with all that waits, and has five " +
    "days again before it is disabled. One that its owner disabled is left alone.",
  fields: { webhook_id: webhookIdField },
  subject: "webhook_id",
  example: {
    given: "5f0c2a4e-93b1-4c57-8d6a-1e2f3a4b5c6d",
    shows:
      "Webhook endpoint 5f0c2a4e-93b1-4c57-8d6a-1e2f3a4b5c6d is tried at once with all that " +
      "waits for it. Its failures are forgotten.",
    entry: 9,
  },
  run: (_ctx, { webhook_id: webhookId }, act) =>
    act(async (tx) => {
      const revived = await reviveEndpoint(tx, webhookId);
      if (revived === undefined) throw unknownWebhook(webhookId);
      const { outcome, endpoint } = revived;
      const { account_number } = endpoint;
      const of = { webhook_id: webhookId, outcome };
      return {
        entry: { action: "webhook_revived", accountNumber: account_number, detail: of },
        data: { webhook_id: webhookId, account_number, outcome },
        text: describe(outcome, webhookId),
      };
    }),
});

/** What was done. Throws where nothing was, with the reason. */
function describe(outcome: Revived, id: string): string {
  switch (outcome) {
    case "enabled":
      return (
        `Webhook endpoint ${id} is enabled again, and is sent what happens from now on.\n` +
        `Its owner sends what was missed with POST /webhooks/${id}/replay.`
      );
    case "made due":
      return (
        `Webhook endpoint ${id} is tried at once with all that waits for it. ` +
        "Its failures are forgotten."
      );
    case "is healthy":
      throw new OperatorError(`Webhook endpoint ${id} is active and does not fail.`);
    case "was disabled by its owner":
      throw new OperatorError(
        `Webhook endpoint ${id} was disabled by its owner, who alone enables it again.`,
      );
  }
}
