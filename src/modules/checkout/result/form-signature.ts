/**
 * The HMAC that results carry and payment requests may carry (Decisions 0039 and 0066): one
 * function for both, so that they cannot differ in how names are sorted or text is encoded.
 */

import { createHmac } from "node:crypto";
import type { Parameter } from "./merge-into-url.ts";

/** Names are unique; they are compared by UTF-16 code units, as `URLSearchParams.sort()` does. */
export function formSignature(parameters: readonly Parameter[], signingSecret: string): Buffer {
  const sorted = parameters.toSorted(([one], [other]) => (one < other ? -1 : 1));
  const text = new URLSearchParams(sorted).toString();
  return createHmac("sha256", signingSecret).update(text).digest();
}
