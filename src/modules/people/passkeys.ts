/**
 * Passkeys (Decision 0090): WebAuthn credentials of a person, by `@simplewebauthn/server`. The
 * device must verify its user, so that a passkey alone is a fresh proof. A challenge is kept on the
 * session's row, for five minutes and one answer. A count of uses that goes back is refused: the
 * key was copied.
 */

import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/server";
import { onConstraint } from "../../infra/db/database-errors.ts";
import { type Queryable, sql, sqlOf } from "../../infra/db/query.ts";
import { columns, pick } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { fixedRefusal, NotFound } from "../../kit/errors.ts";
import { lazy } from "../../kit/lazy.ts";
import type { PeopleContext } from "./context.ts";
import { keepChallenge, takeChallenge } from "./passkey-challenge.ts";
import { forgetCodesWithoutFactor } from "./recovery-codes.ts";
import type { RelyingParty } from "./relying-party.ts";
import { demandAnotherFactor } from "./second-factors.ts";
import { asSelf, auditSelf, type Self } from "./self.ts";
import { tellSelf } from "./tell-owners.ts";

const NAME = "Windward";
/** Ed25519, ES256 and RS256: what devices have, and Node verifies without experiments. */
const ALGORITHMS = [-8, -7, -257];
/** More than anybody has. */
const PASSKEYS_MAX = 20;

/** When first needed: it takes longer to load than the rest of the service. */
const library = lazy(() => import("@simplewebauthn/server"));

export class PasskeyNotAdded extends fixedRefusal("passkey_not_added") {}

const PASSKEY = pick(tables.passkeys, "passkey_id", "name", "created_at", "last_used_at");
const CREDENTIAL = pick(
  tables.passkeys,
  "passkey_id",
  "credential_id",
  "public_key",
  "sign_count",
  "transports",
);

export function passkeysOf(db: Queryable, personId: string) {
  return db.rows(sqlOf(PASSKEY)`
    select ${columns(PASSKEY)} from passkeys where person_id = ${personId} order by created_at`);
}

export function findPasskey(db: Queryable, personId: string, passkeyId: string) {
  return db.maybeOne(sqlOf(PASSKEY)`
    select ${columns(PASSKEY)} from passkeys
    where person_id = ${personId} and passkey_id = ${passkeyId}`);
}

function credentialsOf(db: Queryable, personId: string) {
  return db.rows(sqlOf(CREDENTIAL)`
    select ${columns(CREDENTIAL)} from passkeys where person_id = ${personId} order by created_at`);
}

async function described(db: Queryable, personId: string) {
  const known = await credentialsOf(db, personId);
  return known.map(({ credential_id: id, transports }) => ({ id, transports }));
}

/** For `navigator.credentials.create`; an earlier challenge of the session is void. */
export async function registrationOptions(
  { db }: PeopleContext,
  { sessionId, person }: Pick<Self, "sessionId" | "person">,
  party: RelyingParty,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await library();
  const options = await generateRegistrationOptions({
    rpName: NAME,
    rpID: party.id,
    userID: new Uint8Array(Buffer.from(person.personId.replaceAll("-", ""), "hex")),
    userName: person.email,
    userDisplayName: person.name,
    attestationType: "none",
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: await described(db, person.personId),
    authenticatorSelection: { residentKey: "preferred", userVerification: "required" },
  });
  await keepChallenge(db, { sessionId, person }, options.challenge);
  return options;
}

/** For `navigator.credentials.get`. */
export async function authenticationOptions(
  { db }: PeopleContext,
  { sessionId, person }: Pick<Self, "sessionId" | "person">,
  party: RelyingParty,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await library();
  const options = await generateAuthenticationOptions({
    rpID: party.id,
    allowCredentials: await described(db, person.personId),
    userVerification: "required",
  });
  await keepChallenge(db, { sessionId, person }, options.challenge);
  return options;
}

/** What the browser answered, as JSON, and where it was asked. */
export interface PasskeyAnswer {
  readonly response: string;
  readonly party: RelyingParty;
}

