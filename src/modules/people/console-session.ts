/**
 * Console sessions: rows, found by the digest of a cookie with 256 random bits (Decision 0085). One
 * ends after 30 minutes without a request, 12 hours after it began, when it is ended by hand, and
 * with the password or role it was made under.
 */

import { type Queryable, type Sql, sql, sqlOf } from "../../infra/db/query.ts";
import { bool, columns, computed, pick, type Row, timestamp, word } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { Role } from "../../kit/roles.ts";
import type { Environment } from "../../kit/vocabulary.ts";
import { accountName, holderName } from "./account-name.ts";
import {
  PERSON,
  PERSON_EPOCH,
  PERSONS,
  type Person,
  personOf,
  type SigningPerson,
} from "./person.ts";
import { isToken, newToken, tokenDigest } from "./random-token.ts";
import {
  HALFWAY_MINUTES,
  IDLE_MINUTES,
  LIFE_HOURS,
  PROOF_MINUTES,
  SEEN_EVERY_SECONDS,
} from "./session-times.ts";
import { sessionsOf } from "./sessions-of.ts";

export type SecondFactor = "passkey" | "totp" | "recovery_code";

export interface NewSession {
  readonly person: Pick<SigningPerson, "personId" | "credentialEpoch">;
  readonly accountNumber: string;
  readonly environment: Environment;
  readonly stage: "second_factor" | "signed_in";
  readonly address: string;
  readonly browser: string;
}

/** Gives the cookie's value, which is shown this once. */
export async function startSession(tx: Tx, session: NewSession): Promise<string> {
  const token = newToken();
  await tx.run(sql`
    insert into console_sessions (token_digest, person_id, account_number, environment,
      credential_epoch, stage, address, browser)
    values (${tokenDigest(token)}, ${session.person.personId}, ${session.accountNumber},
      ${session.environment}, ${session.person.credentialEpoch}, ${session.stage},
      ${session.address}, ${session.browser})`);
  return token;
}

const SESSION = {
  ...PERSON,
  ...pick(tables.console_sessions, "session_id", "environment", "stage", "second_factor"),
  account_type: computed(tables.accounts.account_type, sql`account.account_type`),
  country_code: computed(tables.accounts.country_code, sql`account.country_code`),
  is_main_merchant: computed(tables.accounts.is_main_merchant, sql`account.is_main_merchant`),
  account_number: computed(tables.accounts.account_number, sql`account.account_number`),
  account_name: accountName(sql`account`),
  holder_name: holderName(sql`account`),
  is_verified: computed(bool, sql`account.verified_at is not null`),
  role: computed(word<Role>(), sql`members.role`),
  expires_at: computed(
    timestamp,
    sql`console_sessions.created_at + make_interval(hours => ${LIFE_HOURS})`,
  ),
  is_proven: computed(bool, sql`proven_at > real_now() - make_interval(mins => ${PROOF_MINUTES})`),
  is_to_be_noted: computed(
    bool,
    sql`last_seen_at < real_now() - make_interval(secs => ${SEEN_EVERY_SECONDS})`,
  ),
};

type SessionRow = Row<typeof SESSION>;
export type Session = ReturnType<typeof sessionOf>;

/**
 * Of `console_sessions` and `PERSONS`. Who holds a frozen account does nothing anywhere meanwhile
 * (Decision 0146).
 */
const IS_ALIVE = sql`ended_at is null and holding.status is distinct from 'frozen'
  and last_seen_at > real_now() - make_interval(mins => ${IDLE_MINUTES})
  and console_sessions.created_at > real_now() - make_interval(hours => ${LIFE_HOURS})
  and console_sessions.credential_epoch = ${PERSON_EPOCH}`;

/**
 * Undefined for a cookie that is unknown, or whose session is over or still halfway. `isIdle`: the
 * browser asks by itself, which keeps no session from ending.
 */
export function readSession(
  db: Queryable,
  token: string,
  { isIdle = false }: { readonly isIdle?: boolean } = {},
) {
  return findSession(db, token, { condition: sql`stage = 'signed_in'`, isIdle });
}

/** Of somebody whose password was right and who has still to show a second factor. */
export function readHalfwaySession(db: Queryable, token: string) {
  return findSession(db, token, {
    condition: sql`stage = 'second_factor' and console_sessions.created_at
      > real_now() - make_interval(mins => ${HALFWAY_MINUTES})`,
    isIdle: false,
  });
}

async function findSession(
  db: Queryable,
  token: string,
  { condition, isIdle }: { readonly condition: Sql; readonly isIdle: boolean },
) {
  if (!isToken(token)) return undefined;
  const row = await db.maybeOne(sqlOf(SESSION)`
    select ${columns(SESSION)}
    from console_sessions
      join (${PERSONS}) on persons.person_id = console_sessions.person_id
      join accounts as account on account.account_number = console_sessions.account_number
      join members on members.account_number = account.account_number
        and members.person_id = persons.person_id
    where token_digest = ${tokenDigest(token)} and ${condition} and ${IS_ALIVE}
      and account.status = 'active'`);
  if (row === undefined) return undefined;
  if (row.is_to_be_noted && !isIdle)
    await db.run(sql`
      update console_sessions set last_seen_at = real_now() where session_id = ${row.session_id}`);
  return sessionOf(row);
}

