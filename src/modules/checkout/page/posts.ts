/**
 * What the page's own forms send: a card, or the wish to go back (Decision 0041).
 *
 * An answer that shows the form again shows no card number and no security
 * code, and everything that moved on is answered by a redirect, so that looking again sends
 * nothing. A form that was shown before another card was tried is an old one, and does nothing.
 */

import type { Answer } from "../../../infra/http/answer.ts";
import { seeOther } from "../../../parts/page.ts";
import { FIELD_NAMES, type FormValues, keptValues } from "../form/form-values.ts";
import { checkoutUrl } from "../session/checkout-token.ts";
import type { CheckoutContext } from "../session/context.ts";
import { giveUp, returnUrl } from "../session/end-sessions.ts";
import { lookAtSession } from "../session/find-sessions.ts";
import { isReplaced, type SessionView } from "../session/session.ts";
import { submitCard } from "../session/submit-card.ts";
import { plainAnswer } from "./answers.ts";
import { cameFromPage } from "./form-token.ts";
import { type Reader, wordsFor } from "./page-words.ts";
import { HOLDS_NOTHING, nothingHere, showFound } from "./show-session.ts";
import type { Again } from "./view-session.ts";

/** A call of the page, by its own forms or by the bank's. */
export interface PagePost extends Reader {
  readonly token: string;
  readonly address: string;
  texts(): Readonly<Record<string, string>>;
}

export async function submitForm(ctx: CheckoutContext, posted: PagePost): Promise<Answer> {
  const { token, address, header } = posted;
  const texts = posted.texts();
  if (!isBelieved(ctx, posted)) return refused(ctx, posted);
  const session = await lookAtSession(ctx, token);
  if (session === undefined) return nothingHere(ctx, posted);
  const form = readForm(texts);
  const again = { values: keptValues(form) };
  // Without scripts the list of states is asked for by this button.
  if (texts.do === "states") {
    const asked = { ...again, isAddressOpen: true };
    return showFound(ctx, session, { token, header, again: asked });
  }
  const seenAttempts = /^\d{1,2}$/.test(texts.attempts ?? "") ? Number(texts.attempts) : Number.NaN;
  const pageUrl = checkoutUrl(ctx.config, token);
  const words = wordsFor(posted, session).fields;
  const submission = { session, pageUrl, form, words, seenAttempts, address };
  const submitted = await submitCard(ctx, submission);
  switch (submitted.kind) {
    case "refused": {
      const { problems } = submitted;
      return showFound(ctx, session, { token, header, status: 422, again: { ...again, problems } });
    }
    case "limited": {
      const asked = { token, header, status: 429, again: { ...again, isLimited: true } };
      const answer = await showFound(ctx, session, asked);
      const wait = { "retry-after": String(submitted.retryAfterSeconds) };
      return { ...answer, headers: { ...answer.headers, ...wait } };
    }
    case "taken":
      // What has ended stays so: no need to look at it again.
      if (submitted.isOver) return onward(ctx, session, token);
      return afterwards(ctx, { token, header, seenAttempts, again });
  }
}

interface Afterwards extends Pick<PagePost, "token" | "header"> {
  readonly seenAttempts: number;
  readonly again: Again;
}

/** Wherever the session went with it. */
async function afterwards(
  ctx: CheckoutContext,
  { token, header, seenAttempts, again }: Afterwards,
): Promise<Answer> {
  const session = await lookAtSession(ctx, token);
  if (session === undefined) return nothingHere(ctx, { header });
  // Declined: what else was typed need not be typed again. Sent again, this form is an old one.
  if (session.step.kind === "card" && session.attempts === seenAttempts + 1)
    return showFound(ctx, session, { token, header, status: 422, again });
  return onward(ctx, session, token);
}

export async function goBack(ctx: CheckoutContext, posted: PagePost): Promise<Answer> {
  const { token } = posted;
  if (!isBelieved(ctx, posted)) return refused(ctx, posted);
  const session = await lookAtSession(ctx, token);
  if (session === undefined) return nothingHere(ctx, posted);
  await giveUp(ctx, session);
  // It may have been replaced in between.
  return onward(ctx, (await lookAtSession(ctx, token)) ?? session, token);
}

/** To the merchant once there is a result of the order, else to the page. */
async function onward(ctx: CheckoutContext, session: SessionView, token: string): Promise<Answer> {
  const back = isReplaced(session) ? undefined : await returnUrl(ctx, session);
  return seeOther(back ?? `/checkout/${token}`);
}

function isBelieved({ config }: CheckoutContext, { token, header, texts }: PagePost): boolean {
  return cameFromPage(config, { token, header, formToken: texts().form_token });
}

function refused({ config }: CheckoutContext, posted: PagePost): Answer {
  const t = wordsFor(posted);
  const { heading, text, again } = t.refused;
  const words = { heading, text, link: { to: `/checkout/${posted.token}`, text: again } };
  return plainAnswer(config, 403, words, { ...HOLDS_NOTHING, t });
}

function readForm(texts: Readonly<Record<string, string>>): FormValues {
  const given = FIELD_NAMES.filter((name) => Object.hasOwn(texts, name));
  return Object.fromEntries(given.map((name) => [name, texts[name]]));
}
