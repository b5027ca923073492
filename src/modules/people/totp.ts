/**
 * Codes of an authenticator app (Decision 0090): TOTP by RFC 6238 with what every app can do,
 * SHA-1, six digits, 30 seconds. The code before and the one after are taken, too, and each code
 * once.
 *
 * Time is the database's, and without the shift that moves the service's own: the person's phone
 * follows none.
 */

import { randomBytes } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import type { Config } from "../../infra/config.ts";
import { type Queryable, sql, sqlOf } from "../../infra/db/query.ts";
import { columns, computed, float, pick, type Row } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { fixedRefusal } from "../../kit/errors.ts";
import { seal, unseal } from "../../kit/secrets.ts";
import type { PeopleContext } from "./context.ts";
import { countedGuess } from "./guesses.ts";
import type { Person } from "./person.ts";
import { forgetCodesWithoutFactor } from "./recovery-codes.ts";
import { demandAnotherFactor } from "./second-factors.ts";
import { asSelf, auditSelf, type Self } from "./self.ts";
import { guessedName } from "./sessions-of.ts";
import { tellSelf } from "./tell-owners.ts";

const ISSUER = "Windward";
const SECRET_BYTES = 20;
const RULES = { algorithm: "SHA1", digits: 6, period: 30 } as const;
const STEPS_EITHER_WAY = 1;
const NO_CODE = "------";
/** Of nobody: with it a code takes as long to refuse. */
const DUMMY = randomBytes(SECRET_BYTES);

class AuthenticatorStays extends fixedRefusal("authenticator_stays") {}

const TOTP_SECRET = {
  ...pick(
    tables.totp_secrets,
    "secret_box",
    "wrapping_key_id",
    "confirmed_at",
    "last_step",
    "created_at",
  ),
  at_seconds: computed(float, sql`extract(epoch from clock_timestamp())::float8`),
};

/** For the person's app: as text, and as the address that its QR code holds. */
export interface Enrolment {
  readonly secret: string;
  readonly uri: string;
}

/** A new secret in place of one that was never confirmed; undefined where one is in use. */
export async function beginTotp(ctx: PeopleContext, self: Self): Promise<Enrolment | undefined> {
  const { personId } = self.person;
  const bytes = randomBytes(SECRET_BYTES);
  const key = ctx.config.wrappingKeys.current;
  const made = await asSelf(ctx, self, (tx) =>
    tx.run(sql`
      insert into totp_secrets (person_id, secret_box, wrapping_key_id)
      values (${personId}, ${seal(key.bytes, bytes, boundTo(personId))}, ${key.id})
      on conflict (person_id) do update
      set secret_box = excluded.secret_box, wrapping_key_id = excluded.wrapping_key_id,
        last_step = 0, created_at = excluded.created_at
      where totp_secrets.confirmed_at is null`),
  );
  return made === 0 ? undefined : enrolmentOf(self.person, bytes);
}

/** The one that waits for its first code, for a page that is shown again. */
export async function pendingTotp(
  { config, db }: PeopleContext,
  person: Person,
): Promise<Enrolment | undefined> {
  const row = await readSecret(db, person.personId);
  if (row === undefined || row.confirmed_at !== null) return undefined;
  const bytes = open(config, person.personId, row);
  return bytes === undefined ? undefined : enrolmentOf(person, bytes);
}

/** False: the code is not one of the secret that waits for it. It counts as a guess. */
export async function confirmTotp(ctx: PeopleContext, self: Self, code: string): Promise<boolean> {
  const { personId } = self.person;
  return countedGuess(ctx.db, { email: guessedName(self.person), address: addressOf(self) }, () =>
    asSelf(ctx, self, async (tx) => {
      const row = await readSecret(tx, personId);
      if (row === undefined || row.confirmed_at !== null) return false;
      const step = stepOf(open(ctx.config, personId, row), code, row.at_seconds);
      if (step === undefined) return false;
      await tx.run(sql`
        update totp_secrets set confirmed_at = real_now(), last_step = ${step}
        where person_id = ${personId}`);
      await auditSelf(tx, self, "authenticator_added");
      await tellSelf(ctx.config, tx, self, {
        subject: "An authenticator app was added",
        what: "From now on your sign-in also asks for a code of an authenticator app.",
      });
      return true;
    }),
  );
}

function addressOf(self: Self): string {
  if (!("caller" in self)) return self.from.address;
  const { credential } = self.caller;
  return credential.kind === "session" ? credential.address : "";
}

