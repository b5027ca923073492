/**
 * Recovery codes, for a person whose phone or passkey is lost (Decision 0090): ten, each good once.
 * Only keyed digests are kept, so they are shown when they are made and never again; new ones
 * replace the old.
 */

import { randomInt } from "node:crypto";
import type { Config } from "../../infra/config.ts";
import { type Queryable, sql, sqlOf } from "../../infra/db/query.ts";
import { pick } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { fixedRefusal } from "../../kit/errors.ts";
import { derivedKey, keyedDigest, type SecretKey } from "../../kit/secrets.ts";
import type { PeopleContext } from "./context.ts";
import { hasSecondFactor, secondFactorsOf } from "./second-factors.ts";
import { asSelf, auditSelf, type Self } from "./self.ts";

const CODES = 10;
/** Without those that are taken for one another; twelve of these carry 59 bits. */
const LETTERS = "abcdefghjkmnpqrstuvwxyz23456789";
const GROUPS = 3;
const GROUP_LENGTH = 4;

class RecoveryCodesNeedAFactor extends fixedRefusal("recovery_codes_need_a_factor") {}

export async function makeRecoveryCodes(ctx: PeopleContext, self: Self): Promise<string[]> {
  const { personId } = self.person;
  const pepper = ctx.config.tokenPeppers.current;
  const codes = Array.from({ length: CODES }, newCode);
  await asSelf(ctx, self, async (tx) => {
    if (!hasSecondFactor(await secondFactorsOf(tx, personId))) throw new RecoveryCodesNeedAFactor();
    await tx.run(sql`delete from recovery_codes where person_id = ${personId}`);
    const digests = codes.map((code) => digestOf(pepper, personId, code));
    await tx.run(sql`
      insert into recovery_codes (person_id, code_digest, pepper_id)
      select ${personId}, digest, ${pepper.id} from unnest(${digests}::bytea[]) as digest`);
    await auditSelf(tx, self, "recovery_codes_made");
  });
  return codes;
}

/** Codes alone are no factor: without one they would lie about, good for nothing. */
export async function forgetCodesWithoutFactor(tx: Tx, personId: string): Promise<void> {
  if (hasSecondFactor(await secondFactorsOf(tx, personId))) return;
  await tx.run(sql`delete from recovery_codes where person_id = ${personId}`);
}

/** The digest of the code, not used up yet. */
export async function findRecoveryCode(
  { tokenPeppers }: Config,
  db: Queryable,
  personId: string,
  code: string,
): Promise<Buffer | undefined> {
  const plain = code.toLowerCase().replace(/[\s-]/g, "");
  const digests = tokenPeppers.all.map((pepper) => digestOf(pepper, personId, plain));
  const row = await db.maybeOne(sqlOf(pick(tables.recovery_codes, "code_digest"))`
    select code_digest from recovery_codes
    where person_id = ${personId} and code_digest = any(${digests}::bytea[]) and used_at is null`);
  return row?.code_digest;
}

/** False when another request was first. */
export async function useRecoveryCode(tx: Tx, personId: string, digest: Buffer): Promise<boolean> {
  const used = await tx.run(sql`
    update recovery_codes set used_at = real_now()
    where person_id = ${personId} and code_digest = ${digest} and used_at is null`);
  return used === 1;
}

function newCode(): string {
  const letter = () => LETTERS[randomInt(LETTERS.length)];
  const group = () => Array.from({ length: GROUP_LENGTH }, letter).join("");
  return Array.from({ length: GROUPS }, group).join("-");
}

/** Bound to its person, so that equal codes of two people would not be seen to be equal. */
function digestOf(pepper: SecretKey, personId: string, code: string): Buffer {
  const plain = code.replaceAll("-", "");
  return keyedDigest(derivedKey(pepper, "recovery code"), `${personId} ${plain}`);
}
