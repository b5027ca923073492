/**
 * How a post of the card form is answered: with a page, or, to the page's script, with what it does
 * next (Decision 0096). Both tell the same, and neither gives back a card number or a code.
 */

import type { Answer } from "../../../infra/http/answer.ts";
import { weightIn } from "../../../kit/accept.ts";
import type { ErrorCode } from "../../../kit/error-catalogue/catalogue.ts";
import { ServiceError } from "../../../kit/errors.ts";
import { seeOther } from "../../../parts/page.ts";
import type { CheckoutContext } from "../session/context.ts";
import { returnUrl } from "../session/end-sessions.ts";
import { lookAtSession } from "../session/find-sessions.ts";
import { isReplaced, type SessionView } from "../session/session.ts";
import { PAGE_ERRORS, plainAnswer } from "./answers.ts";
import { statusOf } from "./checkout-status.ts";
import { type Reader, wordsFor } from "./page-words.ts";
import { HOLDS_NOTHING, nothingHere, showFound } from "./show-session.ts";
import type { Again } from "./view-session.ts";

/** The form again: with which status, and what stands in it. */
interface Reshow {
  readonly status: number;
  readonly again: Again;
}

export interface FormReplies {
  /** It did not come from the page. */
  refused(): Answer;
  /** There is no such session. */
  nothing(): Answer;
  /** The form again, with what came of it. */
  form(session: SessionView, reshow: Reshow): Promise<Answer>;
  /** Wherever the session went. */
  onward(session: SessionView): Promise<Answer>;
  /** The same, when it was seen open and is known to have ended since. */
  ended(session: SessionView): Promise<Answer>;
}

/** Whose form it was. */
interface Sender extends Reader {
  readonly token: string;
}

/** Browsers that send a form by themselves name HTML, and JSON not at all. */
export function wantsStatus({ header }: Reader): boolean {
  const accept = header("accept");
  const json = weightIn(accept, "application/json") ?? 0;
  return json > (weightIn(accept, "text/html") ?? 0);
}

export function repliesFor(ctx: CheckoutContext, sender: Sender): FormReplies {
  return wantsStatus(sender) ? statusReplies(ctx, sender) : pageReplies(ctx, sender);
}

export function pageReplies(ctx: CheckoutContext, { token, header }: Sender): FormReplies {
  // To the merchant once there is a result of the order, else to the page.
  const onward = async (session: SessionView) => {
    const back = isReplaced(session) ? undefined : await returnUrl(ctx, session);
    return seeOther(back ?? `/checkout/${token}`);
  };
  return {
    refused() {
      const t = wordsFor({ header });
      const { heading, text, again } = t.refused;
      const words = { heading, text, link: { to: `/checkout/${token}`, text: again } };
      return plainAnswer(ctx.config, 403, words, { ...HOLDS_NOTHING, t });
    },
    nothing: () => nothingHere(ctx, { header }),
    form: (session, reshow) => showFound(ctx, session, { token, header, ...reshow }),
    onward,
    // What has ended stays so: no need to look at it again.
    ended: onward,
  };
}

function statusReplies(ctx: CheckoutContext, { token, header }: Sender): FormReplies {
  const nothing = () => refusal("not_found");
  const onward = async (session: SessionView) => {
    // A day later its address tells nothing any more.
    if (session.isForgotten) return nothing();
    return { status: 200, body: await statusOf(ctx, session, { token, header }) };
  };
  return {
    refused: () => refusal("form_not_from_page"),
    nothing,
    async form(session, { status, again }) {
      const body = await statusOf(ctx, session, { token, header, again });
      const error = PAGE_ERRORS[status];
      return error === undefined ? { status, body } : refusal(error, body);
    },
    onward,
    ended: async (session) => onward((await lookAtSession(ctx, token)) ?? session),
  };
}

function refusal(error: ErrorCode, told: object = {}): Answer {
  const { status, message } = new ServiceError(error);
  return { status, body: { message, ...told }, error };
}
