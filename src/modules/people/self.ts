/**
 * Somebody signed in to the console who changes something of their own. The tx holds the person
 * and the session: one that was ended in between changes nothing any more.
 */

import { sql, sqlOf } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { Caller } from "../../infra/http/caller.ts";
import { fixedRefusal } from "../../kit/errors.ts";
import { holdSession } from "./console-session.ts";
import type { PeopleContext } from "./context.ts";
import type { Person } from "./person.ts";

export class SessionOver extends fixedRefusal("console_session_over") {}

export interface Self {
  readonly caller: Caller;
  readonly sessionId: string;
  readonly person: Person;
}

export function asSelf<T>(
  { db }: Pick<PeopleContext, "db">,
  { person, sessionId }: Pick<Self, "person" | "sessionId">,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return db.transaction(async (tx) => {
    await lockFactors(tx, person.personId);
    if (!(await holdSession(tx, sessionId))) throw new SessionOver("ended in between");
    return work(tx);
  });
}

/** What a rule says of a person's second factors holds until the tx ends. */
export async function lockFactors(tx: Tx, personId: string): Promise<void> {
  await tx.maybeOne(sqlOf({})`
    select from persons where person_id = ${personId} for no key update`);
}

/** A name for the person, in place of that of the account they hold. */
export async function renameSelf(ctx: PeopleContext, self: Self, name: string): Promise<void> {
  await asSelf(ctx, self, (tx) =>
    tx.run(sql`
      update persons set full_name = ${name} where person_id = ${self.person.personId}`),
  );
}
