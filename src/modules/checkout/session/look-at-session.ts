/** A session as it is now: whoever looks at one whose time is over need not wait for the sweep. */

import type { CheckoutContext } from "./context.ts";
import { expireSession } from "./expire-sessions.ts";
import { findSession, type SessionView } from "./session.ts";

export async function lookAtSession(
  ctx: CheckoutContext,
  token: string,
): Promise<SessionView | undefined> {
  const session = await findSession(ctx, token);
  if (session === undefined || session.step.kind !== "working" || session.secondsLeft > 0)
    return session;
  await expireSession(ctx, session);
  return findSession(ctx, token);
}
