/** States of records as pages show them: in the words of buttons, with a shape of their own. */

import { PAYMENT_STATES } from "../console/payments/payment-words.ts";
import type { HtmlValue } from "../kit/html.ts";
import { badge, type Tone } from "../parts/badge.ts";

const STATES: Readonly<Record<string, readonly [Tone, string]>> = {
  ...PAYMENT_STATES,
  active: ["good", "Active"],
  frozen: ["bad", "Frozen"],
  closed: ["plain", "Closed"],
  pending: ["progress", "Pending"],
  processing: ["progress", "Processing"],
  held: ["warn", "Held"],
  completed: ["good", "Completed"],
  cancelled: ["plain", "Cancelled"],
  returned: ["warn", "Returned"],
  rejected: ["plain", "Rejected"],
  failing: ["bad", "Failing"],
  open: ["warn", "Open"],
  processed: ["bad", "Processed"],
  released: ["good", "Released"],
  matched: ["good", "Matched"],
  differs: ["bad", "Differs"],
  unknown: ["warn", "Unknown"],
  waiting: ["progress", "Waiting for approval"],
  approved: ["good", "Approved"],
  refused: ["warn", "No longer possible"],
  expired: ["plain", "Expired"],
};

export function stateText(word: string): string {
  return STATES[word]?.[1] ?? word;
}

export function stateHtml(state: string): HtmlValue {
  const words = STATES[state];
  return words === undefined ? state : badge(...words);
}
