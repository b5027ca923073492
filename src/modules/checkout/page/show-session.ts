/**
 * The page of a session as it stands: read in one moment, shown as it is. What the customer can do
 * about it stands in `posts.ts`; what it means, in `session/`.
 *
 * A session that is over is shown as over (410), with its result, its reference and the way back,
 * because the merchant's page may not have answered. A day later the address tells nothing any
 * more.
 */

import type { Answer } from "../../../infra/http/answer.ts";
import type { CheckoutContext } from "../session/context.ts";
import { returnUrl } from "../session/end-sessions.ts";
import { lookAtSession } from "../session/find-sessions.ts";
import { findNewerPayment } from "../session/newer-payment.ts";
import { isReplaced, type SessionView } from "../session/session.ts";
import { pageAnswer, plainAnswer } from "./answers.ts";
import { type Reader, wordsFor } from "./page-words.ts";
import { type Again, viewSession } from "./view-session.ts";

interface PageRequest extends Reader {
  readonly token: string;
  /** The browser has waited here for the end, so it goes on by itself. */
  readonly isWaiting?: boolean;
  /** What stands in the form, when it is shown in answer to having been sent. */
  readonly again?: Again;
  readonly status?: number;
}

export async function showSession(ctx: CheckoutContext, request: PageRequest): Promise<Answer> {
  const session = await lookAtSession(ctx, request.token);
  return session === undefined ? nothingHere(ctx, request) : showFound(ctx, session, request);
}

/** A page that takes nothing from the customer may stand in a frame: its words are needed there. */
export const HOLDS_NOTHING = { layout: "simple" } as const;

export function nothingHere({ config }: Pick<CheckoutContext, "config">, reader: Reader): Answer {
  const t = wordsFor(reader);
  return plainAnswer(config, 404, t.notFound, { ...HOLDS_NOTHING, t });
}

export async function showFound(
  ctx: CheckoutContext,
  session: SessionView,
  { token, header, isWaiting = false, again = {}, status = 200 }: PageRequest,
): Promise<Answer> {
  const { config } = ctx;
  const isEnded = session.step.kind === "ended";
  const wasReplaced = isReplaced(session);
  const t = wordsFor({ header }, session);
  if (session.isForgotten) return plainAnswer(config, 410, t.gone, { ...HOLDS_NOTHING, t });
  const newer = wasReplaced ? await findNewerPayment(ctx, session) : undefined;
  const back = isEnded && newer === undefined ? await returnUrl(ctx, session) : undefined;
  const goesOn = isWaiting && !wasReplaced;
  const shown = { token, t, returnUrl: back, goesOn, newer, again };
  const view = viewSession(config, session, shown);
  const { responseUrl } = session;
  return pageAnswer(config, isEnded ? 410 : status, view, { responseUrl, t });
}
