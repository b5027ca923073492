/**
 * A payment request with the deprecated method `credit_card` is taken as `credit_card_co` (Decision
 * 0064). Its answer says so, and it is counted for its account, so that an operator knows who still
 * sends it. Which spelling was sent is told from the body as it came: the fields that were read are
 * the same for both, and so is the request.
 */

import type { Answer } from "../../../infra/http/answer.ts";
import { DEPRECATED_METHOD, LEGACY_METHOD } from "../../v1-compat/deprecated-method.ts";
import { NO_CREDENTIAL, type V1CompatContext } from "../../v1-compat/v1-use.ts";

/** The guide that says what to send instead. */
const GUIDE = "/docs/coming-from-another-integration";

interface Sent {
  /** As the body has it. */
  readonly method: unknown;
  readonly accountNumber: string;
  readonly answer: Answer;
}

/** Gives the answer, marked as deprecated where the old method was sent. */
export function noteLegacyMethod(
  { v1Use, config }: V1CompatContext,
  { method, accountNumber, answer }: Sent,
): Answer {
  if (method !== LEGACY_METHOD) return answer;
  v1Use.note({ accountNumber, credential: NO_CREDENTIAL, name: DEPRECATED_METHOD.used });
  const link = `<${config.http.publicUrl}${GUIDE}>; rel="deprecation"`;
  return { ...answer, headers: { ...answer.headers, deprecation: "true", link } };
}
