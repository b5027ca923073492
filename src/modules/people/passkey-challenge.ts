/** The challenge of a passkey: on the session's row, for one answer within five minutes. */

import { type Queryable, sql, sqlOf } from "../../infra/db/query.ts";
import { text } from "../../infra/db/row.ts";
import type { Person } from "./person.ts";
import { sessionsOf } from "./sessions-of.ts";

const CHALLENGE_MINUTES = 5;

interface Challenged {
  readonly sessionId: string;
  readonly person: Pick<Person, "isOperator">;
}

/** In place of an earlier one. */
export async function keepChallenge(
  db: Queryable,
  { sessionId, person }: Challenged,
  challenge: string,
): Promise<void> {
  await db.run(sql`
    update ${sessionsOf(person)} set challenge = ${challenge}, challenged_at = real_now()
    where session_id = ${sessionId}`);
}

/** The first to take it has it; undefined when there is none, or it is too old. */
export async function takeChallenge(
  db: Queryable,
  { sessionId, person }: Challenged,
): Promise<string | undefined> {
  const row = await db.maybeOne(sqlOf({ challenge: text })`
    update ${sessionsOf(person)} as session set challenge = null, challenged_at = null
    from (select session_id, challenge, challenged_at from ${sessionsOf(person)}
      where session_id = ${sessionId} for update) as before
    where session.session_id = before.session_id and before.challenge is not null
      and before.challenged_at > real_now() - make_interval(mins => ${CHALLENGE_MINUTES})
    returning before.challenge`);
  return row?.challenge;
}
