/**
 * What the page's script says at the fields and above the form: the sentences of the service
 * itself, given to it as data, so that there is no second copy (Decision 0096).
 */

import { NETWORK_NAMES } from "../../../kit/card-network.ts";
import { CARDS } from "../../gateway/sandbox/cards.ts";
import { expiryBounds } from "../form/card-fields.ts";
import { FIELD_NAMES } from "../form/form-values.ts";
import type { CardForm } from "./card-form-fields.ts";

const BEGINNING = 12;
/** They need not pass Luhn. Their last digits, by how they begin. */
const SANDBOX_CARDS = Object.fromEntries(
  Map.groupBy(
    CARDS.flatMap(({ numbers }) => numbers),
    (number) => number.slice(0, BEGINNING),
  )
    .entries()
    .map(([beginning, numbers]) => [beginning, numbers.map((each) => each.slice(BEGINNING))]),
);

export function scriptWords({ step, t }: CardForm) {
  const { number, expiry } = t.fields;
  const { only } = step;
  const given = only === "visa" ? "mastercard" : "visa";
  const names = { given: NETWORK_NAMES[given], wanted: NETWORK_NAMES[only ?? "visa"] };
  return {
    number: {
      notTaken: number.notTaken,
      amex: number.amex,
      notValid: number.notValid,
      ...(only === undefined ? {} : { [given]: number.otherNetwork(names) }),
    },
    expiry: { over: expiry.over, tooFar: expiry.tooFar, ...expiryBounds(step.at) },
    // By how many fields are wrong.
    problems: FIELD_NAMES.map((_, at) => t.problems.heading(at + 1)),
    sending: t.sending,
    ...(step.takesSandboxCards ? { sandboxCards: SANDBOX_CARDS } : {}),
  };
}
