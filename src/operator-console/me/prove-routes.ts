/** A second factor shown again, before factors are changed. */

import { nextField, redirect } from "../../console/answers.ts";
import { WRONG_CODE, WRONG_PASSKEY } from "../../console/code-field.ts";
import type { Answer } from "../../infra/http/answer.ts";
import { verifySecondFactor } from "../../modules/people/verify-second-factor.ts";
import { passkeyScript } from "../../parts/console-assets.ts";
import { problemSummary } from "../../parts/notice.ts";
import { panel } from "../../parts/panel.ts";
import type { OperatorConsoleContext } from "../context.ts";
import { nextPage, type OperatorRoute, operatorRoute } from "../operator-route.ts";
import { operatorPage } from "../page.ts";
import { codeForm, codeFormView, shownFactor } from "../signing-in/code-form.ts";
import type { OperatorVisitor } from "../visitor.ts";

const PATH = "/operator/prove";

async function page(
  ctx: OperatorConsoleContext,
  visitor: OperatorVisitor,
  { host, next, problem }: { host: string | undefined; next: string; problem?: string },
): Promise<Answer> {
  const view = await codeFormView(ctx, visitor, host);
  return operatorPage(visitor, {
    title: "Confirm that it is you",
    status: problem === undefined ? 200 : 422,
    scripts: [passkeyScript],
    problem: problem !== undefined && problemSummary([{ message: problem }]),
    content: panel({
      content: codeForm({
        ...view,
        csrf: visitor.formToken,
        next,
        action: PATH,
        button: "Continue",
        problem,
      }),
    }),
  });
}

export const proveRoutes: readonly OperatorRoute[] = [
  operatorRoute({
    method: "GET",
    path: PATH,
    summary: "Ask for a second factor again",
    right: "self",
    query: { next: nextField },
    run: (ctx, { query, header }, visitor) =>
      page(ctx, visitor, { host: header("host"), next: nextPage(query.next) }),
  }),
  operatorRoute({
    method: "POST",
    path: PATH,
    summary: "Take a second factor again",
    right: "self",
    async run(ctx, { texts, header }, visitor): Promise<Answer> {
      const sent = texts();
      const next = nextPage(sent.next);
      const host = header("host");
      const shown = shownFactor(ctx, sent, host);
      if (await verifySecondFactor(ctx, visitor, shown, visitor.from)) return redirect(next);
      const problem = shown.kind === "code" ? WRONG_CODE : WRONG_PASSKEY;
      const again = await page(ctx, visitor, { host, next, problem });
      return { ...again, error: "second_factor_refused" };
    },
  }),
];
