/** Which second factors a person has set up; how each is verified stands in its own file. */

import { type Queryable, sqlOf } from "../../infra/db/query.ts";
import { bool, int } from "../../infra/db/row.ts";
import { fixedRefusal } from "../../kit/errors.ts";

export interface SecondFactors {
  readonly passkeys: number;
  readonly totp: boolean;
  readonly recoveryCodes: number;
}

export async function secondFactorsOf(db: Queryable, personId: string): Promise<SecondFactors> {
  const row = await db.one(sqlOf({ passkeys: int, totp: bool, recovery_codes: int })`
    select (select count(*)::int from passkeys where person_id = ${personId}) as passkeys,
      exists (select from totp_secrets
        where person_id = ${personId} and confirmed_at is not null) as totp,
      (select count(*)::int from recovery_codes
        where person_id = ${personId} and used_at is null) as recovery_codes`);
  return { passkeys: row.passkeys, totp: row.totp, recoveryCodes: row.recovery_codes };
}

/** Recovery codes are for lost factors, so by themselves they are none. */
export function hasSecondFactor({ passkeys, totp }: SecondFactors): boolean {
  return totp || passkeys > 0;
}

class LastFactorStays extends fixedRefusal("last_factor_stays") {}

/** In the tx that has removed one: an operator is never without (Decision 0118). */
export async function demandAnotherFactor(tx: Queryable, personId: string): Promise<void> {
  if (!hasSecondFactor(await secondFactorsOf(tx, personId))) throw new LastFactorStays();
}
