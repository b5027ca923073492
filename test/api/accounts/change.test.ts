/**
 * A main merchant changes how an account is called and reached, and nothing else: not what it is,
 * not its password. A refused change leaves the row as it was (Decision 0022).
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import {
  auditEntriesOn,
  books,
  change,
  close,
  EMAIL_TAKEN,
  type Main,
  made,
  mainMerchant,
  NOTHING_GIVEN,
  newEmail,
  retrieve,
} from "../../../testkit/accounts.ts";
import { attempt, whoami } from "../../../testkit/auth.ts";
import { mintKey, mintToken } from "../../../testkit/credentials.ts";
import { startService, type TestService } from "../../../testkit/service.ts";

const PHONE_FOREIGN = "The phone must be a valid phone number of Trinidad and Tobago.";

let service: TestService;
let main: Main;
let account: { accountNumber: string; email: string; password: string };
before(async () => {
  service = await startService();
  main = await mainMerchant(service);
  account = await made(service, main, { phone: "+18686235555" });
});
after(() => service.stop());

const viewOf = async (number: string) => (await retrieve(service, main, number)).body.data;

describe("a change", () => {
  const FIELDS: Record<string, string>[] = [
    { first_name: "Ann" },
    { last_name: "Ali" },
    { phone: "+18687654321" },
    { email: newEmail() },
    { email: newEmail(), first_name: "Anika", last_name: "Mohammed", phone: "+18686235555" },
  ];
  for (const encoding of ["json", "form"] as const)
    for (const fields of FIELDS)
      test(`of ${Object.keys(fields)} as ${encoding} answers 200 with all as it is now`, async () => {
        const before = await viewOf(account.accountNumber);
        const answer = await service.request(`/accounts/${account.accountNumber}`, {
          method: "PATCH",
          token: main.token,
          [encoding]: fields,
        });
        assert.equal(answer.status, 200);
        assert.deepEqual(answer.body, { message: "OK", data: { ...before, ...fields } });
        assert.deepEqual(await viewOf(account.accountNumber), answer.body.data);
        const entry = (await auditEntriesOn(service, account.accountNumber)).at(-1);
        assert.equal(entry?.action, "account_changed");
        assert.equal(entry.actor, `account ${main.accountNumber}`);
        assert.deepEqual(entry.detail.fields, Object.keys(fields));
        for (const value of Object.values(fields))
          assert(!JSON.stringify(entry).includes(value), "names of fields, no values");
      });

  test("of the merchant's own account works alike, also with a key", async () => {
    const { key } = await mintKey(service.ctx, main, ["svc-accounts-update"], { prefix: "live" });
    const answer = await change(service, { key }, main.accountNumber, { first_name: "Marisol" });
    assert.equal(answer.body.data.first_name, "Marisol");
  });

  test("of the e-mail moves the sign-in there, in lower case, and ends no token", async () => {
    const { accountNumber, email, password } = await made(service, main);
    const { token } = await mintToken(service.ctx, { accountNumber }, ["svc-user-all"]);
    const next = newEmail();
    const answer = await change(service, main, accountNumber, { email: next.toUpperCase() });
    assert.equal(answer.body.data.email, next);
    assert.equal((await attempt(service, { email: next }, { password })).status, 200);
    assert.equal((await attempt(service, { email }, { password })).status, 401);
    assert.equal((await whoami(service, { token })).status, 200);
  });

  test("to the e-mail it has already is no conflict", async () => {
    const { accountNumber, email } = await made(service, main);
    assert.equal((await change(service, main, accountNumber, { email })).status, 200);
  });

  test("ignores what is not a person's to change", async () => {
    const { accountNumber, email, password } = await made(service, main);
    const before = await rowOf(accountNumber);
    const answer = await change(service, main, accountNumber, {
      ...{ first_name: "Ann", account_type: "BUSINESS", verified: true, password: "Other-2026" },
      ...{ country_code: "JM", status: "closed", is_main_merchant: true, main_merchant: true },
      ...{ account_number: "9999999999", made_by: null, created_at: "2000-01-01T00:00:00Z" },
    });
    assert.equal(answer.status, 200);
    assert.deepEqual(await rowOf(accountNumber), { ...before, first_name: "Ann" });
    assert.equal((await attempt(service, { email }, { password })).status, 200);
  });
});

describe("a change is refused, and nothing is different afterwards,", () => {
  const CASES: readonly [change: Record<string, unknown>, message: string][] = [
    [{}, NOTHING_GIVEN],
    [{ email: "", first_name: "", last_name: "", phone: "" }, NOTHING_GIVEN],
    [{ account_type: "BUSINESS" }, NOTHING_GIVEN],
    [{ password: "Other-2026" }, NOTHING_GIVEN],
    [{ verified: "true" }, NOTHING_GIVEN],
    [{ email: "x" }, "The email must be a valid email address."],
    [{ first_name: " " }, "The first name format is invalid."],
    [{ last_name: "x".repeat(256) }, "The last name must not be longer than 255 characters."],
    [{ phone: "x" }, "The phone format is invalid."],
    [{ phone: "+18765551234" }, PHONE_FOREIGN],
    [{ first_name: "Ann", phone: "+18765551234" }, PHONE_FOREIGN],
    [{ email: "x", first_name: " ", phone: "x" }, "The email must be a valid email address."],
    [{ first_name: " ", last_name: " " }, "The first name format is invalid."],
  ];
  const shown = (given: object) => JSON.stringify(given).slice(0, 60);
  for (const [given, message] of CASES)
    for (const encoding of ["json", "form"] as const)
      test(`${encoding} ${shown(given)}: ${message}`, async () => {
        const before = await books(service);
        const answer = await service.request(`/accounts/${account.accountNumber}`, {
          method: "PATCH",
          token: main.token,
          [encoding]: given,
        });
        assert.deepEqual([answer.status, answer.text], [400, JSON.stringify({ message })]);
        assert.equal(await books(service), before);
      });

  for (const value of [1, true, ["x"], { a: 1 }])
    test(`a field that is ${JSON.stringify(value)}`, async () => {
      const before = await books(service);
      for (const name of ["email", "first_name", "last_name", "phone"]) {
        const answer = await change(service, main, account.accountNumber, { [name]: value });
        const message = `The ${name.replace("_", " ")} must be a string.`;
        assert.deepEqual([answer.status, answer.body], [400, { message }]);
      }
      assert.equal(await books(service), before);
    });

  test("an e-mail that another account has, open or deleted", async () => {
    const gone = await made(service, main);
    await close(service, main, gone.accountNumber);
    const stranger = await service.world.person();
    const before = await books(service);
    for (const { email } of [main, gone, stranger]) {
      const wanted = { email: email.toUpperCase(), first_name: "Ann" };
      const answer = await change(service, main, account.accountNumber, wanted);
      assert.deepEqual([answer.status, answer.text], [409, EMAIL_TAKEN]);
    }
    assert.equal(await books(service), before);
  });

  test("an account that is frozen, for a change as for a deletion", async () => {
    const { accountNumber } = await made(service, main);
    await service.ctx.db.run(
      sql`update accounts set status = 'frozen' where account_number = ${accountNumber}`,
    );
    const before = await books(service);
    const message = "The account is frozen and cannot be changed.";
    for (const answer of [
      await change(service, main, accountNumber, { first_name: "Ann" }),
      await close(service, main, accountNumber),
    ])
      assert.deepEqual([answer.status, answer.body], [409, { message }]);
    assert.equal(await books(service), before);
  });
});

function rowOf(accountNumber: string) {
  return service.ctx.db.one<Record<string, unknown>>(
    sql`select * from accounts where account_number = ${accountNumber}`,
  );
}
