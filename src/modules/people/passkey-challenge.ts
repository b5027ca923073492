/** The challenge of a passkey: on the session's row, for one answer within five minutes. */

import { type Queryable, sql, sqlOf } from "../../infra/db/query.ts";
import { text } from "../../infra/db/row.ts";

const CHALLENGE_MINUTES = 5;

/** In place of an earlier one. */
export async function keepChallenge(
  db: Queryable,
  sessionId: string,
  challenge: string,
): Promise<void> {
  await db.run(sql`
    update console_sessions set challenge = ${challenge}, challenged_at = app_now()
    where session_id = ${sessionId}`);
}

/** The first to take it has it; undefined when there is none, or it is too old. */
export async function takeChallenge(db: Queryable, sessionId: string): Promise<string | undefined> {
  const row = await db.maybeOne(sqlOf({ challenge: text })`
    update console_sessions set challenge = null, challenged_at = null
    from (select session_id, challenge, challenged_at from console_sessions
      where session_id = ${sessionId} for update) as before
    where console_sessions.session_id = before.session_id and before.challenge is not null
      and before.challenged_at > app_now() - make_interval(mins => ${CHALLENGE_MINUTES})
    returning before.challenge`);
  return row?.challenge;
}
