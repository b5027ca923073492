/**
 * Changing one's own password. The form asks for the old one, which is the fresh proof, so no other
 * is asked for before it.
 */

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
import { redirect } from "../answers.ts";
import { type ConsoleRoute, consoleRoute } from "../console-route.ts";
import type { ConsoleContext } from "../context.ts";
import { endedSessionCookie } from "../cookies.ts";
import { consolePage } from "../page.ts";
import { newPasswordFields, typedPassword } from "../password-fields.ts";
import { browserName, type Visitor } from "../visitor.ts";
import { BACK_TO_ME } from "./own-factors.ts";

const OF_A_HOLDER =
  "You will be signed out everywhere, and so will programs that signed in with this password. " +
  "API keys keep working.";

function page({ config }: ConsoleContext, visitor: Visitor, problem?: OwnPasswordProblem): Answer {
  const holds = visitor.person.holderOf !== undefined;
  return consolePage(visitor, {
    title: "Change password",
    back: BACK_TO_ME,
    status: problem === undefined ? 200 : 422,
    problem: problem && problemSummary([{ field: problem.field, message: problem.sentence }]),
    content: panel({
      content: postForm({
        action: "/console/me/password",
        csrf: visitor.formToken,
        content: html`<p>${holds ? OF_A_HOLDER : "You will be signed out everywhere."}</p>
${passwordField({
  name: "old_password",
  label: "Old password",
  required: true,
  autocomplete: "current-password",
  error: problem?.field === "old_password" ? problem.sentence : undefined,
})}
${newPasswordFields(config.passwords, { label: "New password", problem })}
${buttonRow(button({ text: "Change password", kind: "primary" }), cancelLink("/console/me"))}`,
      }),
    }),
  });
}

export const passwordRoutes: readonly ConsoleRoute<ConsoleContext>[] = [
  consoleRoute({
    method: "GET",
    path: "/console/me/password",
    summary: "Change one's own password",
    right: "self",
    run: async (ctx: ConsoleContext, _call, visitor) => page(ctx, visitor),
  }),
  consoleRoute({
    method: "POST",
    path: "/console/me/password",
    summary: "Take a new password",
    right: "self",
    async run(ctx: ConsoleContext, { texts, address, header }, visitor): Promise<Answer> {
      const { old_password, new_password = "", confirm_password = "" } = texts();
      const problem = await changeOwnPassword(ctx, visitor, {
        old_password: typedPassword(old_password),
        new_password,
        confirm_password,
        address,
        browser: browserName(header("user-agent")),
      });
      if (problem !== undefined)
        return { ...page(ctx, visitor, problem), error: "console_form_refused" };
      return redirect("/sign-in?done=password", [endedSessionCookie(ctx.config)]);
    },
  }),
];
