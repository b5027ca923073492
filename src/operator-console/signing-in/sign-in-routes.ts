/** Signing in at `/operator`: e-mail and password first, then a second factor, always. */

import { nextField, redirect } from "../../console/answers.ts";
import { endedOperatorCookie, operatorCookie } from "../../console/cookies.ts";
import { doneText, narrowPage } from "../../console/page.ts";
import { typedPassword } from "../../console/password-fields.ts";
import { browserName } from "../../console/visitor.ts";
import { insertAudit } from "../../infra/audit.ts";
import type { Answer } from "../../infra/http/answer.ts";
import { publicRoute, type Route } from "../../infra/http/route.ts";
import { optional } from "../../kit/fields/field.ts";
import { normalEmail, text } from "../../kit/fields/text.ts";
import { html } from "../../kit/html.ts";
import { endOperatorSession } from "../../modules/people/operators/operator-session.ts";
import { signInOperator } from "../../modules/people/operators/sign-in-operator.ts";
import { SignInRefused } from "../../modules/people/sign-in.ts";
import { passwordField, textField } from "../../parts/field.ts";
import { button, postForm } from "../../parts/form.ts";
import { flash, problemSummary } from "../../parts/notice.ts";
import type { OperatorConsoleContext } from "../context.ts";
import { demandOperatorPost, operatorFormToken } from "../form-token.ts";
import {
  nextPage,
  OPERATOR_PAGE,
  type OperatorRoute,
  operatorRoute,
  withNext,
} from "../operator-route.ts";
import { operatorOf } from "../visitor.ts";

const SIGN_IN = "sign-in";
const WRONG = "The e-mail or the password is not right.";

const DONE: Readonly<Record<string, string>> = {
  signed_out: "You are signed out.",
  password: "Your password has been changed. Sign in with the new one.",
};

interface SignInView {
  readonly csrf: string;
  readonly next: string;
  readonly email?: string;
  readonly problem?: string;
  readonly done?: string | undefined;
  readonly status?: number;
}

function signInPage({ csrf, next, email = "", problem, done = "", status = 200 }: SignInView) {
  const said = doneText(DONE, done);
  return narrowPage({
    title: "Operator sign-in",
    status,
    message: [
      problem !== undefined && problemSummary([{ message: problem }], "That did not work"),
      said !== undefined && flash({ tone: "good", text: said }),
    ],
    content: postForm({
      action: "/operator/sign-in",
      csrf,
      hidden: { next },
      content: html`${textField({
        name: "email",
        label: "E-mail",
        type: "email",
        value: email,
        required: true,
        autocomplete: "username",
        autofocus: email === "",
      })}
${passwordField({
  name: "password",
  label: "Password",
  required: true,
  autocomplete: "current-password",
  autofocus: email !== "",
})}
${button({ text: "Sign in", kind: "primary" })}`,
    }),
    below: html`<p>Lost your password or your second factor? Another operator with the role admin
helps you back in.</p>
<p><a href="/sign-in">Merchants sign in here</a></p>`,
  });
}

const show = publicRoute({
  ...OPERATOR_PAGE,
  method: "GET",
  path: "/operator/sign-in",
  summary: "Sign in to the operator's console",
  query: { next: nextField, done: optional(text({ max: 20 })) },
  async run(ctx: OperatorConsoleContext, call): Promise<Answer> {
    const next = nextPage(call.query.next);
    if ((await operatorOf(ctx, call)) !== undefined) return redirect(next);
    return signInPage({
      csrf: operatorFormToken(ctx.config, SIGN_IN),
      next,
      done: call.query.done,
    });
  },
});

const take = publicRoute({
  ...OPERATOR_PAGE,
  method: "POST",
  path: "/operator/sign-in",
  summary: "Take an operator's e-mail and password",
  refuseWhenFull: (ctx: OperatorConsoleContext) => ctx.passwords.demandRoom(),
  async run(ctx: OperatorConsoleContext, call): Promise<Answer> {
    demandOperatorPost(ctx.config, call, SIGN_IN);
    const { email = "", password, next: sentNext } = call.texts();
    const next = nextPage(sentNext);
    try {
      const { token, hasFactor } = await signInOperator(ctx, {
        email: normalEmail(email) ?? email.slice(0, 320).toLowerCase(),
        password: typedPassword(password),
        address: call.address,
        browser: browserName(call.header("user-agent")),
      });
      const to = hasFactor ? "/operator/sign-in/code" : "/operator/set-up";
      return redirect(withNext(to, next), [operatorCookie(ctx.config, token)]);
    } catch (error) {
      if (!(error instanceof SignInRefused)) throw error;
      const csrf = operatorFormToken(ctx.config, SIGN_IN);
      const page = signInPage({ csrf, next, email, problem: WRONG, status: error.status });
      return { ...page, error: error.code };
    }
  },
});

export const operatorSignInRoutes: readonly Route<OperatorConsoleContext>[] = [show, take];

export const operatorSignOut: OperatorRoute = operatorRoute({
  method: "POST",
  path: "/operator/sign-out",
  summary: "Sign out of the operator's console",
  right: "self",
  async run(ctx, _call, { sessionId, person, from }): Promise<Answer> {
    await ctx.db.transaction(async (tx) => {
      await endOperatorSession(tx, sessionId);
      await insertAudit(tx, {
        action: "console_signed_out",
        actor: `person ${person.personId}`,
        detail: { operator: person.email, session_id: sessionId, ...from },
      });
    });
    const location = "/operator/sign-in?done=signed_out";
    return {
      ...redirect(location, [endedOperatorCookie(ctx.config)]),
      headers: { location, "clear-site-data": '"cache"' },
    };
  },
});
