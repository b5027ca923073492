/** The fields of the key routes. */

import { isIPv4 } from "node:net";
import { FieldRefused } from "../../kit/errors.ts";
import { withoutCardNumber } from "../../kit/fields/card-number-inside.ts";
import { oneOf, wordList } from "../../kit/fields/choice.ts";
import {
  described,
  eachOptional,
  type Field,
  field,
  optional,
  withDefault,
} from "../../kit/fields/field.ts";
import { integer } from "../../kit/fields/number.ts";
import { asText, text } from "../../kit/fields/text.ts";
import { moment } from "../../kit/fields/time.ts";
import { plainAddress, readRange } from "../../kit/ip-address.ts";
import { EXAMPLE } from "../../kit/response-schema.ts";
import { ENVIRONMENTS, type Environment } from "../../kit/vocabulary.ts";
import { KEY_OVERLAP_SECONDS_MAX } from "./lifetimes.ts";
import { scopesField } from "./scope-field.ts";

const NAME_LENGTH_MAX = 64;
const CIDRS_MAX = 50;

export const EXPIRES_IN_THE_PAST = "The expires at must be in the future.";

export const kidField = described(text({ max: 64 }), "The `kid` of the key.", EXAMPLE.kid);

const nameField = described(
  withoutCardNumber(text({ max: NAME_LENGTH_MAX })),
  "A name to recognise the key by.",
  "Web shop",
);

const environmentWord = oneOf(ENVIRONMENTS);

/** Older clients send `test`, after the prefix of such keys. */
const environmentField: Field<Environment> = described(
  {
    ...environmentWord,
    schema: { type: "string", enum: [...ENVIRONMENTS, "test"] },
    read: (value, name) => (value === "test" ? "sandbox" : environmentWord.read(value, name)),
  },
  "Which data the key reaches. `test` is an older name of `sandbox`.",
  "sandbox",
);

export const cidrsField = described(
  wordList({
    separator: /[\s,]/,
    readWord: normalRange,
    max: CIDRS_MAX,
    schema: {
      oneOf: [
        { type: "string" },
        { type: "array", items: { type: "string" }, maxItems: CIDRS_MAX },
      ],
    },
  }),
  "Address ranges the key works from, IPv4 or IPv6, at most 50. Absent or empty: any address. " +
    "A range that covers everything (/0) is refused; leave the list empty instead.",
  ["203.0.113.0/24", "2001:db8::/48"],
);

const expiresAtField = described(
  moment(),
  "When the key stops working. With a token that lacks `svc-user-all`: within 30 days, and after " +
    "30 days when it is absent.",
  "2027-01-31T12:00:00Z",
);

/** In a change, the word `never` removes the expiry. */
export const newExpiresAtField = described(
  field<Date | "never">(
    { anyOf: [{ type: "string", format: "date-time" }, { const: "never" }] },
    (value, name) => (asText(value, name) === "never" ? "never" : moment().read(value, name)),
  ),
  "When the key stops working, or `never`. With a token that lacks `svc-user-all`: within 30 days.",
  "2027-06-30T12:00:00Z",
);

/** Of a new key. */
export const newKeyBody = {
  name: optional(nameField),
  environment: environmentField,
  scopes: scopesField,
  allowed_cidrs: optional(cidrsField),
  expires_at: optional(expiresAtField),
};

export const keyChangeBody = eachOptional({
  name: nameField,
  allowed_cidrs: cidrsField,
  expires_at: newExpiresAtField,
});

export const rotationBody = {
  overlap_seconds: described(
    withDefault(integer({ min: 0, max: KEY_OVERLAP_SECONDS_MAX }), 0),
    "How long the old key lives on. 0 ends it at once.",
    3600,
  ),
};

export function demandFuture(expiresAt: Date, now: Date): void {
  if (expiresAt <= now) throw new FieldRefused(EXPIRES_IN_THE_PAST, { field: "expires_at" });
}

/**
 * A range in its normal form: mapped IPv4 folded, a bare address as a range of one; PostgreSQL
 * clears host bits when it is stored. Undefined: not a range, or every address.
 */
export function normalRange(text: string): string | undefined {
  const range = readRange(text);
  if (range === undefined || range.address.includes("%")) return undefined;
  const plain = plainAddress(range.address);
  const isMapped = range.family === "ipv6" && isIPv4(plain);
  const bits = isMapped ? range.bits - 96 : range.bits;
  return bits > 0 ? `${plain}/${bits}` : undefined;
}
