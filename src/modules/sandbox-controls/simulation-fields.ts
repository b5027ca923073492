/** What is said of a simulation, in a request and in a form of the console. */

import { FieldsConflict } from "../../kit/errors.ts";
import { withoutCardNumber } from "../../kit/fields/card-number-inside.ts";
import { oneOf } from "../../kit/fields/choice.ts";
import { checked, described, type Field, optional } from "../../kit/fields/field.ts";
import { integer } from "../../kit/fields/number.ts";
import { line, text } from "../../kit/fields/text.ts";
import { PAYMENT_OUTCOMES } from "./payment-outcomes.ts";
import { RECEIVERS, SIMULATED_SECONDS_MAX } from "./simulate-receiver.ts";
import { TAKE_REASON, WITHDRAWAL_OUTCOMES } from "./simulate-withdrawal.ts";

const REASON_LENGTH_MAX = 200;

export const CODE_CONFLICT = "The code field goes with the outcome decline only.";
const takeReason = new Intl.ListFormat("en-GB").format(TAKE_REASON);
export const REASON_CONFLICT = `The reason field goes with the outcomes ${takeReason} only.`;

/** Of two letters or digits; "00" would approve. */
const declineCode = text({
  max: 2,
  pattern: /^(?:0[1-9A-Z]|[1-9A-Z][0-9A-Z])$/,
  patternRefusal: "The code must be two digits or capital letters, other than 00.",
});

function goesWith<T>(outcomes: readonly string[], inner: Field<T>, refusal: string): Field<T> {
  return checked(inner, (_value, name, { outcome } = {}) => {
    if (typeof outcome === "string" && !outcomes.includes(outcome))
      throw new FieldsConflict(refusal, name);
  });
}

export const paymentSimulationFields = {
  outcome: described(oneOf(PAYMENT_OUTCOMES), "What is to happen.", "approve"),
  code: described(
    optional(goesWith(["decline"], declineCode, CODE_CONFLICT)),
    "With `decline` only: the code of the card's bank. Absent: 05.",
  ),
};

export const withdrawalSimulationFields = {
  outcome: described(oneOf(WITHDRAWAL_OUTCOMES), "What is to happen.", "process"),
  reason: described(
    optional(goesWith(TAKE_REASON, withoutCardNumber(line(REASON_LENGTH_MAX)), REASON_CONFLICT)),
    "With `fail`, `hold` and `return`: what `status_description` says.",
  ),
};

export const receiverSimulationFields = {
  receiver: described(oneOf(RECEIVERS), "How it answers.", "error"),
  seconds: described(
    integer({ min: 0, max: SIMULATED_SECONDS_MAX }),
    "For how long; it ends by itself.",
    60,
  ),
};
