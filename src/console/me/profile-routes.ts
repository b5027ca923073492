/** A person's own page, their name and their sessions. */

import type { Answer } from "../../infra/http/answer.ts";
import { readFields } from "../../kit/fields/field.ts";
import { withoutLink } from "../../kit/fields/link-inside.ts";
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
import { orRefused } from "../refused.ts";
import type { Visitor } from "../visitor.ts";
import { type MeView, mePage } from "./me-page.ts";

const NAME = { name: withoutLink(line(100)) };

async function page(
  { db }: ConsoleContext,
  visitor: Visitor,
  again: Partial<Pick<MeView, "name" | "refused">> = {},
): Promise<Answer> {
  const { personId, name } = visitor.person;
  return mePage(visitor, {
    factors: await secondFactorsOf(db, personId),
    passkeys: await passkeysOf(db, personId),
    sessions: await listSessions(db, personId),
    name,
    ...again,
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
      return orRefused(
        async () => {
          await renameSelf(ctx, visitor, readFields(NAME, { name }).name);
          return redirect("/console/me?done=saved");
        },
        (refused) => page(ctx, visitor, { name, refused }),
      );
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
