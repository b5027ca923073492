/** What the pages of a person's second factors share. */

import type { Answer } from "../../infra/http/answer.ts";
import { html } from "../../kit/html.ts";
import { secondFactorsOf } from "../../modules/people/second-factors.ts";
import { redirect } from "../answers.ts";
import type { ConsoleContext } from "../context.ts";
import type { Visitor } from "../visitor.ts";

export const BACK_TO_ME = { name: "Your profile", href: "/console/me" };

export const LAST_FACTOR = html`<p>It is your only second factor: your password alone will open
this account, and your recovery codes are deleted.</p>`;

/** A lost factor must not lock its person out: recovery codes come next where there are none. */
export async function factorAdded(
  { db }: ConsoleContext,
  { person }: Visitor,
  done: "authenticator" | "passkey",
): Promise<Answer> {
  const { recoveryCodes } = await secondFactorsOf(db, person.personId);
  const to = recoveryCodes === 0 ? "/console/me/recovery-codes" : "/console/me";
  return redirect(`${to}?done=${done}`);
}
