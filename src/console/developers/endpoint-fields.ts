/** What the forms of webhook endpoints send, as the bodies that the API takes. */

import type { Config } from "../../infra/config.ts";
import { fieldRefused, optional, readFields } from "../../kit/fields/field.ts";
import { day } from "../../kit/fields/time.ts";
import { lastMomentOf, startOfDay } from "../../kit/local-day.ts";
import { EVENT_NAMES } from "../../modules/events/catalogue.ts";
import { replayBody } from "../../modules/webhooks/delivery-routes.ts";
import { endpointChangeBody, newEndpointBody } from "../../modules/webhooks/endpoint-fields.ts";
import type { SentForm } from "../refused.ts";
import type { Visitor } from "../visitor.ts";

export function readNewEndpoint(config: Config, { environment }: Visitor, sent: SentForm) {
  return readFields(newEndpointBody(config), { ...wordsOf(sent), environment });
}

export function readEndpointChange(config: Config, sent: SentForm) {
  return readFields(endpointChangeBody(config), wordsOf(sent));
}

/** Without any event the API would send every one: here something was meant to be ticked. */
function wordsOf(sent: SentForm) {
  const chosen = EVENT_NAMES.filter((name) => sent[name] !== undefined);
  if (sent.which === "some" && chosen.length === 0)
    throw fieldRefused("events", "field is required", { code: "field_required", field: "events" });
  return {
    url: sent.url?.trim(),
    description: sent.description?.trim(),
    events: sent.which === "some" ? chosen : "*",
  };
}

/** Days of the account's time zone, both included. */
export function readReplay({ timeZone }: Visitor, sent: SentForm) {
  const { since, until } = readFields({ since: day(), until: optional(day()) }, sent);
  return readFields(replayBody, {
    since: startOfDay(since, timeZone).toISOString(),
    until: until && lastMomentOf(until, timeZone).toISOString(),
    only_failed: sent.only_failed === undefined ? "false" : "true",
  });
}
