/** What pages that ask for a second factor share: the field of a code, and what they refuse. */

import type { Html } from "../kit/html.ts";
import { textField } from "../parts/field.ts";

/** A recovery code is taken, too. */
const LENGTH_MAX = 40;

export const WRONG_CODE = "That code is not right, or it was used before.";
/** Where an app is set up. */
export const WRONG_APP_CODE =
  "That is not the app's code. Check the time on your phone, and use the next code.";
export const WRONG_PASSKEY =
  "The passkey was not accepted. Please try again, or choose another way.";

export function codeField(parts: {
  readonly hint?: string;
  readonly required?: boolean;
  readonly autofocus?: boolean;
  readonly error: string | undefined;
}): Html {
  return textField({
    hint: "Six digits, from your authenticator app.",
    ...parts,
    name: "code",
    label: "Code",
    autocomplete: "one-time-code",
    inputmode: "numeric",
    maxlength: LENGTH_MAX,
    isCode: true,
  });
}
