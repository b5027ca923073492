/** Names of events as they are typed: checked, with patterns such as `payment.*`. */

import { EVENT_NAMES } from "../api-operations.ts";
import { nearest } from "./nearest.ts";
import { WrongUsage } from "./tool-error.ts";

export type EventName = (typeof EVENT_NAMES)[number];

/** What other services and people call an event, by what stands behind the dot. */
const SYNONYMS: Readonly<Record<string, EventName>> = {
  paid: "payment.success",
  succeeded: "payment.success",
  successful: "payment.success",
  approved: "payment.success",
  completed: "payment.success",
  captured: "payment.success",
  declined: "payment.failed",
  refused: "payment.failed",
  failure: "payment.failed",
  refund: "payment.refunded",
  dispute: "payment.chargeback_pending",
  disputed: "payment.chargeback_pending",
  chargeback: "payment.chargeback_pending",
  fraud: "payment.fraud_confirmed",
};

/** Of a payment, or of nothing that is named: `payment.paid`, `paid`, `charge.refund.created`. */
function meantBy(typed: string): EventName | undefined {
  const words = typed.toLowerCase().split(/[^a-z]+/);
  if (words.some((word) => OTHER_FAMILIES.has(word))) return undefined;
  const found = words.find((word) => Object.hasOwn(SYNONYMS, word));
  return found === undefined ? undefined : SYNONYMS[found];
}

const OTHER_FAMILIES = new Set(["withdrawal", "payout", "webhook", "link", "trusted", "card"]);

export function readEventName(typed: string): EventName {
  const found = EVENT_NAMES.find((name) => name === typed);
  if (found !== undefined) return found;
  const meant = meantBy(typed);
  const likely = meant === undefined ? nearest(typed, EVENT_NAMES) : [meant];
  throw new WrongUsage(`There is no event ${typed}.`, `Did you mean ${likely.join(" or ")}?`);
}

/** Names and patterns, with commas or spaces between them; undefined: every event. */
export function readEventFilter(typed: readonly string[] | undefined): (event: string) => boolean {
  const wanted = (typed ?? []).flatMap((each) => each.split(/[\s,]+/)).filter(Boolean);
  const names = new Set(wanted.flatMap(namesFor));
  return (event) => names.size === 0 || names.has(event as EventName);
}

function namesFor(typed: string): readonly EventName[] {
  if (typed === "*") return EVENT_NAMES;
  if (!typed.endsWith(".*")) return [readEventName(typed)];
  const found = EVENT_NAMES.filter((name) => name.startsWith(typed.slice(0, -1)));
  if (found.length === 0)
    throw new WrongUsage(`No event fits ${typed}.`, "Try payment.*, withdrawal.* or webhook.*.");
  return found;
}
