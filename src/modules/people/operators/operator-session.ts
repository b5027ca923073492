/**
 * Sessions at `/operator` (Decision 0118): rows, as those of members are, with the same times. One
 * is signed in only after a second factor; who has none yet may set one up and nothing else.
 */

import { type Queryable, type Sql, sql, sqlOf } from "../../../infra/db/query.ts";
import { bool, columns, computed, pick, type Row, timestamp, word } from "../../../infra/db/row.ts";
import { tables } from "../../../infra/db/tables.ts";
import type { Tx } from "../../../infra/db/transaction.ts";
import type { OperatorRole } from "../../../kit/operator-roles.ts";
import { PERSON, PERSONS, personOf, type SigningPerson } from "../person.ts";
import { isToken, newToken, tokenDigest } from "../random-token.ts";
import {
  HALFWAY_MINUTES,
  IDLE_MINUTES,
  LIFE_HOURS,
  PROOF_MINUTES,
  SEEN_EVERY_SECONDS,
} from "../session-times.ts";

export type OperatorStage = "second_factor" | "set_up" | "signed_in";

export interface NewOperatorSession {
  readonly person: Pick<SigningPerson, "personId" | "credentialEpoch">;
  readonly stage: Exclude<OperatorStage, "signed_in">;
  readonly address: string;
  readonly browser: string;
}

/** Gives the cookie's value, which is shown this once. */
export async function startOperatorSession(tx: Tx, session: NewOperatorSession): Promise<string> {
  const token = newToken();
  const { person, stage, address, browser } = session;
  await tx.run(sql`
    insert into operator_sessions (token_digest, person_id, credential_epoch, stage, address,
      browser)
    values (${tokenDigest(token)}, ${person.personId}, ${person.credentialEpoch}, ${stage},
      ${address}, ${browser})`);
  return token;
}

const SESSION = {
  ...PERSON,
  ...pick(tables.operator_sessions, "session_id", "second_factor"),
  stage: word<OperatorStage>(),
  role: computed(word<OperatorRole>(), sql`operators.role`),
  expires_at: computed(
    timestamp,
    sql`operator_sessions.created_at + make_interval(hours => ${LIFE_HOURS})`,
  ),
  is_proven: computed(bool, sql`proven_at > real_now() - make_interval(mins => ${PROOF_MINUTES})`),
  is_to_be_noted: computed(
    bool,
    sql`last_seen_at < real_now() - make_interval(secs => ${SEEN_EVERY_SECONDS})`,
  ),
};

export type OperatorSession = ReturnType<typeof sessionOf>;

/** Of `operator_sessions`, `operators` and `PERSONS`. */
const IS_ALIVE = sql`ended_at is null and operators.removed_at is null
  and last_seen_at > real_now() - make_interval(mins => ${IDLE_MINUTES})
  and operator_sessions.created_at > real_now() - make_interval(hours => ${LIFE_HOURS})
  and operator_sessions.credential_epoch = persons.credential_epoch`;

const SESSIONS = sql`operator_sessions
  join operators on operators.person_id = operator_sessions.person_id
  join (${PERSONS}) on persons.person_id = operators.person_id`;

/** Undefined for a cookie that is unknown, or whose session is over or still halfway. */
export function readOperatorSession(db: Queryable, token: string) {
  return findSession(db, token, sql`stage = 'signed_in'`);
}

/** Of somebody whose password was right: a factor is to be shown, or set up. */
export function readHalfwayOperatorSession(
  db: Queryable,
  token: string,
  stage: Exclude<OperatorStage, "signed_in">,
) {
  const condition = sql`stage = ${stage} and operator_sessions.created_at
      > real_now() - make_interval(mins => ${HALFWAY_MINUTES})`;
  return findSession(db, token, condition);
}

async function findSession(db: Queryable, token: string, condition: Sql) {
  if (!isToken(token)) return undefined;
  const row = await db.maybeOne(sqlOf(SESSION)`
    select ${columns(SESSION)} from ${SESSIONS}
    where token_digest = ${tokenDigest(token)} and ${condition} and ${IS_ALIVE}`);
  if (row === undefined) return undefined;
  if (row.is_to_be_noted)
    await db.run(sql`
      update operator_sessions set last_seen_at = real_now()
      where session_id = ${row.session_id}`);
  return sessionOf(row);
}

function sessionOf(row: Row<typeof SESSION>) {
  return {
    sessionId: row.session_id,
    person: personOf(row),
    role: row.role,
    stage: row.stage,
    isProven: row.is_proven,
    expiresAt: row.expires_at,
  };
}

/** Whether it is alive; if so, until the tx ends. */
export async function holdOperatorSession(tx: Tx, sessionId: string): Promise<boolean> {
  const row = await tx.maybeOne(sqlOf({})`
    select from ${SESSIONS}
    where session_id = ${sessionId} and stage in ('signed_in', 'set_up') and ${IS_ALIVE}
    for share of operator_sessions`);
  return row !== undefined;
}

/**
 * The role of who is signed in; both hold until the tx ends, because another role ends the session.
 * Undefined: it is over.
 */
export async function holdOperatorRole(
  tx: Tx,
  sessionId: string,
): Promise<OperatorRole | undefined> {
  const row = await tx.maybeOne(sqlOf({ role: word<OperatorRole>() })`
    select role from ${SESSIONS}
    where session_id = ${sessionId} and stage = 'signed_in' and ${IS_ALIVE}
    for share of operator_sessions`);
  return row?.role;
}

export async function endOperatorSessions(db: Queryable, personId: string): Promise<number> {
  return db.run(sql`
    update operator_sessions set ended_at = real_now()
    where person_id = ${personId} and ended_at is null`);
}

export async function endOperatorSession(db: Queryable, sessionId: string): Promise<void> {
  await db.run(sql`
    update operator_sessions set ended_at = real_now()
    where session_id = ${sessionId} and ended_at is null`);
}

const LISTED = pick(
  tables.operator_sessions,
  "session_id",
  "address",
  "browser",
  "created_at",
  "last_seen_at",
);

/** Those that are alive, the latest first. */
export function listOperatorSessions(db: Queryable, personId: string) {
  return db.rows(sqlOf(LISTED)`
    select ${columns(LISTED, "operator_sessions")} from ${SESSIONS}
    where operators.person_id = ${personId} and stage = 'signed_in' and ${IS_ALIVE}
    order by last_seen_at desc limit 100`);
}
