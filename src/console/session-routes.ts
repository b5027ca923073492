/** What the frame of every page offers: signing out, the other environment, another account. */

import { insertAudit } from "../infra/audit.ts";
import type { Answer } from "../infra/http/answer.ts";
import { NotFound } from "../kit/errors.ts";
import { ENVIRONMENTS } from "../kit/vocabulary.ts";
import { endSession, switchSession } from "../modules/people/console-session.ts";
import { redirect, safeNext } from "./answers.ts";
import { type ConsoleRoute, consoleRoute } from "./console-route.ts";
import type { ConsoleContext } from "./context.ts";
import { endedSessionCookie } from "./cookies.ts";

const signOut = consoleRoute({
  method: "POST",
  path: "/console/sign-out",
  summary: "Sign out",
  right: "self",
  async run(ctx: ConsoleContext, _call, visitor): Promise<Answer> {
    await ctx.db.transaction(async (tx) => {
      await endSession(tx, visitor.sessionId);
      await insertAudit(tx, {
        action: "console_signed_out",
        accountNumber: visitor.account.accountNumber,
        actor: `person ${visitor.person.personId}`,
      });
    });
    return {
      ...redirect("/sign-in?done=signed_out", [endedSessionCookie(ctx.config)]),
      // What the browser kept of the console's pages goes as well.
      headers: { location: "/sign-in?done=signed_out", "clear-site-data": '"cache"' },
    };
  },
});

const switchEnvironment = consoleRoute({
  method: "POST",
  path: "/console/environment",
  summary: "Go to the sandbox or to live",
  right: "self",
  async run(ctx: ConsoleContext, { texts }, visitor): Promise<Answer> {
    const sent = texts();
    const environment = ENVIRONMENTS.find((each) => each === sent.environment);
    if (environment === undefined) throw new NotFound("no such environment");
    const { accountNumber } = visitor.account;
    await switchSession(ctx.db, visitor.sessionId, { environment, accountNumber });
    return redirect(listOf(safeNext(sent.next)));
  },
});

/** A record of one environment does not exist in the other: its list does. */
function listOf(page: string): string {
  const [, section = "", below] = /^\/console\/(\w+)(\/[^?]*)?/.exec(page) ?? [];
  const keepsBelow = section === "developers" || section === "settings" || below === undefined;
  return keepsBelow ? page.replace(/\?.*$/, "") : `/console/${section}`;
}

const switchAccount = consoleRoute({
  method: "POST",
  path: "/console/account",
  summary: "Act for another account",
  right: "self",
  async run(ctx: ConsoleContext, { texts }, visitor): Promise<Answer> {
    const wanted = texts().account_number;
    const account = visitor.accounts.find(({ accountNumber }) => accountNumber === wanted);
    if (account === undefined) throw new NotFound("not a member of that account");
    const { environment } = visitor;
    await switchSession(ctx.db, visitor.sessionId, { ...account, environment });
    return redirect("/console");
  },
});

export const sessionRoutes: readonly ConsoleRoute<ConsoleContext>[] = [
  signOut,
  switchEnvironment,
  switchAccount,
];
