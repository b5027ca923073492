/** Recovery codes: made anew, and shown this once. */

import type { Answer } from "../../infra/http/answer.ts";
import { html } from "../../kit/html.ts";
import { makeRecoveryCodes } from "../../modules/people/recovery-codes.ts";
import { hasSecondFactor, secondFactorsOf } from "../../modules/people/second-factors.ts";
import { codeBlock } from "../../parts/code-block.ts";
import { confirmForm, linkButton } from "../../parts/form.ts";
import { notice } from "../../parts/notice.ts";
import { panel } from "../../parts/panel.ts";
import { redirect } from "../answers.ts";
import { type ConsoleRoute, consoleRoute } from "../console-route.ts";
import type { ConsoleContext } from "../context.ts";
import { consolePage } from "../page.ts";
import type { Visitor } from "../visitor.ts";
import { BACK_TO_ME } from "./own-factors.ts";

const PATH = "/console/me/recovery-codes";

function askPage(visitor: Visitor, left: number): Answer {
  const old = left === 1 ? "The one you still have stops" : `The ${left} you still have stop`;
  return consolePage(visitor, {
    title: "Make recovery codes",
    back: BACK_TO_ME,
    content: panel({
      content: confirmForm({
        action: PATH,
        csrf: visitor.formToken,
        text: html`<p>Ten codes, each good for one sign-in when your phone or passkey is lost.
They are shown once.</p>
${left > 0 && html`<p>${old} working.</p>`}`,
        button: "Make codes",
        cancelHref: "/console/me",
      }),
    }),
  });
}

function codesPage(visitor: Visitor, codes: readonly string[]): Answer {
  return consolePage(visitor, {
    title: "Your recovery codes",
    back: BACK_TO_ME,
    content: panel({
      content: html`${notice({
        tone: "warn",
        heading: "They are not shown again",
        text: "Print them, or save them in a password manager.",
      })}
${codeBlock({ title: "Recovery codes", code: codes.join("\n") })}
${linkButton({ text: "I have saved them", kind: "primary", href: "/console/me" })}`,
    }),
  });
}

export const recoveryCodeRoutes: readonly ConsoleRoute<ConsoleContext>[] = [
  consoleRoute({
    method: "GET",
    path: PATH,
    summary: "Make recovery codes",
    right: "self",
    needsProof: true,
    async run(ctx: ConsoleContext, _call, visitor): Promise<Answer> {
      const factors = await secondFactorsOf(ctx.db, visitor.person.personId);
      if (!hasSecondFactor(factors)) return redirect("/console/me");
      return askPage(visitor, factors.recoveryCodes);
    },
  }),
  consoleRoute({
    method: "POST",
    path: PATH,
    summary: "Make recovery codes anew, and show them",
    right: "self",
    needsProof: true,
    run: async (ctx: ConsoleContext, _call, visitor) =>
      codesPage(visitor, await makeRecoveryCodes(ctx, visitor)),
  }),
];