function sessionOf(row: SessionRow) {
  return {
    sessionId: row.session_id,
    person: personOf(row),
    role: row.role,
    environment: row.environment,
    isProven: row.is_proven,
    expiresAt: row.expires_at,
    stage: row.stage,
    secondFactor: row.second_factor,
    account: {
      accountNumber: row.account_number,
      accountType: row.account_type,
      countryCode: row.country_code,
      isMainMerchant: row.is_main_merchant,
      isVerified: row.is_verified,
      name: row.account_name,
      holder: row.holder_name,
    },
  };
}

type ProvenSession = { readonly sessionId: string; readonly person: Pick<Person, "isOperator"> };

/** A password or second factor was shown again. */
export async function markProven(
  db: Queryable,
  { sessionId, person }: ProvenSession,
  secondFactor?: SecondFactor,
): Promise<void> {
  await db.run(sql`
    update ${sessionsOf(person)} set proven_at = real_now(),
      second_factor = coalesce(${secondFactor}, second_factor)
    where session_id = ${sessionId} and stage = 'signed_in'`);
}

/** Gives the cookie's new value: the one of a halfway session, worth less, opens nothing more. */
export async function finishSignIn(
  tx: Tx,
  { sessionId, person }: ProvenSession,
  secondFactor: SecondFactor,
): Promise<string | undefined> {
  const token = newToken();
  const finished = await tx.run(sql`
    update ${sessionsOf(person)} set stage = 'signed_in', token_digest = ${tokenDigest(token)},
      second_factor = ${secondFactor}, proven_at = real_now(), last_seen_at = real_now()
    where session_id = ${sessionId} and stage in ('second_factor', 'set_up')
      and ended_at is null`);
  return finished === 1 ? token : undefined;
}

/** Whether it is alive; if so, until the tx ends. */
export async function holdSession(tx: Tx, sessionId: string): Promise<boolean> {
  const row = await tx.maybeOne(sqlOf({})`
    select from console_sessions
      join (${PERSONS}) on persons.person_id = console_sessions.person_id
    where session_id = ${sessionId} and stage = 'signed_in' and ${IS_ALIVE}
    for share of console_sessions`);
  return row !== undefined;
}

const ACTING = {
  session_id: tables.console_sessions.session_id,
  account_number: computed(
    tables.console_sessions.account_number,
    sql`console_sessions.account_number`,
  ),
};

/** Of those that are alive, the account that each acts for and is still a member's of. */
export async function aliveSessions(
  db: Queryable,
  sessionIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.rows(sqlOf(ACTING)`
    select ${columns(ACTING)}
    from console_sessions join (${PERSONS}) on persons.person_id = console_sessions.person_id
      join members on members.account_number = console_sessions.account_number
        and members.person_id = persons.person_id
    where session_id = any(${sessionIds}::uuid[]) and stage = 'signed_in' and ${IS_ALIVE}`);
  return new Map(rows.map(({ session_id, account_number }) => [session_id, account_number]));
}

export async function endSession(db: Queryable, sessionId: string): Promise<void> {
  await db.run(sql`
    update console_sessions set ended_at = real_now()
    where session_id = ${sessionId} and ended_at is null`);
}

/** Of a person, or of one of their accounts. */
export async function endSessionsOf(
  db: Queryable,
  { personId, accountNumber }: { personId: string; accountNumber?: string },
): Promise<number> {
  return db.run(sql`
    update console_sessions set ended_at = real_now()
    where person_id = ${personId} and ended_at is null
      and account_number = coalesce(${accountNumber}, account_number)`);
}

const LISTED = pick(
  tables.console_sessions,
  "session_id",
  "address",
  "browser",
  "created_at",
  "last_seen_at",
);

/** The person's sessions that are alive, the latest first. */
export function listSessions(db: Queryable, personId: string) {
  return db.rows(sqlOf(LISTED)`
    select ${columns(LISTED, "console_sessions")}
    from console_sessions join (${PERSONS}) on persons.person_id = console_sessions.person_id
    where persons.person_id = ${personId} and stage = 'signed_in' and ${IS_ALIVE}
    order by last_seen_at desc limit 100`);
}

export async function switchSession(
  db: Queryable,
  sessionId: string,
  to: { readonly environment: Environment; readonly accountNumber: string },
): Promise<void> {
  await db.run(sql`
    update console_sessions
    set environment = ${to.environment}, account_number = ${to.accountNumber}
    where session_id = ${sessionId}`);
}
