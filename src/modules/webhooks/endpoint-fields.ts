/** What the routes of endpoints and deliveries share: fields, access, refusals. */

import type { Config } from "../../infra/config.ts";
import type { Answer } from "../../infra/http/answer.ts";
import { readTargetUrl, targetRulesOf } from "../../infra/outbound/target-url.ts";
import { withoutCardNumber } from "../../kit/fields/card-number-inside.ts";
import { oneOf, wordList } from "../../kit/fields/choice.ts";
import { described, type Field, field, optional } from "../../kit/fields/field.ts";
import { asText, line } from "../../kit/fields/text.ts";
import { EXAMPLE } from "../../kit/response-schema.ts";
import { scopes } from "../../kit/scopes.ts";
import { ENVIRONMENTS, type Environment } from "../../kit/vocabulary.ts";
import { EVENT_NAMES, type EventName } from "../events/catalogue.ts";
import type { WantedEndpoint } from "./endpoint.ts";
import { EndpointIsDisabled } from "./endpoint-refusals.ts";

const DESCRIPTION_LENGTH_MAX = 255;
const WORDS_MAX = 100;
const EVERY_EVENT = "*";

const KNOWN: ReadonlySet<string> = new Set(EVENT_NAMES);

/** Any text: what is no id is answered with the 404 of an unknown one. */
export const idField = described(
  field({ type: "string" }, asText),
  "The endpoint's `id`.",
  EXAMPLE.uuid,
);

export const environmentField = described(
  optional(oneOf(ENVIRONMENTS)),
  "Absent: as far as the credential reaches.",
  "sandbox",
);

export const group = "Webhooks";

/** Of a route below one endpoint. */
export const ofEndpoint = {
  group,
  params: { id: idField },
  query: { environment: environmentField },
};

export const can = (action: "create" | "retrieve" | "update" | "delete") =>
  ({ credentials: "either", changes: "environment", anyScope: scopes("user", action) }) as const;

export const unknown = {
  about: "No such endpoint of this account within the credential's reach",
};

export const disabled = {
  about: "The endpoint is disabled, or the same Idempotency-Key is still running",
  refusals: [new EndpointIsDisabled()],
};

export function accepted(data: unknown): Answer {
  return { status: 202, body: { message: "Accepted", data } };
}

export function wantedOf(
  params: { readonly id: string },
  query: { readonly environment: Environment | undefined },
): WantedEndpoint {
  return { endpointId: params.id, environment: query.environment };
}

/** Returns the normal form of the address, so that no account can save it twice. */
function urlField(config: Pick<Config, "http" | "webhooks">): Field<string> {
  const rules = targetRulesOf(config);
  return described(
    field(
      { type: "string", format: "uri" },
      (value, name) => readTargetUrl(asText(value, name), rules).href,
    ),
    "Where events are sent: https, port 443 or 8443, a public name, at most 2,048 characters. " +
      "Not every rule holds in development.",
    "https://shop.example.com/webhooks",
  );
}

/** Null: every event. */
export const eventsField: Field<readonly EventName[] | null> = described(
  everyEventAsNull(
    wordList({
      separator: /[\s,]/,
      readWord: (word) =>
        KNOWN.has(word) || word === EVERY_EVENT
          ? (word as EventName | typeof EVERY_EVENT)
          : undefined,
      min: 1,
      max: WORDS_MAX,
      schema: {
        oneOf: [
          { type: "string" },
          { type: "array", items: { enum: [...EVENT_NAMES, EVERY_EVENT] }, minItems: 1 },
        ],
      },
    }),
  ),
  "The events it is told of, as a list or as one text with commas. `*` is every event, also of " +
    "kinds to come.",
  ["payment.success", "payment.refunded"],
);

function everyEventAsNull(
  names: Field<readonly (EventName | typeof EVERY_EVENT)[]>,
): Field<readonly EventName[] | null> {
  return field(names.schema, (value, name) => {
    const words = names.read(value, name);
    const named = words.filter((word) => word !== EVERY_EVENT);
    return named.length < words.length ? null : named;
  });
}

const descriptionField = described(
  withoutCardNumber(line(DESCRIPTION_LENGTH_MAX)),
  "A name to recognise the endpoint by.",
  "Web shop",
);

export function newEndpointBody(config: Pick<Config, "http" | "webhooks">) {
  return {
    url: urlField(config),
    events: optional(eventsField),
    environment: described(oneOf(ENVIRONMENTS), "Whose events; it cannot be changed.", "sandbox"),
    description: optional(descriptionField),
  };
}

export function endpointChangeBody(config: Pick<Config, "http" | "webhooks">) {
  return {
    url: optional(urlField(config)),
    events: optional(eventsField),
    description: optional(descriptionField),
    status: described(
      optional(oneOf(["active", "disabled"])),
      "Whether it is sent anything.",
      "active",
    ),
  };
}
