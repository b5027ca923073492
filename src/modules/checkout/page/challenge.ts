/**
 * Where the card's bank asks the customer (3-D Secure): the gateway's piece of HTML, shown in a
 * frame of our page or, without scripts, in the whole window; and the bank's result, which a form
 * of the bank's page brings back here.
 *
 * The frame has nothing to say to the page around it. The page asks us how
 * it stands, so no message of another window is ever believed.
 */

import type { Answer } from "../../../infra/http/answer.ts";
import { completeChallenge } from "../session/complete-challenge.ts";
import type { CheckoutContext } from "../session/context.ts";
import { lookAtSession } from "../session/find-sessions.ts";
import type { SessionView } from "../session/session.ts";
import { plainAnswer, seeOther, textsOf } from "./answers.ts";
import { challengeHeaders } from "./page-headers.ts";
import type { PagePost } from "./posts.ts";
import { factsOf, nothingHere } from "./show-session.ts";
import { layoutOf } from "./view-session.ts";

type PageCall = Pick<PagePost, "token" | "header">;

export async function showChallenge(ctx: CheckoutContext, call: PageCall): Promise<Answer> {
  const session = await lookAtSession(ctx, call.token);
  if (session === undefined) return nothingHere(ctx);
  const { step, environment } = session;
  if (step.kind !== "challenge") return onward(ctx, session, call);
  const document = await ctx.gateways[environment]?.challengeDocument(step.attemptId);
  if (document === undefined) return onward(ctx, session, call);
  return {
    status: 200,
    body: document,
    contentType: "text/html; charset=utf-8",
    headers: challengeHeaders(ctx.config, {
      layout: layoutOf(session),
      asksRealBanks: factsOf(ctx, session).asksRealBanks ?? false,
    }),
  };
}

export async function takeChallengeResult(ctx: CheckoutContext, posted: PagePost): Promise<Answer> {
  const session = await lookAtSession(ctx, posted.token);
  if (session === undefined) return nothingHere(ctx);
  const { address } = posted;
  await completeChallenge(ctx, { session, posted: posted.texts(), address });
  return onward(ctx, session, posted);
}

/**
 * In the whole window it goes on to the page. In a frame nothing is led anywhere: the page around
 * it sees by itself that the bank has answered. A browser that does not say where it is gets a
 * link.
 */
function onward(ctx: CheckoutContext, session: SessionView, { token, header }: PageCall): Answer {
  const to = `/checkout/${token}?waiting=1`;
  if (header("sec-fetch-dest") === "document") return seeOther(to);
  const t = textsOf(session);
  const words = {
    heading: t.challenge.answered,
    text: t.challenge.answeredText,
    link: { to, text: t.challenge.next },
  };
  const framedBy = layoutOf(session) === "full" ? ["'self'"] : undefined;
  return plainAnswer(ctx.config, 200, words, { layout: "simple", framedBy });
}
