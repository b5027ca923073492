/** The page of the link by which an operator sets a password; the token is the only secret. */

import { redirect } from "../../console/answers.ts";
import { narrowPage } from "../../console/page.ts";
import { newPasswordFields } from "../../console/password-fields.ts";
import type { Answer } from "../../infra/http/answer.ts";
import { publicRoute, type Route } from "../../infra/http/route.ts";
import { text } from "../../kit/fields/text.ts";
import { html } from "../../kit/html.ts";
import {
  demandResetLink,
  type PasswordProblem,
  resetPassword,
} from "../../modules/people/reset-password.ts";
import { textField } from "../../parts/field.ts";
import { button } from "../../parts/form.ts";
import type { OperatorConsoleContext } from "../context.ts";
import { OPERATOR_PAGE } from "../operator-route.ts";

/** More than a token has: a longer one is an unknown link like any other. */
const PARAM_LENGTH_MAX = 1_024;

const link = {
  ...OPERATOR_PAGE,
  path: "/operator/password/{token}",
  params: { token: text({ max: PARAM_LENGTH_MAX }) },
} as const;

function page(
  { config }: OperatorConsoleContext,
  email: string,
  problem?: PasswordProblem,
): Answer {
  const answer = narrowPage({
    title: "Set a password",
    status: problem === undefined ? 200 : 422,
    content: html`<p>You will be signed out of /operator everywhere.</p>
<form class="form" method="post">
${textField({
  name: "",
  id: "username",
  label: "E-mail",
  type: "email",
  autocomplete: "username",
  value: email,
  readonly: true,
})}
${newPasswordFields(config.passwords, { label: "New password", problem })}
${button({ text: "Set password", kind: "primary" })}
</form>`,
  });
  const headers = { ...answer.headers, "referrer-policy": "no-referrer" };
  if (problem === undefined) return { ...answer, headers };
  return { ...answer, headers, error: "reset_form_refused" };
}

export const operatorPasswordRoutes: readonly Route<OperatorConsoleContext>[] = [
  publicRoute({
    ...link,
    method: "GET",
    summary: "The page of an operator's password link",
    async run(ctx: OperatorConsoleContext, { params: { token } }): Promise<Answer> {
      const { email } = await demandResetLink(ctx, token, { isOperator: true });
      return page(ctx, email);
    },
  }),
  publicRoute({
    ...link,
    method: "POST",
    summary: "Set the password of an operator's link",
    limit: { name: "password", per: "address" },
    refuseWhenFull: ({ passwords }: OperatorConsoleContext) => passwords.demandRoom(),
    async run(ctx: OperatorConsoleContext, { params: { token }, address, texts }) {
      const { new_password = "", confirm_password = "" } = texts();
      ctx.passwords.demandRoom();
      const person = await demandResetLink(ctx, token, { isOperator: true });
      const reset = { token, new_password, confirm_password, address };
      const problem = await resetPassword(ctx, person, reset);
      if (problem !== undefined) return page(ctx, person.email, problem);
      return redirect("/operator/sign-in?done=password");
    },
  }),
];
