/** Why somebody does something: asked for in every form of an action, and of a download. */

import type { RefusedForm, SentForm } from "../../console/refused.ts";
import { readFields } from "../../kit/fields/field.ts";
import type { Html } from "../../kit/html.ts";
import { REASON_LENGTH_MAX, signatureFields } from "../../modules/operator/fields.ts";
import { textareaField } from "../../parts/field.ts";

export function reasonField({
  value = "",
  refused,
}: {
  readonly value?: string | undefined;
  readonly refused: RefusedForm | undefined;
}): Html {
  return textareaField({
    name: "why",
    label: "Reason",
    hint: "Only operators read it: it is kept in the audit log, with your name.",
    value,
    rows: 2,
    maxlength: REASON_LENGTH_MAX,
    required: true,
    error: refused?.errorOf("why"),
  });
}

export function readReason(sent: SentForm): string {
  return readFields({ why: signatureFields.why }, { why: sent.why?.trim() }).why;
}
