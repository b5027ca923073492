/**
 * What the forms of API keys send, as the bodies that the API takes: a box for each scope, ranges
 * line by line, and a day at whose end, in the account's time zone, the key stops working.
 */

import { DAY_SECONDS } from "../../kit/clock.ts";
import { FieldRefused } from "../../kit/errors.ts";
import { readFields } from "../../kit/fields/field.ts";
import { SCOPES } from "../../kit/scopes.ts";
import type { KeyRow } from "../../modules/auth/api-key.ts";
import { keyChangeBody, newKeyBody, rotationBody } from "../../modules/auth/key-fields.ts";
import { lastDay, lastMoment } from "../last-day.ts";
import type { SentForm } from "../refused.ts";
import type { Visitor } from "../visitor.ts";

export function readNewKey({ environment, timeZone }: Visitor, sent: SentForm) {
  const scopes = SCOPES.filter((scope) => sent[scope] !== undefined);
  if (scopes.length === 0)
    throw new FieldRefused("Choose at least one permission.", {
      code: "field_required",
      field: "scopes",
    });
  return readFields(newKeyBody, {
    name: sent.name?.trim(),
    environment,
    scopes: scopes.join(" "),
    allowed_cidrs: rangesOf(sent),
    expires_at: lastMoment(sent, timeZone),
  });
}

/** An expiry that was left as it stood is not sent: it may be at another hour than a day's end. */
export function readKeyChange({ timeZone }: Visitor, key: KeyRow, sent: SentForm) {
  const expires = sent.expires_at ?? "";
  const isSame = expires === lastDay(key.expires_at, timeZone);
  return readFields(keyChangeBody, {
    name: sent.name?.trim(),
    allowed_cidrs: rangesOf(sent),
    expires_at: isSame ? undefined : (lastMoment(sent, timeZone) ?? "never"),
  });
}

export const OVERLAPS = [
  { value: "0", text: "At once" },
  { value: "3600", text: "After an hour" },
  { value: `${DAY_SECONDS}`, text: "After a day" },
  { value: `${7 * DAY_SECONDS}`, text: "After a week" },
];

export function readOverlap(sent: SentForm): number {
  return readFields(rotationBody, sent).overlap_seconds;
}

function rangesOf({ allowed_cidrs: typed = "" }: SentForm): readonly string[] {
  return typed.split(/[\s,]+/).filter((range) => range !== "");
}