export async function addPasskey(
  ctx: PeopleContext,
  self: Self,
  { name, response, party }: PasskeyAnswer & { readonly name: string },
): Promise<void> {
  const challenge = await takeChallenge(ctx.db, self);
  if (challenge === undefined) throw new PasskeyNotAdded("no challenge, or too old");
  const { verifyRegistrationResponse } = await library();
  const verified = await attempt(() =>
    verifyRegistrationResponse({
      ...expected(challenge, party),
      supportedAlgorithmIDs: ALGORITHMS,
      response: JSON.parse(response),
    }),
  );
  if (!verified?.verified) throw new PasskeyNotAdded("not verified");
  const { credential } = verified.registrationInfo;
  const { personId } = self.person;
  await asSelf(ctx, self, async (tx) => {
    const known = await passkeysOf(tx, personId);
    if (known.length >= PASSKEYS_MAX) throw new PasskeyNotAdded("too many");
    await onConstraint(
      { a_passkey_is_added_once: (cause) => new PasskeyNotAdded(cause) },
      tx.run(sql`
        insert into passkeys (credential_id, person_id, name, public_key, sign_count, transports)
        values (${credential.id}, ${personId}, ${name}, ${Buffer.from(credential.publicKey)},
          ${credential.counter}, ${credential.transports ?? []})`),
    );
    await auditSelf(tx, self, "passkey_added", { detail: { name } });
    await tellSelf(ctx.config, tx, self, {
      subject: "A passkey was added",
      what: `The passkey "${name}" was added to your sign-in.`,
    });
  });
}

/** One of the person's own that answered the challenge, which is used up in any case. */
export async function findPasskeyUsed(
  { db }: PeopleContext,
  { sessionId, person }: Pick<Self, "sessionId" | "person">,
  { response, party }: PasskeyAnswer,
): Promise<UsedPasskey | undefined> {
  const challenge = await takeChallenge(db, { sessionId, person });
  if (challenge === undefined) return undefined;
  const { verifyAuthenticationResponse } = await library();
  const known = await credentialsOf(db, person.personId);
  return attempt(async (): Promise<UsedPasskey | undefined> => {
    const answer = JSON.parse(response);
    const own = known.find(({ credential_id }) => credential_id === answer.id);
    if (own === undefined) return undefined;
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      ...expected(challenge, party),
      response: answer,
      credential: {
        id: own.credential_id,
        publicKey: new Uint8Array(own.public_key),
        counter: Number(own.sign_count),
      },
    });
    if (!verified) return undefined;
    return { kind: "passkey", passkeyId: own.passkey_id, count: authenticationInfo.newCounter };
  });
}

export interface UsedPasskey {
  readonly kind: "passkey";
  readonly passkeyId: string;
  /** How often its device says it was used. */
  readonly count: number;
}

/** False when its count of uses went back. Devices that do not count say 0 every time. */
export async function usePasskey(tx: Tx, { passkeyId, count }: UsedPasskey): Promise<boolean> {
  const used = await tx.run(sql`
    update passkeys set sign_count = ${count}, last_used_at = real_now()
    where passkey_id = ${passkeyId}
      and (sign_count < ${count} or (sign_count = 0 and ${count} = 0))`);
  return used === 1;
}

function expected(challenge: string, { id, origin }: RelyingParty) {
  return {
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: true,
  };
}

/** Of what a browser sent nothing is trusted; the library throws at whatever does not fit. */
async function attempt<T>(verify: () => Promise<T>): Promise<T | undefined> {
  try {
    return await verify();
  } catch {
    return undefined;
  }
}

interface Named {
  readonly passkeyId: string;
  readonly name: string;
}

export async function renamePasskey(
  ctx: PeopleContext,
  self: Self,
  { passkeyId, name }: Named,
): Promise<void> {
  await asSelf(ctx, self, async (tx) => {
    const renamed = await tx.run(sql`
      update passkeys set name = ${name}
      where passkey_id = ${passkeyId} and person_id = ${self.person.personId}`);
    if (renamed === 0) throw new NotFound("no such passkey of the person");
  });
}

export async function removePasskey(
  ctx: PeopleContext,
  self: Self,
  passkeyId: string,
): Promise<void> {
  const { personId } = self.person;
  await asSelf(ctx, self, async (tx) => {
    const [removed] = await tx.rows(sqlOf(pick(tables.passkeys, "name"))`
      delete from passkeys where passkey_id = ${passkeyId} and person_id = ${personId}
      returning name`);
    if (removed === undefined) throw new NotFound("no such passkey of the person");
    if (self.person.isOperator) await demandAnotherFactor(tx, personId);
    await forgetCodesWithoutFactor(tx, personId);
    await auditSelf(tx, self, "passkey_removed", { detail: { name: removed.name } });
    await tellSelf(ctx.config, tx, self, {
      subject: "A passkey was removed",
      what: `The passkey "${removed.name}" was removed from your sign-in.`,
    });
  });
}
