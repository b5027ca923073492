/**
 * The second step of signing in, for sessions that are halfway: their password was right (Decision
 * 0090). Such a session opens no other page.
 */

import type { Answer } from "../../infra/http/answer.ts";
import { type Call, publicRoute, type Route } from "../../infra/http/route.ts";
import { optional } from "../../kit/fields/field.ts";
import { text } from "../../kit/fields/text.ts";
import { readHalfwaySession, type Session } from "../../modules/people/console-session.ts";
import { relyingPartyOf } from "../../modules/people/relying-party.ts";
import { secondFactorsOf } from "../../modules/people/second-factors.ts";
import { type FactorProof, verifySecondFactor } from "../../modules/people/verify-second-factor.ts";
import { nextField, redirect, safeNext } from "../answers.ts";
import { WRONG_CODE, WRONG_PASSKEY } from "../code-field.ts";
import { PAGE_ROUTE } from "../console-route.ts";
import type { ConsoleContext } from "../context.ts";
import { readBrowserCookie, readSessionCookie, sessionCookie } from "../cookies.ts";
import { demandOwnPost, pageFormToken } from "../form-token.ts";
import { passkeyOptionsFor } from "../passkey-form.ts";
import type { SentForm } from "../refused.ts";
import { browserName, visitorOf } from "../visitor.ts";
import { codePage } from "./code-page.ts";

type PageCall = Pick<Call<never, never, never>, "header" | "url" | "address" | "texts">;

interface Wanted {
  readonly next: string;
  readonly isRecovery: boolean;
  readonly problem?: string;
}

async function page(
  ctx: ConsoleContext,
  { header }: PageCall,
  session: Session,
  wanted: Wanted,
): Promise<Answer> {
  const factors = await secondFactorsOf(ctx.db, session.person.personId);
  const passkeyOptions = await passkeyOptionsFor(ctx, session, { factors, host: header("host") });
  const csrf = pageFormToken(ctx.config, session.sessionId);
  return codePage({ ...wanted, csrf, factors, passkeyOptions });
}

async function halfway(ctx: ConsoleContext, { header }: PageCall): Promise<Session | undefined> {
  const token = readSessionCookie(ctx.config, header);
  return token === undefined ? undefined : readHalfwaySession(ctx.db, token);
}

/** Shows it, and goes on as somebody signed in, or back to the page. */
async function take(
  ctx: ConsoleContext,
  call: PageCall,
  shownOf: (sent: SentForm) => FactorProof | undefined,
): Promise<Answer> {
  const sent = call.texts();
  const next = safeNext(sent.next);
  const session = await halfway(ctx, call);
  if (session === undefined) return redirect("/sign-in");
  demandOwnPost(ctx.config, call, session.sessionId);
  const shown = shownOf(sent);
  const from = {
    address: call.address,
    browser: browserName(call.header("user-agent")),
    browserToken: readBrowserCookie(ctx.config, call.header),
  };
  const taken = shown !== undefined && (await verifySecondFactor(ctx, session, shown, from));
  if (taken !== false && taken.token !== undefined)
    return redirect(next, [sessionCookie(ctx.config, taken.token)]);
  const problem = shown?.kind === "code" ? WRONG_CODE : WRONG_PASSKEY;
  const isRecovery = sent.use === "recovery";
  const answer = await page(ctx, call, session, { next, isRecovery, problem });
  return { ...answer, error: "second_factor_refused" };
}

export const codeRoutes: readonly Route<ConsoleContext>[] = [
  publicRoute({
    ...PAGE_ROUTE,
    method: "GET",
    path: "/sign-in/code",
    summary: "Show a second factor",
    query: {
      next: nextField,
      use: optional(text({ max: 20 })),
    },
    async run(ctx: ConsoleContext, call): Promise<Answer> {
      const next = safeNext(call.query.next);
      const session = await halfway(ctx, call);
      if (session !== undefined)
        return page(ctx, call, session, { next, isRecovery: call.query.use === "recovery" });
      const isSignedIn = (await visitorOf(ctx, call)) !== undefined;
      return redirect(isSignedIn ? next : "/sign-in");
    },
  }),
  publicRoute({
    ...PAGE_ROUTE,
    method: "POST",
    path: "/sign-in/code",
    summary: "Take a code, or a recovery code",
    run: (ctx: ConsoleContext, call) =>
      take(ctx, call, ({ code = "" }) => ({ kind: "code", code })),
  }),
  publicRoute({
    ...PAGE_ROUTE,
    method: "POST",
    path: "/sign-in/code/passkey",
    summary: "Take a passkey",
    run: (ctx: ConsoleContext, call) =>
      take(ctx, call, ({ response = "" }) => {
        const party = relyingPartyOf(ctx.config, call.header("host"));
        return party === undefined ? undefined : { kind: "passkey", response, party };
      }),
  }),
];
