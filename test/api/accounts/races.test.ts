/**
 * Account requests that meet: of many the rule lets through exactly one, on one service or two, and
 * what a deletion has answered is true for everything that comes after it.
 */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import {
  auditEntriesOn,
  change,
  close,
  create,
  made,
  mainMerchant,
  newAccount,
  newEmail,
  withoutHashing,
} from "../../../testkit/accounts.ts";
import { attempt, countOf, usedAfter, whoami } from "../../../testkit/auth.ts";
import { mintToken } from "../../../testkit/credentials.ts";
import type { TestAnswer } from "../../../testkit/service.ts";
import { startTwoServices } from "../../../testkit/two-services.ts";

const { service, sibling, atOnce } = await startTwoServices();
const main = await mainMerchant(service);

function tally(answers: readonly TestAnswer[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

describe("32 at once", () => {
  test("creations with one e-mail make one account: one 201, thirty-one 409", async () => {
    const email = newEmail();
    const answers = await withoutHashing([service, sibling], () =>
      atOnce(32, (one, index) =>
        create(one, main, newAccount({ email: index % 3 ? email : email.toUpperCase() })),
      ),
    );
    assert.deepEqual(tally(answers), { 201: 1, 409: 31 });
    assert.equal(await countOf(service, sql`accounts where email = ${email}`), 1);
    const number = answers.find(({ status }) => status === 201)?.body.data.account_number;
    assert.equal((await auditEntriesOn(service, number)).length, 1);
  });

  test("changes of as many accounts to one e-mail: one has it", async () => {
    const shops: Awaited<ReturnType<typeof made>>[] = [];
    // One after the other: each hashes a password, and a busy machine takes few of those at once.
    for (let i = 0; i < 8; i++) shops.push(await made(service, main));
    const email = newEmail();
    const answers = await atOnce(32, (one, index) =>
      change(one, main, shops[index % 8]?.accountNumber ?? "", { email }),
    );
    // The winner's own repeats are no conflict.
    assert.deepEqual(tally(answers), { 200: 4, 409: 28 });
    assert.equal(await countOf(service, sql`accounts where email = ${email}`), 1);
  });

  test("changes of the merchant's own account all succeed, none in a circle of waiting", async () => {
    const answers = await atOnce(32, (one, index) =>
      change(one, main, main.accountNumber, { first_name: `Name ${index}` }),
    );
    assert.deepEqual(tally(answers), { 200: 32 });
  });

  test("deletions of one account: one 200, thirty-one 404, one entry", async () => {
    const { accountNumber } = await made(service, main);
    const answers = await atOnce(32, (one) => close(one, main, accountNumber));
    assert.deepEqual(tally(answers), { 200: 1, 404: 31 });
    const closings = (await auditEntriesOn(service, accountNumber)).filter(
      ({ action }) => action === "account_closed",
    );
    assert.equal(closings.length, 1);
  });
});

describe("a deletion", () => {
  test("against changes: each change came before it or is a 404, and the row is the last one's", async () => {
    const { accountNumber } = await made(service, main);
    const answers = await atOnce(17, (one, index) =>
      index === 8
        ? close(one, main, accountNumber)
        : change(one, main, accountNumber, { first_name: `N${index}`, last_name: `N${index}` }),
    );
    assert.equal(answers[8]?.status, 200);
    const changes = answers.filter((_, index) => index !== 8);
    for (const { status } of changes) assert(status === 200 || status === 404, String(status));
    const entries = await auditEntriesOn(service, accountNumber);
    assert.equal(entries.at(-1)?.action, "account_closed", "nothing is changed after it");
    assert.equal(entries.length, 2 + changes.filter(({ status }) => status === 200).length);
    const row = await service.ctx.db.one<{ status: string; name: string }>(sql`
      select status, concat(first_name, ' ', last_name) as name from accounts
      where account_number = ${accountNumber}`);
    assert.equal(row.status, "closed");
    const unmixed = ["Anika Mohammed", ...answers.map((_, index) => `N${index} N${index}`)];
    assert(unmixed.includes(row.name), row.name);
  });

  test("against sign-ins: no token that came out works once it has been answered", async () => {
    const shop = await made(service, main);
    const signIns = atOnce(8, (one) => attempt(one, shop, { password: shop.password }));
    const answer = await close(service, main, shop.accountNumber);
    assert.equal(answer.status, 200);
    for (const { status, body } of await signIns) {
      assert(status === 200 || status === 401, String(status));
      if (status === 200)
        for (const one of [service, sibling])
          assert.equal((await whoami(one, { token: body.access_token })).status, 401);
    }
    assert.equal((await attempt(sibling, shop, { password: shop.password })).status, 401);
  });

  test("while a token is hammered on both services: no request that began after it is admitted", async () => {
    const shop = await made(service, main);
    const { token } = await mintToken(service.ctx, shop, ["svc-user-all"]);
    const late = await usedAfter([service, sibling], { token }, async () => {
      assert.equal((await close(service, main, shop.accountNumber)).status, 200);
    });
    assert.deepEqual(new Set(late), new Set([401]));
  });
});
