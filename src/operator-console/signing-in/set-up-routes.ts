/**
 * The first second factor: who signs in without one sets one up before anything else opens
 * (Decision 0118). An authenticator app is what everybody can have; passkeys are added afterwards.
 */

import { encodeQR } from "qr";
import { nextField, redirect } from "../../console/answers.ts";
import { codeField, WRONG_APP_CODE } from "../../console/code-field.ts";
import { operatorCookie, readOperatorCookie } from "../../console/cookies.ts";
import { narrowPage } from "../../console/page.ts";
import type { Answer } from "../../infra/http/answer.ts";
import { type CallHead, publicRoute, type Route } from "../../infra/http/route.ts";
import { type Html, html, trusted } from "../../kit/html.ts";
import { finishSignIn } from "../../modules/people/console-session.ts";
import { readHalfwayOperatorSession } from "../../modules/people/operators/operator-session.ts";
import { beginTotp, confirmTotp, type Enrolment, pendingTotp } from "../../modules/people/totp.ts";
import { auditProof } from "../../modules/people/verify-second-factor.ts";
import { copyButton } from "../../parts/copy.ts";
import { button, postForm } from "../../parts/form.ts";
import { problemSummary } from "../../parts/notice.ts";
import type { OperatorConsoleContext } from "../context.ts";
import { demandOperatorPost } from "../form-token.ts";
import { nextPage, OPERATOR_PAGE } from "../operator-route.ts";
import { type OperatorVisitor, visitorFrom } from "../visitor.ts";

const PATH = "/operator/set-up";
const QR_BORDER = 4;
const PICTURE = "The secret as a picture, for your app to scan";

async function settingUp(
  ctx: OperatorConsoleContext,
  call: CallHead,
): Promise<OperatorVisitor | undefined> {
  const token = readOperatorCookie(ctx.config, call.header);
  const session = token && (await readHalfwayOperatorSession(ctx.db, token, "set_up"));
  return session ? visitorFrom(ctx, session, call) : undefined;
}

/** Also on the page of the profile. */
export function enrolmentForm(
  { secret, uri }: Enrolment,
  form: { readonly action: string; readonly csrf: string; readonly next: string },
  problem: string | undefined,
): Html {
  const spaced = secret.replace(/.{4}(?=.)/g, "$& ");
  const picture = trusted(encodeQR(uri, "svg", { border: QR_BORDER }));
  return html`<p>Scan this with an authenticator app, such as Aegis, Google Authenticator or your
password manager.</p>
<div class="qr" role="img" aria-label="${PICTURE}">${picture}</div>
<p>Or type this secret into the app:
<span class="copyable"><code id="secret">${spaced}</code>
${copyButton(secret, "the secret")}</span></p>
${postForm({
  ...form,
  hidden: { next: form.next },
  content: html`${codeField({
    hint: "The six digits that the app shows.",
    required: true,
    error: problem,
  })}
${button({ text: "Set up", kind: "primary" })}`,
})}`;
}

function page(
  { formToken }: OperatorVisitor,
  enrolment: Enrolment,
  { next, problem }: { readonly next: string; readonly problem?: string },
): Answer {
  return narrowPage({
    title: "Set up a second factor",
    status: problem === undefined ? 200 : 422,
    message: problem !== undefined && problemSummary([{ field: "code", message: problem }]),
    content: html`<p>Your password alone opens nothing here. From now on your sign-in also asks for
a code of an authenticator app; passkeys can be added in your profile.</p>
${enrolmentForm(enrolment, { action: PATH, csrf: formToken, next }, problem)}`,
  });
}

export const operatorSetUpRoutes: readonly Route<OperatorConsoleContext>[] = [
  publicRoute({
    ...OPERATOR_PAGE,
    method: "GET",
    path: PATH,
    summary: "Set up an operator's first second factor",
    query: { next: nextField },
    async run(ctx: OperatorConsoleContext, call): Promise<Answer> {
      const visitor = await settingUp(ctx, call);
      if (visitor === undefined) return redirect("/operator/sign-in");
      const begun = await beginTotp(ctx, visitor);
      if (begun === undefined) return redirect("/operator/sign-in");
      return page(visitor, begun, { next: nextPage(call.query.next) });
    },
  }),
  publicRoute({
    ...OPERATOR_PAGE,
    method: "POST",
    path: PATH,
    summary: "Take the first code of an operator's authenticator app",
    async run(ctx: OperatorConsoleContext, call): Promise<Answer> {
      const visitor = await settingUp(ctx, call);
      if (visitor === undefined) return redirect("/operator/sign-in");
      demandOperatorPost(ctx.config, call, visitor.sessionId);
      const { code = "", next: sentNext } = call.texts();
      const next = nextPage(sentNext);
      if (await confirmTotp(ctx, visitor, code)) {
        const token = await ctx.db.transaction(async (tx) => {
          const made = await finishSignIn(tx, visitor, "totp");
          const entry = { action: "console_signed_in", kind: "totp" };
          if (made !== undefined) await auditProof(tx, visitor, visitor.from, entry);
          return made;
        });
        if (token === undefined) return redirect("/operator/sign-in");
        return redirect(next, [operatorCookie(ctx.config, token)]);
      }
      const pending = await pendingTotp(ctx, visitor.person);
      if (pending === undefined) return redirect("/operator/sign-in");
      const again = page(visitor, pending, { next, problem: WRONG_APP_CODE });
      return { ...again, error: "second_factor_refused" };
    },
  }),
];
