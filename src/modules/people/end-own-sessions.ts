/**
 * Ends sessions of one's own. It needs no fresh proof: who sees a stranger among them ends that one
 * at once, and nobody gains anything by it.
 */

import { sql } from "../../infra/db/query.ts";
import { NotFound } from "../../kit/errors.ts";
import type { PeopleContext } from "./context.ts";
import { asSelf, auditSelf, type Self } from "./self.ts";
import { sessionsOf } from "./sessions-of.ts";

export async function endOwnSession(
  ctx: PeopleContext,
  self: Self,
  sessionId: string,
): Promise<void> {
  await asSelf(ctx, self, async (tx) => {
    const ended = await tx.run(sql`
      update ${sessionsOf(self.person)} set ended_at = real_now()
      where session_id = ${sessionId} and person_id = ${self.person.personId}
        and ended_at is null`);
    if (ended === 0) throw new NotFound("no such session of the person");
    await auditSelf(tx, self, "console_session_ended", { detail: { ended: sessionId } });
  });
}

export async function endOtherSessions(ctx: PeopleContext, self: Self): Promise<void> {
  await asSelf(ctx, self, async (tx) => {
    await tx.run(sql`
      update ${sessionsOf(self.person)} set ended_at = real_now()
      where person_id = ${self.person.personId} and session_id <> ${self.sessionId}
        and ended_at is null`);
    await auditSelf(tx, self, "console_sessions_ended");
  });
}
