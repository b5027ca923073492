/** People of the operator: who they are, and with which role (Decision 0118). */

import { type Queryable, sql, sqlOf } from "../../../infra/db/query.ts";
import {
  bool,
  columns,
  computed,
  pick,
  type Row,
  text,
  timestamp,
  word,
} from "../../../infra/db/row.ts";
import { tables } from "../../../infra/db/tables.ts";
import type { Tx } from "../../../infra/db/transaction.ts";
import { NoSuchRecord, OperatorError } from "../../../kit/errors.ts";
import type { OperatorRole } from "../../../kit/operator-roles.ts";
import type { PasswordDigest } from "../../accounts/passwords.ts";
import { endOperatorSessions } from "./operator-session.ts";

const OPERATOR = {
  person_id: computed(tables.operators.person_id, sql`operators.person_id`),
  email: computed(text, sql`persons.email`),
  name: computed(text, sql`persons.full_name`),
  role: word<OperatorRole>(),
  ...pick(tables.operators, "removed_at"),
  created_at: computed(tables.operators.created_at, sql`operators.created_at`),
  has_factor: computed(
    bool,
    sql`exists (select from passkeys where passkeys.person_id = operators.person_id)
      or exists (select from totp_secrets
        where totp_secrets.person_id = operators.person_id and confirmed_at is not null)`,
  ),
};

export type OperatorRow = Row<typeof OPERATOR>;

const JOINED = sql`operators join persons on persons.person_id = operators.person_id`;

/** The oldest first; a service has a handful. */
export function listOperators(db: Queryable): Promise<OperatorRow[]> {
  return db.rows(sqlOf(OPERATOR)`
    select ${columns(OPERATOR)} from ${JOINED}
    order by removed_at is not null, persons.created_at, email limit 1000`);
}

export async function demandOperator(tx: Tx, email: string): Promise<OperatorRow> {
  const row = await tx.maybeOne(sqlOf(OPERATOR)`
    select ${columns(OPERATOR)} from ${JOINED} where email = ${email}
    for update of operators`);
  if (row === undefined) throw new NoSuchRecord(`There is no operator ${email}.`);
  return row;
}

const NEW_HOURS = 24;

/** What another operator made may be their own second self, so it is none (Decision 0136). */
export async function noteNewcomer(tx: Tx, email: string): Promise<void> {
  await tx.run(sql`
    update operators set second_person_from = real_now() + make_interval(hours => ${NEW_HOURS})
    where person_id = (select person_id from persons where email = ${email} and is_operator)`);
}

const NEWCOMER = {
  email: computed(text, sql`persons.email`),
  from: computed(timestamp, sql`second_person_from`),
};

/** One of these whom another operator made or changed less than a day ago. */
export function findNewcomer(db: Queryable, personIds: readonly string[]) {
  return db.maybeOne(sqlOf(NEWCOMER)`
    select ${columns(NEWCOMER)} from ${JOINED}
    where operators.person_id = any(${personIds}::uuid[]) and second_person_from > real_now()
    order by email limit 1`);
}

const SECOND_PERSONS_MAX = 50;

/** Who may agree to what somebody else asks for, newcomers left out. */
export function listSecondPersons(
  db: Queryable,
  { roles, except }: { readonly roles: readonly OperatorRole[]; readonly except: string },
) {
  return db.rows(sqlOf(pick(OPERATOR, "person_id", "email"))`
    select ${columns(pick(OPERATOR, "person_id", "email"))} from ${JOINED}
    where removed_at is null and role = any(${roles}) and operators.person_id <> ${except}
      and (second_person_from is null or second_person_from <= real_now())
    order by email limit ${SECOND_PERSONS_MAX}`);
}

/** Undefined: this person is no operator any more. */
export async function readOperatorRole(
  db: Queryable,
  personId: string,
): Promise<OperatorRole | undefined> {
  const row = await db.maybeOne(sqlOf({ role: word<OperatorRole>() })`
    select role from operators where person_id = ${personId} and removed_at is null`);
  return row?.role;
}

export interface NewOperator {
  readonly email: string;
  readonly name: string;
  readonly role: OperatorRole;
  readonly password: PasswordDigest;
}

/** Somebody who was removed comes back as the same person, without the factors of before. */
export async function addOperator(tx: Tx, operator: NewOperator): Promise<string> {
  const { email, name, role, password } = operator;
  const taken = () => new OperatorError(`There is an operator ${email} already.`);
  const known = await tx.maybeOne(sqlOf(OPERATOR)`
    select ${columns(OPERATOR)} from ${JOINED} where email = ${email} for update of operators`);
  if (known === undefined) {
    const made = await tx.maybeOne(sqlOf(pick(tables.persons, "person_id"))`
      insert into persons (email, full_name, password_digest, pepper_id, is_operator)
      values (${email}, ${name}, ${password.digest}, ${password.pepperId}, true)
      on conflict do nothing returning person_id`);
    if (made === undefined) throw taken();
    await tx.run(sql`
      insert into operators (person_id, role) values (${made.person_id}, ${role})`);
    return made.person_id;
  }
  if (known.removed_at === null) throw taken();
  await forgetFactors(tx, known.person_id);
  await tx.run(sql`
    update persons set full_name = ${name}, password_digest = ${password.digest},
      pepper_id = ${password.pepperId}, credential_epoch = credential_epoch + 1
    where person_id = ${known.person_id}`);
  await tx.run(sql`
    update operators set role = ${role}, removed_at = null where person_id = ${known.person_id}`);
  return known.person_id;
}

/** The sessions end: they were made under the old role. */
export async function changeOperatorRole(
  tx: Tx,
  { person_id: personId }: OperatorRow,
  role: OperatorRole,
): Promise<void> {
  await tx.run(sql`update operators set role = ${role} where person_id = ${personId}`);
  await endOperatorSessions(tx, personId);
  await demandAnAdmin(tx);
}

export async function removeOperator(tx: Tx, { person_id: personId }: OperatorRow): Promise<void> {
  await tx.run(sql`
    update operators set removed_at = real_now() where person_id = ${personId}`);
  await endOperatorSessions(tx, personId);
  await tx.run(sql`delete from reset_links where person_id = ${personId}`);
  await demandAnAdmin(tx);
}

/** The next sign-in sets up new ones before anything else opens. */
export async function forgetFactors(tx: Tx, personId: string): Promise<void> {
  await tx.run(sql`delete from passkeys where person_id = ${personId}`);
  await tx.run(sql`delete from totp_secrets where person_id = ${personId}`);
  await endOperatorSessions(tx, personId);
}

/** A console without one could be helped from the terminal only. */
async function demandAnAdmin(tx: Tx): Promise<void> {
  // Two changes at once must not take one admin each.
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended('operators', 0))`);
  const left = await tx.maybeOne(sqlOf({})`
    select from operators where role = 'admin' and removed_at is null limit 1`);
  if (left === undefined) throw new OperatorError("One operator must stay an admin.");
}
