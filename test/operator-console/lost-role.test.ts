/**
 * Somebody of the operator who is removed, signed out or given another role at the moment that they
 * act does nothing any more (Decision 0118). Each race is made certain: the action waits for the
 * session that is being ended.
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import type { Tx } from "../../src/infra/db/transaction.ts";
import {
  changeOperatorRole,
  demandOperator,
  removeOperator,
} from "../../src/modules/people/operators/operator.ts";
import { endOperatorSessions } from "../../src/modules/people/operators/operator-session.ts";
import { untilWaiting } from "../../testkit/lock-waits.ts";
import { act, makeOperator, signInOperator } from "../../testkit/operator-console.ts";
import { startService } from "../../testkit/service.ts";

const service = await startService();
after(() => service.stop());
const { db } = service.ctx;
await makeOperator(service, "admin");

interface Somebody {
  readonly personId: string;
  readonly email: string;
}

const LOSSES: Record<string, (tx: Tx, who: Somebody) => Promise<unknown>> = {
  removed: async (tx, { email }) => removeOperator(tx, await demandOperator(tx, email)),
  "given another role": async (tx, { email }) =>
    changeOperatorRole(tx, await demandOperator(tx, email), "support"),
  "signed out": (tx, { personId }) => endOperatorSessions(tx, personId),
};

for (const [loss, lose] of Object.entries(LOSSES))
  test(`an action of somebody who is ${loss} at that moment has no effect`, async () => {
    const { accountNumber } = await service.world.merchant();
    const somebody = await makeOperator(service, "admin");
    const tab = await signInOperator(service, somebody);
    const { answer } = await db.transaction(async (tx) => {
      await lose(tx, somebody);
      const posted = act(tab, "freeze-account", { account_number: accountNumber });
      await untilWaiting(db);
      return { answer: posted };
    });
    const { status, text } = await answer;
    assert.ok(status < 500 && !text.includes("is frozen"), text);
    const account = await db.one<{ status: string }>(sql`
      select status from accounts where account_number = ${accountNumber}`);
    assert.equal(account.status, "active");
    assert.deepEqual(
      await db.rows(sql`
        select from audit_entries
        where account_number = ${accountNumber} and action = 'account_frozen'`),
      [],
    );
  });
