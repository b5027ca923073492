/**
 * How a payment stands, for the page's script: what it asks for while it waits, and the answer to
 * a form that it sent in the background (Decision 0096). The same words as on the page, and
 * nothing of what was typed.
 */

import { Type } from "../../../kit/schema.ts";
import type { CheckoutContext } from "../session/context.ts";
import { returnUrl } from "../session/end-sessions.ts";
import { lookAtSession } from "../session/find-sessions.ts";
import { isReplaced, type SessionView } from "../session/session.ts";
import { noticeOf } from "./card-notices.ts";
import { type Reader, wordsFor } from "./page-words.ts";
import { endWords, workingText } from "./render-waiting.ts";
import { type Again, viewSession } from "./view-session.ts";

const told = {
  /** Once it has ended: where the browser goes. */
  next: Type.Optional(Type.String()),
  /** How it ended, or, without a heading, what is said while it is waited for. */
  heading: Type.Optional(Type.String()),
  text: Type.Optional(Type.String()),
  /** Why the form is shown again. */
  notice: Type.Optional(Type.Object({ heading: Type.String(), texts: Type.Array(Type.String()) })),
  problems: Type.Optional(
    Type.Array(Type.Object({ field: Type.String(), message: Type.String() })),
  ),
};

const stands = {
  /** `card`, `working`, `challenge`, `replaced` or `ended`. */
  step: Type.String(),
  attempts: Type.Integer(),
};

export const statusView = Type.Object({ ...stands, ...told });
/** As every error it has a message; a limit on requests has nothing else. */
export const refusedStatusView = Type.Object({
  message: Type.String(),
  step: Type.Optional(stands.step),
  attempts: Type.Optional(stands.attempts),
  ...told,
});

interface StatusRequest extends Reader {
  readonly token: string;
  /** What came of the form, where that is all that happened. */
  readonly again?: Again;
}

export async function showStatus(
  ctx: CheckoutContext,
  { token, header }: StatusRequest,
): Promise<object | undefined> {
  const session = await lookAtSession(ctx, token);
  if (session === undefined || session.isForgotten) return undefined;
  return statusOf(ctx, session, { token, header });
}

export async function statusOf(
  ctx: CheckoutContext,
  session: SessionView,
  { token, header, again = {} }: StatusRequest,
): Promise<object> {
  const { attempts } = session;
  const t = wordsFor({ header }, session);
  const view = viewSession(ctx.config, session, { token, t, again });
  const { step } = view;
  switch (step.kind) {
    case "card": {
      const { problems } = step;
      const wrong = problems.length === 0 ? {} : { problems };
      return { step: "card", attempts, notice: noticeOf(step, t), ...wrong };
    }
    case "challenge":
      return { step: "challenge", attempts };
    case "working":
      return { step: "working", attempts, text: workingText(step, t) };
    case "ended": {
      // The page shows it, and leads to no merchant by itself.
      if (isReplaced(session)) return { step: "replaced", attempts };
      const next = await returnUrl(ctx, session);
      // Over, but its result is still to be written: to the customer that is waiting, too.
      if (next === undefined)
        return { step: "working", attempts, text: workingText({ waitedSeconds: 0 }, t) };
      return { step: "ended", attempts, next, ...endWords(view, step, t) };
    }
  }
}
