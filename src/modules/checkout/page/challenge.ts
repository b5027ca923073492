/**
 * Where the card's bank asks the customer (3-D Secure): the gateway's piece of HTML, shown in a
 * frame of our page or, without scripts, in the whole window; and the bank's result, which a form
 * of the bank's page brings back here.
 *
 * A real gateway's document stands in a second frame, inside a document of ours, and needs scripts
 * (Decision 0083). The frames have nothing to say to the page around them. The page asks us how
 * it stands, so no message of another window is ever believed.
 */

import type { Answer } from "../../../infra/http/answer.ts";
import { HTML_TYPE, seeOther } from "../../../parts/page.ts";
import { languageHeaders } from "../../../words/choose-language.ts";
import { completeChallenge } from "../session/complete-challenge.ts";
import type { CheckoutContext } from "../session/context.ts";
import { lookAtSession } from "../session/find-sessions.ts";
import type { SessionView } from "../session/session.ts";
import { plainAnswer } from "./answers.ts";
import { bankSources, documentHeaders, frameHeaders, framersOf } from "./challenge-headers.ts";
import { newNonce } from "./page-headers.ts";
import { wordsFor } from "./page-words.ts";
import type { PagePost } from "./posts.ts";
import { framedLayout, renderBankFrame } from "./render-page.ts";
import { nothingHere } from "./show-session.ts";
import { layoutOf } from "./view-session.ts";

type PageCall = Pick<PagePost, "token" | "header">;

interface ChallengeCall extends PageCall {
  /** It was opened by itself, not by the payment page around it. */
  readonly isWindow: boolean;
  /** It has waited for the end by itself, so it goes on from here. */
  readonly isWaiting: boolean;
}

export async function showChallenge(ctx: CheckoutContext, call: ChallengeCall): Promise<Answer> {
  const session = await lookAtSession(ctx, call.token);
  if (session === undefined) return nothingHere(ctx, call);
  const sources = bankSources(ctx.config, session.environment);
  if (sources === undefined) return documentOf(ctx, session, call);
  if (session.step.kind !== "challenge")
    return call.isWaiting ? seeOther(pageOf(call)) : onward(ctx, session, call);
  const nonce = newNonce();
  const t = wordsFor(call, session);
  const headers = frameHeaders(ctx.config, { layout: layoutOf(session), sources }, nonce);
  return {
    status: 200,
    body: renderBankFrame({
      path: `/checkout/${call.token}`,
      attempts: session.attempts,
      isAlone: call.isWindow || !isFramed(call),
      isSimple: layoutOf(session) === "simple",
      t,
      nonce,
    }),
    contentType: HTML_TYPE,
    headers: { ...headers, ...languageHeaders(t) },
  };
}

export async function showChallengeDocument(ctx: CheckoutContext, call: PageCall): Promise<Answer> {
  const session = await lookAtSession(ctx, call.token);
  return session === undefined ? nothingHere(ctx, call) : documentOf(ctx, session, call);
}

async function documentOf(
  ctx: CheckoutContext,
  session: SessionView,
  call: PageCall,
): Promise<Answer> {
  const { step, environment } = session;
  if (step.kind !== "challenge") return onward(ctx, session, call);
  const { language } = wordsFor(call, session);
  const document = await ctx.gateways[environment]?.challengeDocument(step.attemptId, language);
  if (document === undefined) return onward(ctx, session, call);
  const sources = bankSources(ctx.config, environment);
  return {
    status: 200,
    body: document,
    contentType: HTML_TYPE,
    headers: documentHeaders(ctx.config, { layout: layoutOf(session), sources }),
  };
}

export async function takeChallengeResult(ctx: CheckoutContext, posted: PagePost): Promise<Answer> {
  const session = await lookAtSession(ctx, posted.token);
  if (session === undefined) return nothingHere(ctx, posted);
  const { address } = posted;
  await completeChallenge(ctx, { session, posted: posted.texts(), address });
  return onward(ctx, session, posted);
}

/**
 * In the whole window it goes on to the page. In a frame nothing is led anywhere: the page around
 * it sees by itself that the bank has answered. Where no page may be watching there is a link:
 * for a browser that does not say where it is, and for the simple page without scripts.
 */
function onward(ctx: CheckoutContext, session: SessionView, call: PageCall): Answer {
  if (call.header("sec-fetch-dest") === "document") return seeOther(pageOf(call));
  const t = wordsFor(call, session);
  const layout = layoutOf(session);
  const needsScripts = bankSources(ctx.config, session.environment) !== undefined;
  const isWatched = isFramed(call) && (layout === "full" || needsScripts);
  const words = {
    heading: t.challenge.answered,
    text: t.challenge.answeredText,
    ...(isWatched ? {} : { link: { to: pageOf(call), text: t.challenge.next } }),
  };
  return plainAnswer(ctx.config, 200, words, {
    t,
    layout: "simple",
    framedBy: framersOf(layout),
    ...(isFramed(call) ? { shownAs: framedLayout(layout === "simple") } : {}),
  });
}

function isFramed({ header }: PageCall): boolean {
  return header("sec-fetch-dest") === "iframe";
}

function pageOf({ token }: PageCall): string {
  return `/checkout/${token}?waiting=1`;
}
