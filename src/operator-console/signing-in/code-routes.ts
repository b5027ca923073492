/** The second step of an operator's sign-in; such a halfway session opens no other page. */

import { nextField, redirect } from "../../console/answers.ts";
import { WRONG_CODE, WRONG_PASSKEY } from "../../console/code-field.ts";
import { operatorCookie, readOperatorCookie } from "../../console/cookies.ts";
import { narrowPage } from "../../console/page.ts";
import { browserName } from "../../console/visitor.ts";
import type { Answer } from "../../infra/http/answer.ts";
import { type Call, publicRoute, type Route } from "../../infra/http/route.ts";
import { html } from "../../kit/html.ts";
import {
  type OperatorSession,
  readHalfwayOperatorSession,
} from "../../modules/people/operators/operator-session.ts";
import { verifySecondFactor } from "../../modules/people/verify-second-factor.ts";
import { passkeyScript } from "../../parts/console-assets.ts";
import { problemSummary } from "../../parts/notice.ts";
import type { OperatorConsoleContext } from "../context.ts";
import { demandOperatorPost, operatorFormToken } from "../form-token.ts";
import { nextPage, OPERATOR_PAGE } from "../operator-route.ts";
import { operatorOf } from "../visitor.ts";
import { codeForm, codeFormView, shownFactor } from "./code-form.ts";

const PATH = "/operator/sign-in/code";

type PageCall = Pick<Call<never, never, never>, "header" | "url" | "address" | "texts">;

function halfway(ctx: OperatorConsoleContext, { header }: PageCall) {
  const token = readOperatorCookie(ctx.config, header);
  return token === undefined
    ? undefined
    : readHalfwayOperatorSession(ctx.db, token, "second_factor");
}

async function page(
  ctx: OperatorConsoleContext,
  { header }: PageCall,
  session: OperatorSession,
  { next, problem }: { readonly next: string; readonly problem?: string },
): Promise<Answer> {
  const view = await codeFormView(ctx, session, header("host"));
  return narrowPage({
    title: "One more step",
    status: problem === undefined ? 200 : 422,
    scripts: [passkeyScript],
    message:
      problem !== undefined &&
      problemSummary([{ message: problem, ...(view.factors.totp && { field: "code" }) }]),
    content: codeForm({
      ...view,
      csrf: operatorFormToken(ctx.config, session.sessionId),
      next,
      action: PATH,
      button: "Sign in",
      problem,
    }),
    below: html`<p><a href="/operator/sign-in">Sign in as somebody else</a></p>`,
  });
}

export const operatorCodeRoutes: readonly Route<OperatorConsoleContext>[] = [
  publicRoute({
    ...OPERATOR_PAGE,
    method: "GET",
    path: PATH,
    summary: "Show an operator's second factor",
    query: { next: nextField },
    async run(ctx: OperatorConsoleContext, call): Promise<Answer> {
      const next = nextPage(call.query.next);
      const session = await halfway(ctx, call);
      if (session !== undefined) return page(ctx, call, session, { next });
      return redirect((await operatorOf(ctx, call)) === undefined ? "/operator/sign-in" : next);
    },
  }),
  publicRoute({
    ...OPERATOR_PAGE,
    method: "POST",
    path: PATH,
    summary: "Take an operator's code or passkey",
    async run(ctx: OperatorConsoleContext, call): Promise<Answer> {
      const session = await halfway(ctx, call);
      if (session === undefined) return redirect("/operator/sign-in");
      demandOperatorPost(ctx.config, call, session.sessionId);
      const sent = call.texts();
      const next = nextPage(sent.next);
      const shown = shownFactor(ctx, sent, call.header("host"));
      const from = { address: call.address, browser: browserName(call.header("user-agent")) };
      const taken = await verifySecondFactor(ctx, session, shown, from);
      if (taken !== false && taken.token !== undefined)
        return redirect(next, [operatorCookie(ctx.config, taken.token)]);
      const problem = shown.kind === "code" ? WRONG_CODE : WRONG_PASSKEY;
      const answer = await page(ctx, call, session, { next, problem });
      return { ...answer, error: "second_factor_refused" };
    },
  }),
];
