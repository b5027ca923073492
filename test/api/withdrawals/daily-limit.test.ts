/**
 * The guarantee: an account asks for so many withdrawals a day and no more, however many requests
 * come at once, and somebody can see that it tried (Decision 0045).
 */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import { fund } from "../../../testkit/books.ts";
import { startService, type TestService } from "../../../testkit/service.ts";
import {
  ask,
  askUntilAnswered,
  expectAllToAddUp,
  NORMAL,
  openOwner,
} from "../../../testkit/withdrawals.ts";

const MAX = 3;
let service: TestService;

before(async () => {
  service = await startService({ settings: { WITHDRAWALS_PER_DAY_MAX: String(MAX) } });
});
after(async () => {
  try {
    await expectAllToAddUp(service);
  } finally {
    await service.stop();
  }
});

const asked = { ...NORMAL, amount: "10.00" };

test("beyond the limit it is a 429 that is audited, until the day is over", async () => {
  const owner = await openOwner(service, "merchant");
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => askUntilAnswered(service, owner, asked)),
  );
  const statuses = answers.map(({ status }) => status).sort();
  assert.deepEqual(statuses, [201, 201, 201, 429, 429, 429, 429, 429]);
  const refused = answers.find(({ status }) => status === 429);
  assert.deepEqual(refused?.body, { message: "Too Many Attempts." });
  const wait = Number(refused?.headers.get("retry-after"));
  assert(wait > 86_000 && wait <= 86_460, String(wait));
  const { count } = await service.ctx.db.one<{ count: number }>(sql`
    select count(*)::int from audit_entries
    where action = 'withdrawal_limit_reached' and account_number = ${owner.accountNumber}`);
  assert.equal(count, 5);
  await service.clock.advance({ seconds: wait });
  const { access_token: token } = await owner.signIn();
  assert.equal((await ask(service, { token }, asked)).status, 201);
});

test("one that comes to nothing counts for nothing, and each environment by itself", async () => {
  const owner = await openOwner(service, "merchant");
  await fund(service.ctx.db, owner.accountNumber, "100.00 TTD", "live");
  for (let tried = 0; tried < 5; tried++)
    assert.equal((await ask(service, owner, { ...asked, amount: "999999.00" })).status, 422);
  for (const environment of ["sandbox", "live"])
    for (const status of [201, 201, 201, 429])
      assert.equal((await ask(service, owner, { ...asked, environment })).status, status);
});
