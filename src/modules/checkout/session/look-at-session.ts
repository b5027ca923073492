/** A session as it is now: whoever looks at one whose time is over need not wait for the sweep. */

import type { CheckoutContext } from "./context.ts";
import { expireSession } from "./expire-sessions.ts";
import type { SessionView } from "./session.ts";

/** Undefined: nothing was ever to be paid at this address. */
export async function lookAtSession(
  ctx: CheckoutContext,
  token: string,
): Promise<SessionView | undefined> {
  const session = await ctx.batches.findSession(token);
  if (session === undefined || session.step.kind !== "working" || session.secondsLeft > 0)
    return session;
  await expireSession(ctx, session);
  return ctx.batches.findSession(token);
}
