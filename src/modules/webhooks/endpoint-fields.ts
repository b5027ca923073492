/** The fields of the endpoint routes, and what an address must be like to be saved. */

import type { Config } from "../../infra/config.ts";
import { readTargetUrl, targetRulesOf } from "../../infra/outbound/target-url.ts";
import { withoutCardNumber } from "../../kit/fields/card-number-inside.ts";
import { oneOf, wordList } from "../../kit/fields/choice.ts";
import { described, type Field, field, optional } from "../../kit/fields/field.ts";
import { asText, line } from "../../kit/fields/text.ts";
import { EXAMPLE } from "../../kit/response-schema.ts";
import type { Environment } from "../../kit/vocabulary.ts";
import { EVENT_NAMES, type EventName } from "../events/catalogue.ts";
import { ENVIRONMENTS, type WantedEndpoint } from "./endpoint.ts";

const DESCRIPTION_LENGTH_MAX = 255;
const WORDS_MAX = 100;
const EVERY_EVENT = "*";

const KNOWN: ReadonlySet<string> = new Set(EVENT_NAMES);

/** Text of any kind: what is no id names nothing, which is a 404 like any other. */
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

export function wantedOf(
  params: { readonly id: string },
  query: { readonly environment: Environment | undefined },
): WantedEndpoint {
  return { endpointId: params.id, environment: query.environment };
}

/** Gives the address in its one normal form, so that no account can save one twice. */
export function urlField(config: Pick<Config, "http" | "webhooks">): Field<string> {
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

/** Names of events; null when every one is meant. */
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
    const given = names.read(value, name);
    const named = given.filter((word) => word !== EVERY_EVENT);
    return named.length < given.length ? null : named;
  });
}

export const descriptionField = described(
  withoutCardNumber(line(DESCRIPTION_LENGTH_MAX)),
  "A name to recognise the endpoint by.",
  "Web shop",
);
