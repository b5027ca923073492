/**
 * The codes of a foreign bank: a SWIFT code (BIC, ISO 9362) or an ABA routing number of the United
 * States. Checked for typing mistakes, not for whether the bank exists (Decision 0019).
 */

import { FieldRefused } from "../../kit/errors.ts";
import { type Field, field, labelOf } from "../../kit/fields/field.ts";
import { asText } from "../../kit/fields/text.ts";
import { SWIFT_CODE } from "../../kit/ids.ts";

/** The first two digits: a Federal Reserve district, plus 20 for thrifts, plus 60 if electronic. */
const ABA = /^(?:0[1-9]|1[0-2]|2[1-9]|3[0-2]|6[1-9]|7[0-2]|80)\d{7}$/;
const ABA_WEIGHTS = [3, 7, 1];

const SWIFT_WORDS = "a SWIFT code of 8 or 11 characters";
const ABA_WORDS = "an ABA routing number of 9 digits";

const isSwift = (code: string) => SWIFT_CODE.test(code);

export const swiftField = codeField([isSwift], SWIFT_WORDS);
export const abaField = codeField([isAba], ABA_WORDS);
export const swiftOrAbaField = codeField([isSwift, isAba], `${SWIFT_WORDS} or ${ABA_WORDS}`);

function isAba(code: string): boolean {
  if (!ABA.test(code)) return false;
  const sum = [...code].reduce(
    (total, digit, at) => total + Number(digit) * (ABA_WEIGHTS[at % 3] ?? 0),
    0,
  );
  return sum % 10 === 0;
}

/** Small letters are read as capitals: the codes have no others. */
function codeField(kinds: readonly ((code: string) => boolean)[], words: string): Field<string> {
  return field({ type: "string" }, (value, name) => {
    const sent = asText(value, name);
    // Outside ASCII there are small letters whose capitals are inside it.
    const code = /^[ -~]*$/.test(sent) ? sent.toUpperCase() : "";
    if (!kinds.some((isOne) => isOne(code)))
      throw new FieldRefused(`The ${labelOf(name)} must be ${words}.`);
    return code;
  });
}
