/**
 * A person as sign-ins see one. The holder of an account has its e-mail, password and credential
 * epoch, so that the console and the API agree on them; other members have their own (Decision
 * 0084).
 */

import { type Queryable, type Sql, sql, sqlOf } from "../../infra/db/query.ts";
import { columns, computed, int, pick, type Row, text } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { setPassword } from "../accounts/account.ts";
import type { PasswordDigest } from "../accounts/passwords.ts";

/** For a statement that has `persons` and, by an outer join, `accounts as holding`. */
export const PERSON = {
  person_id: computed(tables.persons.person_id, sql`persons.person_id`),
  email: computed(tables.persons.email, sql`persons.email`),
  ...pick(tables.persons, "holder_of"),
  is_operator: computed(tables.persons.is_operator, sql`persons.is_operator`),
  full_name: computed(
    text,
    sql`coalesce(persons.full_name, holding.first_name || ' ' || holding.last_name)`,
  ),
};

/** Under which sessions and reset links of the person are made. */
export const PERSON_EPOCH = sql`case when persons.holder_of is null
  then persons.credential_epoch else holding.credential_epoch end`;

const SIGNING_IN = {
  ...PERSON,
  credential_epoch: computed(int, PERSON_EPOCH),
  password_digest: computed(text, sql`coalesce(persons.password_digest, holding.password_digest)`),
  pepper_id: computed(text, sql`coalesce(persons.pepper_id, holding.pepper_id)`),
};

export const PERSONS = sql`persons
  left join accounts as holding on holding.account_number = persons.holder_of`;

/** Nobody has this id: for looking in vain, with the same work. */
export const NOBODY = "00000000-0000-0000-0000-000000000000";

export type PersonRow = Row<typeof PERSON>;

/** Who a person is, as others see them. */
export interface Person {
  readonly personId: string;
  readonly email: string;
  readonly name: string;
  /** The account they hold, if any. */
  readonly holderOf: string | undefined;
  /** Of the operator, who signs in at `/operator` and is a member of nothing (Decision 0118). */
  readonly isOperator: boolean;
}

/** What checking a password needs to know beside that. */
export interface SigningPerson extends Person {
  readonly credentialEpoch: number;
  readonly password: PasswordDigest;
}

export function personOf(row: PersonRow): Person {
  return {
    personId: row.person_id,
    email: row.email,
    name: row.full_name,
    holderOf: row.holder_of ?? undefined,
    isOperator: row.is_operator,
  };
}

export function findPersonByEmail(db: Queryable, email: string) {
  return findWhere(db, sql`persons.email = ${email} and not persons.is_operator`);
}

export function findOperatorPerson(db: Queryable, email: string) {
  return findWhere(db, sql`persons.email = ${email} and persons.is_operator`);
}

export function findPerson(db: Queryable, personId: string) {
  return findWhere(db, sql`persons.person_id = ${personId}`);
}

export function findHolder(db: Queryable, accountNumber: string) {
  return findWhere(db, sql`persons.holder_of = ${accountNumber}`);
}

async function findWhere(db: Queryable, condition: Sql): Promise<SigningPerson | undefined> {
  const row = await db.maybeOne(sqlOf(SIGNING_IN)`
    select ${columns(SIGNING_IN)} from ${PERSONS} where ${condition}`);
  if (row === undefined) return undefined;
  return {
    ...personOf(row),
    credentialEpoch: row.credential_epoch,
    password: { digest: row.password_digest, pepperId: row.pepper_id },
  };
}

/**
 * Locks what holds the password, and gives the epoch as it is then. A closed account still holds
 * that of a person who may act for others; a frozen one stops the person, too (Decision 0146).
 */
export async function lockPerson(
  tx: Tx,
  { personId, holderOf }: Pick<Person, "personId" | "holderOf">,
): Promise<number | undefined> {
  const row = await tx.maybeOne(
    holderOf === undefined
      ? sqlOf(pick(tables.persons, "credential_epoch"))`
          select credential_epoch from persons where person_id = ${personId} for no key update`
      : sqlOf(pick(tables.accounts, "credential_epoch"))`
          select credential_epoch from accounts
          where account_number = ${holderOf} and status <> 'frozen' for no key update`,
  );
  return row?.credential_epoch;
}

interface PasswordToSet extends Pick<SigningPerson, "credentialEpoch" | "password"> {
  readonly isByMailedLink: boolean;
}

/** With the new epoch every sign-in, session and reset link made under an older one is dead. */
export async function setPersonPassword(
  tx: Tx,
  { personId, holderOf }: Pick<Person, "personId" | "holderOf">,
  { credentialEpoch, password, isByMailedLink }: PasswordToSet,
): Promise<void> {
  if (holderOf !== undefined)
    return setPassword(tx, { accountNumber: holderOf, credentialEpoch, isByMailedLink }, password);
  await tx.run(sql`
    update persons set password_digest = ${password.digest}, pepper_id = ${password.pepperId},
      credential_epoch = ${credentialEpoch}
    where person_id = ${personId}`);
}

/** A digest has a salt of its own, so it is there only if the caller's own tx wrote it. */
export async function hasPersonPassword(
  db: Queryable,
  { personId }: Pick<Person, "personId">,
  { digest }: PasswordDigest,
): Promise<true | undefined> {
  const person = await findPerson(db, personId);
  return person?.password.digest === digest ? true : undefined;
}
