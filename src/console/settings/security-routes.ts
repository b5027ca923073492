/** What the holder's sign-in to the API needs, and the end of the account. Owners only. */

import type { Answer } from "../../infra/http/answer.ts";
import { FieldRefused } from "../../kit/errors.ts";
import { oneOf } from "../../kit/fields/choice.ts";
import { readFields } from "../../kit/fields/field.ts";
import { html } from "../../kit/html.ts";
import { closeOwnAccount } from "../../modules/accounts/close-account.ts";
import { API_SIGN_INS, apiSignInOf, setApiSignIn } from "../../modules/auth/api-sign-in.ts";
import { radioGroup, textField } from "../../parts/field.ts";
import { button, postForm } from "../../parts/form.ts";
import { notice } from "../../parts/notice.ts";
import { panel } from "../../parts/panel.ts";
import { redirect } from "../answers.ts";
import { type ConsoleRoute, consoleRoute } from "../console-route.ts";
import type { ConsoleContext } from "../context.ts";
import { endedSessionCookie } from "../cookies.ts";
import { consolePage } from "../page.ts";
import { orRefused, type RefusedForm } from "../refused.ts";
import type { Visitor } from "../visitor.ts";
import { inSettings } from "./tabs.ts";

const PAGE = "/console/settings/security";
const right = "security" as const;

const WORDS = {
  password: "With the password only",
  password_and_code: "With the password and a code from the authenticator app",
  off: "Not at all: only API keys work",
} as const;

async function showSecurity(
  { db }: ConsoleContext,
  visitor: Visitor,
  refused?: RefusedForm,
): Promise<Answer> {
  const current = await apiSignInOf(db, visitor.account.accountNumber);
  return consolePage(visitor, {
    title: "Security",
    ...inSettings(visitor, "Security"),
    problem: refused?.summary,
    content: [
      panel({
        heading: "Signing in to the API",
        text: "How programs get an access token with the e-mail and password of the account.",
        content: postForm({
          action: `${PAGE}/api-sign-in`,
          csrf: visitor.formToken,
          content: html`${radioGroup({
            name: "api_sign_in",
            label: "Programs sign in",
            value: current,
            options: API_SIGN_INS.map((value) => ({ value, text: WORDS[value] })),
            error: refused?.errorOf("api_sign_in"),
          })}
${button({ text: "Save", kind: "primary" })}`,
        }),
      }),
      closing(visitor, refused),
    ],
  });
}

function closing(visitor: Visitor, refused: RefusedForm | undefined) {
  const { accountNumber, isMainMerchant } = visitor.account;
  return panel({
    heading: "Close the account",
    text:
      "Payments, sign-ins and keys stop at once, for good. It is possible once no money, payment " +
      "or withdrawal is left.",
    content: isMainMerchant
      ? notice({ tone: "plain", text: "The operator closes the account of a main merchant." })
      : postForm({
          action: `${PAGE}/close`,
          csrf: visitor.formToken,
          content: html`${textField({
            name: "account_number",
            label: `Type ${accountNumber} to close it`,
            inputmode: "numeric",
            isCode: true,
            required: true,
            error: refused?.errorOf("account_number"),
          })}
${button({ text: "Close the account", kind: "danger" })}`,
        }),
  });
}

const show = consoleRoute({
  method: "GET",
  path: PAGE,
  summary: "Security of the account",
  right,
  run: (ctx: ConsoleContext, _call, visitor) => showSecurity(ctx, visitor),
});

const apiSignIn = consoleRoute({
  method: "POST",
  path: `${PAGE}/api-sign-in`,
  summary: "Say what signing in to the API needs",
  right,
  needsProof: true,
  run: (ctx: ConsoleContext, { texts }, visitor) =>
    orRefused(
      async () => {
        const { api_sign_in } = readFields({ api_sign_in: oneOf(API_SIGN_INS) }, texts());
        await ctx.db.transaction((tx) => setApiSignIn(ctx, tx, visitor.caller, api_sign_in));
        return redirect(`${PAGE}?done=saved`);
      },
      (refused) => showSecurity(ctx, visitor, refused),
    ),
});

const close = consoleRoute({
  method: "POST",
  path: `${PAGE}/close`,
  summary: "Close the account",
  right,
  needsProof: true,
  run: (ctx: ConsoleContext, { texts }, visitor) =>
    orRefused(
      async () => {
        if (texts().account_number?.trim() !== visitor.account.accountNumber)
          throw new FieldRefused("Type the number of the account to close it.", {
            field: "account_number",
          });
        await ctx.db.transaction((tx) => closeOwnAccount(ctx, tx, visitor.caller));
        return redirect("/sign-in?done=closed", [endedSessionCookie(ctx.config)]);
      },
      (refused) => showSecurity(ctx, visitor, refused),
    ),
});

export const securityRoutes: readonly ConsoleRoute<ConsoleContext>[] = [show, apiSignIn, close];
