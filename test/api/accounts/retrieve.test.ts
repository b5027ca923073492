/**
 * A main merchant sees its own account and those it made. Whatever else there is, or was, gets the
 * same 404 as what never existed, whichever method asks.
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import {
  books,
  change,
  close,
  type Main,
  made,
  mainMerchant,
  NOT_FOUND,
  retrieve,
} from "../../../testkit/accounts.ts";
import { type Credential, mintToken } from "../../../testkit/credentials.ts";
import { startService, type TestService } from "../../../testkit/service.ts";

let service: TestService;
let main: Main;
before(async () => {
  service = await startService();
  main = await mainMerchant(service);
});
after(() => service.stop());

describe("a main merchant reads", () => {
  test("its own account", async () => {
    const { status, body } = await retrieve(service, main, main.accountNumber);
    assert.equal(status, 200);
    assert.equal(body.message, "OK");
    const { created_at, ...rest } = body.data;
    assert.deepEqual(rest, {
      account_number: main.accountNumber,
      account_type: "BUSINESS",
      email: main.email,
      first_name: "Test",
      last_name: "mainMerchant",
      phone: null,
      verified: true,
    });
    assert.equal(new Date(created_at).toISOString(), created_at);
  });

  test("one it made, also frozen, with a trailing slash or not", async () => {
    const { accountNumber } = await made(service, main);
    await service.ctx.db.run(
      sql`update accounts set status = 'frozen' where account_number = ${accountNumber}`,
    );
    for (const number of [accountNumber, `${accountNumber}/`])
      assert.equal((await retrieve(service, main, number)).status, 200);
  });

  test("what a second main merchant cannot see", async () => {
    const { accountNumber } = await made(service, main);
    const other = await mainMerchant(service);
    assert.equal((await retrieve(service, other, accountNumber)).text, NOT_FOUND);
    assert.equal((await retrieve(service, main, accountNumber)).status, 200);
  });
});

describe("the same 404 for every method, and nothing changed, is the answer to", () => {
  const NOBODYS: Record<string, () => Promise<string>> = {
    "a number that nobody has": async () => "9999999999",
    "a person's account": async () => (await service.world.person()).accountNumber,
    "another main merchant's account": async () => (await mainMerchant(service)).accountNumber,
    "an account that another main merchant made": async () =>
      (await made(service, await mainMerchant(service))).accountNumber,
    "an account made by one it made": async () =>
      (await made(service, await madeMainMerchant())).accountNumber,
    "an account it deleted": async () => {
      const { accountNumber } = await made(service, main);
      assert.equal((await close(service, main, accountNumber)).status, 200);
      return accountNumber;
    },
    "a leading zero": async () => `0${main.accountNumber}`,
    "eighteen zeros": async () => "0".repeat(18),
    words: async () => "me",
    "a number and a blank": async () => `${main.accountNumber}%20`,
    "a number and a line end": async () => `${main.accountNumber}%0A`,
    "digits of another script": async () => encodeURIComponent("١٢٣٤٥٦٧٨٩٠"),
    "two thousand digits": async () => "1".repeat(2_000),
  };
  for (const [what, numberOf] of Object.entries(NOBODYS))
    test(what, async () => expectNotFound(main, await numberOf()));

  test("its own maker's account", async () => {
    const maker = await mainMerchant(service);
    await expectNotFound(await madeMainMerchant(maker), maker.accountNumber);
  });

  /** One that a main merchant made, and that has become one itself. */
  async function madeMainMerchant(maker: Credential = main): Promise<Credential> {
    const { accountNumber } = await made(service, maker, { account_type: "BUSINESS" });
    await service.ctx.db.run(
      sql`update accounts set is_main_merchant = true where account_number = ${accountNumber}`,
    );
    return mintToken(service.ctx, { accountNumber }, ["svc-accounts-all"]);
  }

  async function expectNotFound(who: Credential, number: string): Promise<void> {
    const before = await books(service);
    const answers = [
      await retrieve(service, who, number),
      await change(service, who, number, { first_name: "Mine" }),
      await change(service, who, number, {}),
      await close(service, who, number),
    ];
    for (const answer of answers) assert.deepEqual([answer.status, answer.text], [404, NOT_FOUND]);
    assert.equal(await books(service), before);
  }
});
