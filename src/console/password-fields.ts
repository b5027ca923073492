/** The fields of passwords: what is read of a typed one, and the two that set a new one. */

import type { Config } from "../infra/config.ts";
import { type Html, html } from "../kit/html.ts";
import { PASSWORD_LENGTH_MAX, passwordRules } from "../modules/accounts/passwords.ts";
import { passwordField } from "../parts/field.ts";

/** No password is longer, and hashing an endless one takes its time. */
export function typedPassword(text = ""): string {
  return text.slice(0, PASSWORD_LENGTH_MAX);
}

/** What was typed is never written into a page: after a mistake both fields are empty. */
export function newPasswordFields(
  rules: Config["passwords"],
  {
    label,
    problem,
  }: {
    readonly label: "Password" | "New password";
    readonly problem: { readonly field: string; readonly sentence: string } | undefined;
  },
): Html {
  const about = (name: string) => ({
    name,
    required: true,
    autocomplete: "new-password",
    maxlength: PASSWORD_LENGTH_MAX,
    ...(problem?.field === name ? { error: problem.sentence, autofocus: true } : {}),
  });
  return html`${passwordField({ ...about("new_password"), label, hint: passwordRules(rules) })}
${passwordField({ ...about("confirm_password"), label: "Confirm the password" })}`;
}
