/**
 * Signing in and out, and a forgotten password. Nobody is signed in here yet, so forms are bound to
 * the page's name: what keeps other sites out is the Origin (`form-token.ts`).
 */

import type { Answer } from "../../infra/http/answer.ts";
import { publicRoute, type Route } from "../../infra/http/route.ts";
import { optional } from "../../kit/fields/field.ts";
import { normalEmail, text } from "../../kit/fields/text.ts";
import { canSendMail } from "../../modules/mail/queue-mail.ts";
import { askForReset } from "../../modules/people/forgot-password.ts";
import { isToken, newToken } from "../../modules/people/random-token.ts";
import { SignInRefused, signIn } from "../../modules/people/sign-in.ts";
import { nextField, redirect, safeNext } from "../answers.ts";
import { PAGE_ROUTE } from "../console-route.ts";
import type { ConsoleContext } from "../context.ts";
import { browserCookie, readBrowserCookie, sessionCookie } from "../cookies.ts";
import { demandOwnPost, pageFormToken } from "../form-token.ts";
import { typedPassword } from "../password-fields.ts";
import { browserName, visitorOf } from "../visitor.ts";
import { forgotDonePage, forgotPage, signInPage } from "./sign-in-page.ts";

const SIGN_IN = "sign-in";
const FORGOT = "forgot";
const WRONG = "The e-mail or the password is not right.";

const showSignIn = publicRoute({
  ...PAGE_ROUTE,
  method: "GET",
  path: "/sign-in",
  summary: "Sign in to the console",
  query: {
    next: nextField,
    done: optional(text({ max: 20 })),
  },
  async run(ctx: ConsoleContext, call): Promise<Answer> {
    const next = safeNext(call.query.next);
    if ((await visitorOf(ctx, call)) !== undefined) return redirect(next);
    const csrf = pageFormToken(ctx.config, SIGN_IN);
    return signInPage({ csrf, next, done: call.query.done });
  },
});

const takeSignIn = publicRoute({
  ...PAGE_ROUTE,
  method: "POST",
  path: "/sign-in",
  summary: "Take an e-mail and a password",
  refuseWhenFull: (ctx: ConsoleContext) => ctx.passwords.demandRoom(),
  async run(ctx: ConsoleContext, call): Promise<Answer> {
    demandOwnPost(ctx.config, call, SIGN_IN);
    const sent = call.texts();
    const next = safeNext(sent.next);
    const email = sent.email ?? "";
    const known = readBrowserCookie(ctx.config, call.header);
    const browserToken = isToken(known) ? known : newToken();
    try {
      const { token, needsSecondFactor } = await signIn(ctx, {
        // One that is no e-mail is looked up all the same, and nobody has it.
        email: normalEmail(email) ?? email.slice(0, 320).toLowerCase(),
        password: typedPassword(sent.password),
        address: call.address,
        browser: browserName(call.header("user-agent")),
        browserToken,
      });
      const to = needsSecondFactor ? `/sign-in/code?next=${encodeURIComponent(next)}` : next;
      return redirect(to, [
        sessionCookie(ctx.config, token),
        browserCookie(ctx.config, browserToken),
      ]);
    } catch (error) {
      if (!(error instanceof SignInRefused)) throw error;
      const csrf = pageFormToken(ctx.config, SIGN_IN);
      return {
        ...signInPage({ csrf, next, email, problem: WRONG, status: error.status }),
        error: error.code,
      };
    }
  },
});

const showForgot = publicRoute({
  ...PAGE_ROUTE,
  method: "GET",
  path: "/forgot",
  summary: "Ask for a link to set a new password",
  async run({ config }: ConsoleContext): Promise<Answer> {
    return forgotPage({ csrf: pageFormToken(config, FORGOT), canSendMail: canSendMail(config) });
  },
});

const takeForgot = publicRoute({
  ...PAGE_ROUTE,
  method: "POST",
  path: "/forgot",
  summary: "Send a link to set a new password",
  limit: { name: "password", per: "address" },
  async run(ctx: ConsoleContext, call): Promise<Answer> {
    demandOwnPost(ctx.config, call, FORGOT);
    const email = normalEmail(call.texts().email ?? "");
    if (email === undefined)
      return {
        ...forgotPage({
          csrf: pageFormToken(ctx.config, FORGOT),
          canSendMail: canSendMail(ctx.config),
          problem: "Give an e-mail address, such as name@example.com.",
        }),
        error: "console_form_refused",
      };
    if (canSendMail(ctx.config)) await askForReset(ctx.db, { email, address: call.address });
    return forgotDonePage();
  },
});

export const signInRoutes: readonly Route<ConsoleContext>[] = [
  showSignIn,
  takeSignIn,
  showForgot,
  takeForgot,
];
