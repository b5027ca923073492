/** Changing one's own password: the old one is the fresh proof. */

import { redirect } from "../../console/answers.ts";
import { endedOperatorCookie } from "../../console/cookies.ts";
import { newPasswordFields, typedPassword } from "../../console/password-fields.ts";
import type { Answer } from "../../infra/http/answer.ts";
import { html } from "../../kit/html.ts";
import {
  changeOwnPassword,
  type OwnPasswordProblem,
} from "../../modules/people/change-own-password.ts";
import { passwordField } from "../../parts/field.ts";
import { button, buttonRow, cancelLink, postForm } from "../../parts/form.ts";
import { problemSummary } from "../../parts/notice.ts";
import { panel } from "../../parts/panel.ts";
import type { OperatorConsoleContext } from "../context.ts";
import { type OperatorRoute, operatorRoute } from "../operator-route.ts";
import { operatorPage } from "../page.ts";
import type { OperatorVisitor } from "../visitor.ts";

const PATH = "/operator/me/password";

function page(
  { config }: OperatorConsoleContext,
  visitor: OperatorVisitor,
  problem?: OwnPasswordProblem,
): Answer {
  return operatorPage(visitor, {
    title: "Change password",
    back: { name: "Your profile", href: "/operator/me" },
    status: problem === undefined ? 200 : 422,
    problem: problem && problemSummary([{ field: problem.field, message: problem.sentence }]),
    content: panel({
      content: postForm({
        action: PATH,
        csrf: visitor.formToken,
        content: html`<p>You will be signed out everywhere.</p>
${passwordField({
  name: "old_password",
  label: "Old password",
  required: true,
  autocomplete: "current-password",
  error: problem?.field === "old_password" ? problem.sentence : undefined,
})}
${newPasswordFields(config.passwords, {
  label: "New password",
  problem: problem?.field === "old_password" ? undefined : problem,
})}
${buttonRow(button({ text: "Change password", kind: "primary" }), cancelLink("/operator/me"))}`,
      }),
    }),
  });
}

export const ownPasswordRoutes: readonly OperatorRoute[] = [
  operatorRoute({
    method: "GET",
    path: PATH,
    summary: "Change one's own password",
    right: "self",
    run: async (ctx, _call, visitor) => page(ctx, visitor),
  }),
  operatorRoute({
    method: "POST",
    path: PATH,
    summary: "Take a new password",
    right: "self",
    async run(ctx, { texts }, visitor): Promise<Answer> {
      const { old_password, new_password = "", confirm_password = "" } = texts();
      const problem = await changeOwnPassword(ctx, visitor, {
        old_password: typedPassword(old_password),
        new_password,
        confirm_password,
        ...visitor.from,
      });
      if (problem !== undefined)
        return { ...page(ctx, visitor, problem), error: "console_form_refused" };
      const ended = [endedOperatorCookie(ctx.config)];
      return redirect("/operator/sign-in?done=password", ended);
    },
  }),
];
