/**
 * Somebody signed in to the console who changes something of their own. The tx holds the person
 * and the session: one that was ended in between changes nothing any more.
 */

import { insertAudit, recordAudit } from "../../infra/audit.ts";
import { sql, sqlOf } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { Caller } from "../../infra/http/caller.ts";
import { fixedRefusal } from "../../kit/errors.ts";
import { holdSession } from "./console-session.ts";
import type { PeopleContext } from "./context.ts";
import { holdOperatorSession } from "./operators/operator-session.ts";
import type { Person } from "./person.ts";

export class SessionOver extends fixedRefusal("console_session_over") {}

interface SomebodySignedIn {
  readonly sessionId: string;
  readonly person: Person;
}

interface MemberSelf extends SomebodySignedIn {
  readonly caller: Caller;
}

/** At the operator's console, who calls for no account. */
export interface OperatorSelf extends SomebodySignedIn {
  readonly from: { readonly address: string; readonly browser: string };
}

export type Self = MemberSelf | OperatorSelf;

/** What somebody did about their own sign-in. */
export async function auditSelf(
  tx: Tx,
  self: Self,
  action: string,
  entry: { to?: string; detail?: Readonly<Record<string, unknown>> } = {},
): Promise<void> {
  if ("caller" in self) return recordAudit(tx, self.caller, action, entry);
  const { person, sessionId: session_id, from } = self;
  await insertAudit(tx, {
    action,
    actor: `person ${person.personId}`,
    detail: { operator: person.email, session_id, ...from, ...entry.detail },
  });
}

export function asSelf<T>(
  { db }: Pick<PeopleContext, "db">,
  { person, sessionId }: SomebodySignedIn,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return db.transaction(async (tx) => {
    await lockFactors(tx, person.personId);
    const hold = person.isOperator ? holdOperatorSession : holdSession;
    if (!(await hold(tx, sessionId))) throw new SessionOver("ended in between");
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
