/**
 * What the page's own forms send: a card, or the wish to go back (Decision 0041). The card form
 * comes from the browser itself or from the page's script (Decision 0096); what it does is the
 * same.
 *
 * An answer that shows the form again shows no card number and no security code, and everything
 * that moved on is answered by a redirect, so that looking again sends nothing. A form that was
 * shown before another card was tried is an old one, and does nothing.
 */

import type { Answer } from "../../../infra/http/answer.ts";
import { FIELD_NAMES, type FormValues, keptValues } from "../form/form-values.ts";
import { checkoutUrl } from "../session/checkout-token.ts";
import type { CheckoutContext } from "../session/context.ts";
import { giveUp } from "../session/end-sessions.ts";
import { lookAtSession } from "../session/find-sessions.ts";
import { submitCard } from "../session/submit-card.ts";
import { type FormReplies, pageReplies, repliesFor } from "./form-replies.ts";
import { cameFromPage } from "./form-token.ts";
import { type Reader, wordsFor } from "./page-words.ts";
import type { Again } from "./view-session.ts";

/** A call of the page, by its own forms or by the bank's. */
export interface PagePost extends Reader {
  readonly token: string;
  readonly address: string;
  texts(): Readonly<Record<string, string>>;
}

export async function submitForm(ctx: CheckoutContext, posted: PagePost): Promise<Answer> {
  const { token, address } = posted;
  const texts = posted.texts();
  const replies = repliesFor(ctx, posted);
  if (!isBelieved(ctx, posted)) return replies.refused();
  const session = await lookAtSession(ctx, token);
  if (session === undefined) return replies.nothing();
  const form = readForm(texts);
  const again = { values: keptValues(form) };
  // Without scripts the list of states is asked for by this button.
  if (texts.do === "states")
    return replies.form(session, { status: 200, again: { ...again, isAddressOpen: true } });
  const seenAttempts = /^\d{1,2}$/.test(texts.attempts ?? "") ? Number(texts.attempts) : Number.NaN;
  const pageUrl = checkoutUrl(ctx.config, token);
  const { language } = wordsFor(posted, session);
  const submission = { session, pageUrl, form, language, seenAttempts, address };
  const submitted = await submitCard(ctx, submission);
  switch (submitted.kind) {
    case "refused": {
      const { problems } = submitted;
      return replies.form(session, { status: 422, again: { ...again, problems } });
    }
    case "limited": {
      const shown = { status: 429, again: { ...again, isLimited: true } };
      const answer = await replies.form(session, shown);
      const wait = { "retry-after": String(submitted.retryAfterSeconds) };
      return { ...answer, headers: { ...answer.headers, ...wait } };
    }
    case "taken":
      if (submitted.isOver) return replies.ended(session);
      return afterwards(ctx, replies, { token, seenAttempts, again });
  }
}

/** Wherever the session went with it. */
async function afterwards(
  ctx: CheckoutContext,
  replies: FormReplies,
  { token, seenAttempts, again }: { token: string; seenAttempts: number; again: Again },
): Promise<Answer> {
  const session = await lookAtSession(ctx, token);
  if (session === undefined) return replies.nothing();
  // Declined: what else was typed need not be typed again. Sent again, this form is an old one.
  if (session.step.kind === "card" && session.attempts === seenAttempts + 1)
    return replies.form(session, { status: 422, again });
  return replies.onward(session);
}

export async function goBack(ctx: CheckoutContext, posted: PagePost): Promise<Answer> {
  const { token } = posted;
  const replies = pageReplies(ctx, posted);
  if (!isBelieved(ctx, posted)) return replies.refused();
  const session = await lookAtSession(ctx, token);
  if (session === undefined) return replies.nothing();
  await giveUp(ctx, session);
  // It may have been replaced in between.
  return replies.onward((await lookAtSession(ctx, token)) ?? session);
}

function isBelieved({ config }: CheckoutContext, { token, header, texts }: PagePost): boolean {
  return cameFromPage(config, { token, header, formToken: texts().form_token });
}

function readForm(texts: Readonly<Record<string, string>>): FormValues {
  const given = FIELD_NAMES.filter((name) => Object.hasOwn(texts, name));
  return Object.fromEntries(given.map((name) => [name, texts[name]]));
}
