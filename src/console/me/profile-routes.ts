/** A person's own page, their name and their sessions. */

import type { Answer } from "../../infra/http/answer.ts";
import { FieldRefused } from "../../kit/errors.ts";
import { line } from "../../kit/fields/text.ts";
import { listSessions } from "../../modules/people/console-session.ts";
import { endOtherSessions, endOwnSession } from "../../modules/people/end-own-sessions.ts";
import { passkeysOf } from "../../modules/people/passkeys.ts";
import { secondFactorsOf } from "../../modules/people/second-factors.ts";
import { renameSelf } from "../../modules/people/self.ts";
import { redirect } from "../answers.ts";
import { type ConsoleRoute, consoleRoute } from "../console-route.ts";
import type { ConsoleContext } from "../context.ts";
import { demandId, idParam } from "../id-param.ts";
import type { Visitor } from "../visitor.ts";
import { mePage } from "./me-page.ts";

const nameField = line(100);

interface TypedName {
  readonly name?: string;
  readonly nameProblem?: string;
}

async function page(
  { db }: ConsoleContext,
  visitor: Visitor,
  typed: TypedName = {},
): Promise<Answer> {
  const { personId, name } = visitor.person;
  return mePage(visitor, {
    factors: await secondFactorsOf(db, personId),
    passkeys: await passkeysOf(db, personId),
    sessions: await listSessions(db, personId),
    name,
    ...typed,
  });
}

export const profileRoutes: readonly ConsoleRoute<ConsoleContext>[] = [
  consoleRoute({
    method: "GET",
    path: "/console/me",
    summary: "A person's own page",
    right: "self",
    run: (ctx: ConsoleContext, _call, visitor) => page(ctx, visitor),
  }),
  consoleRoute({
    method: "POST",
    path: "/console/me/name",
    summary: "Change one's own name",
    right: "self",
    async run(ctx: ConsoleContext, { texts }, visitor): Promise<Answer> {
      const name = (texts().name ?? "").trim();
      try {
        await renameSelf(ctx, visitor, nameField.read(name, "name"));
      } catch (error) {
        if (!(error instanceof FieldRefused)) throw error;
        const answer = await page(ctx, visitor, { name, nameProblem: error.message });
        return { ...answer, error: "console_form_refused" };
      }
      return redirect("/console/me?done=saved");
    },
  }),
  consoleRoute({
    method: "POST",
    path: "/console/me/sessions/{session_id}/end",
    summary: "End another session of one's own",
    right: "self",
    params: { session_id: idParam },
    async run(ctx: ConsoleContext, { params }, visitor): Promise<Answer> {
      await endOwnSession(ctx, visitor, demandId(params.session_id));
      return redirect("/console/me?done=session_ended");
    },
  }),
  consoleRoute({
    method: "POST",
    path: "/console/me/sessions/end-others",
    summary: "Sign out everywhere else",
    right: "self",
    async run(ctx: ConsoleContext, _call, visitor): Promise<Answer> {
      await endOtherSessions(ctx, visitor);
      return redirect("/console/me?done=sessions_ended");
    },
  }),
];