export async function removeTotp(ctx: PeopleContext, self: Self): Promise<void> {
  const { personId, holderOf } = self.person;
  await asSelf(ctx, self, async (tx) => {
    const wanted = await tx.maybeOne(sqlOf({})`
      select from accounts
      where account_number = ${holderOf} and api_sign_in = 'password_and_code'
        and status <> 'closed'`);
    if (wanted !== undefined) throw new AuthenticatorStays();
    const removed = await tx.run(sql`delete from totp_secrets where person_id = ${personId}`);
    if (removed === 0) return;
    if (self.person.isOperator) await demandAnotherFactor(tx, personId);
    await forgetCodesWithoutFactor(tx, personId);
    await auditSelf(tx, self, "authenticator_removed");
    await tellSelf(ctx.config, tx, self, {
      subject: "An authenticator app was removed",
      what: "The authenticator app of your sign-in was removed: its codes are worth nothing now.",
    });
  });
}

/** A known secret, for the people of the development world. */
export async function giveTotpSecret(
  { config }: Pick<PeopleContext, "config">,
  tx: Tx,
  { personId, secret }: { readonly personId: string; readonly secret: string },
): Promise<void> {
  const key = config.wrappingKeys.current;
  const bytes = Buffer.from(Secret.fromBase32(secret).buffer);
  await tx.run(sql`
    insert into totp_secrets (person_id, secret_box, wrapping_key_id, confirmed_at)
    values (${personId}, ${seal(key.bytes, bytes, boundTo(personId))}, ${key.id}, real_now())`);
}

/** The step whose code it is, not used up yet; the same work where there is no secret. */
export async function findTotpStep(
  { config, log }: Pick<PeopleContext, "config" | "log">,
  db: Queryable,
  personId: string,
  code: string,
): Promise<bigint | undefined> {
  const row = await readSecret(db, personId);
  const secret = row === undefined ? undefined : open(config, personId, row);
  // Not a 500, which would tell that the rest was right.
  if (row !== undefined && secret === undefined)
    log.error({ key: row.wrapping_key_id }, "the wrapping key of a second factor is missing");
  const step = stepOf(secret ?? DUMMY, code, row?.at_seconds ?? 0);
  const isGood = secret !== undefined && row !== undefined && row.confirmed_at !== null;
  return isGood && step !== undefined && step > row.last_step ? step : undefined;
}

/** False when it was used before, or one behind it: of two requests with one code one passes. */
export async function useTotpStep(tx: Tx, personId: string, step: bigint): Promise<boolean> {
  const used = await tx.run(sql`
    update totp_secrets set last_step = ${step}
    where person_id = ${personId} and confirmed_at is not null and last_step < ${step}`);
  return used === 1;
}

function readSecret(db: Queryable, personId: string) {
  return db.maybeOne(sqlOf(TOTP_SECRET)`
    select ${columns(TOTP_SECRET)} from totp_secrets where person_id = ${personId}`);
}

function open(
  { wrappingKeys }: Pick<Config, "wrappingKeys">,
  personId: string,
  row: Row<typeof TOTP_SECRET>,
): Buffer | undefined {
  const key = wrappingKeys.byId(row.wrapping_key_id);
  return key === undefined ? undefined : unseal(key.bytes, row.secret_box, boundTo(personId));
}

function boundTo(personId: string): string {
  return `totp secret ${personId}`;
}

function stepOf(secret: Buffer | undefined, code: string, atSeconds: number): bigint | undefined {
  if (secret === undefined) return undefined;
  const timestamp = atSeconds * 1_000;
  const counter = TOTP.counter({ period: RULES.period, timestamp });
  const delta = TOTP.validate({
    ...RULES,
    token: digitsOf(code),
    secret: secretOf(secret),
    timestamp,
    window: STEPS_EITHER_WAY,
  });
  return delta === null ? undefined : BigInt(counter + delta);
}

/** The library compares bytes of one length and throws on others, such as six letters of Greek. */
function digitsOf(code: string): string {
  const digits = code.replace(/\s/g, "");
  return /^[0-9]{6}$/.test(digits) ? digits : NO_CODE;
}

function secretOf(bytes: Buffer): Secret {
  return new Secret({ buffer: new Uint8Array(bytes).buffer });
}

function enrolmentOf({ email }: Person, bytes: Buffer): Enrolment {
  const secret = secretOf(bytes);
  const uri = new TOTP({ ...RULES, issuer: ISSUER, label: email, secret }).toString();
  return { secret: secret.base32, uri };
}
