/**
 * Setting up an authenticator app and removing it. Every look at the page makes a new secret until
 * one is confirmed, so nobody confirms a secret that was seen before.
 */

import { encodeQR } from "qr";
import type { Answer } from "../../infra/http/answer.ts";
import { html, trusted } from "../../kit/html.ts";
import { secondFactorsOf } from "../../modules/people/second-factors.ts";
import {
  beginTotp,
  confirmTotp,
  type Enrolment,
  pendingTotp,
  removeTotp,
} from "../../modules/people/totp.ts";
import { copyButton } from "../../parts/copy.ts";
import { button, buttonRow, cancelLink, confirmForm, postForm } from "../../parts/form.ts";
import { problemSummary } from "../../parts/notice.ts";
import { panel } from "../../parts/panel.ts";
import { redirect } from "../answers.ts";
import { codeField, WRONG_APP_CODE } from "../code-field.ts";
import { type ConsoleRoute, consoleRoute } from "../console-route.ts";
import type { ConsoleContext } from "../context.ts";
import { consolePage } from "../page.ts";
import type { Visitor } from "../visitor.ts";
import { BACK_TO_ME, factorAdded, LAST_FACTOR } from "./own-factors.ts";

const PATH = "/console/me/authenticator";
const QR_BORDER = 4;
const PICTURE = "The secret as a picture, for your app to scan";

function setUpPage(visitor: Visitor, { secret, uri }: Enrolment, problem?: string): Answer {
  const spaced = secret.replace(/.{4}(?=.)/g, "$& ");
  const picture = trusted(encodeQR(uri, "svg", { border: QR_BORDER }));
  return consolePage(visitor, {
    title: "Set up an authenticator app",
    back: BACK_TO_ME,
    status: problem === undefined ? 200 : 422,
    problem: problem !== undefined && problemSummary([{ field: "code", message: problem }]),
    content: panel({
      content: html`<p>You need an authenticator app, such as Aegis, Google Authenticator or your
password manager. If it is on this device, open the app from here; from another one, scan the
picture.</p>
<p><a class="button secondary" href="${uri}">Open in your authenticator app</a></p>
<div class="qr" role="img" aria-label="${PICTURE}">${picture}</div>
<p>Or type this secret into the app:
<span class="copyable"><code id="secret">${spaced}</code>
${copyButton(secret, "the secret")}</span></p>
${postForm({
  action: PATH,
  csrf: visitor.formToken,
  content: html`${codeField({
    hint: "The six digits that the app shows.",
    required: true,
    error: problem,
  })}
${buttonRow(button({ text: "Set up", kind: "primary" }), cancelLink("/console/me"))}`,
})}`,
    }),
  });
}

function removePage(visitor: Visitor, isLast: boolean): Answer {
  return consolePage(visitor, {
    title: "Remove the authenticator app",
    back: BACK_TO_ME,
    content: panel({
      content: confirmForm({
        action: `${PATH}/remove`,
        csrf: visitor.formToken,
        text: html`<p>Its codes will no longer be accepted.</p>${isLast && LAST_FACTOR}`,
        button: "Remove the app",
        isDangerous: true,
        cancelHref: "/console/me",
      }),
    }),
  });
}

export const authenticatorRoutes: readonly ConsoleRoute<ConsoleContext>[] = [
  consoleRoute({
    method: "GET",
    path: PATH,
    summary: "Set up an authenticator app, or remove it",
    right: "self",
    needsProof: true,
    async run(ctx: ConsoleContext, _call, visitor): Promise<Answer> {
      const begun = await beginTotp(ctx, visitor);
      if (begun !== undefined) return setUpPage(visitor, begun);
      const factors = await secondFactorsOf(ctx.db, visitor.person.personId);
      return removePage(visitor, factors.passkeys === 0);
    },
  }),
  consoleRoute({
    method: "POST",
    path: PATH,
    summary: "Take the first code of an authenticator app",
    right: "self",
    needsProof: true,
    async run(ctx: ConsoleContext, { texts }, visitor): Promise<Answer> {
      if (await confirmTotp(ctx, visitor, texts().code ?? "")) {
        return factorAdded(ctx, visitor, "authenticator");
      }
      const pending = await pendingTotp(ctx, visitor.person);
      if (pending === undefined) return redirect(PATH);
      return { ...setUpPage(visitor, pending, WRONG_APP_CODE), error: "second_factor_refused" };
    },
  }),
  consoleRoute({
    method: "POST",
    path: `${PATH}/remove`,
    summary: "Remove the authenticator app",
    right: "self",
    needsProof: true,
    async run(ctx: ConsoleContext, _call, visitor): Promise<Answer> {
      await removeTotp(ctx, visitor);
      return redirect("/console/me?done=authenticator_removed");
    },
  }),
];
