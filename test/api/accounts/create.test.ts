/**
 * A main merchant makes an account on its own platform: it exists at once, can sign in, and is no
 * more than what was asked for. An e-mail belongs to one account for ever (Decision 0022).
 */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import { fingerprintsOf } from "../../../src/infra/http/serve/idempotency.ts";
import {
  auditEntriesOn,
  books,
  close,
  create,
  EMAIL_TAKEN,
  type Main,
  made,
  mainMerchant,
  newAccount,
  newEmail,
  retrieve,
  withoutHashing,
} from "../../../testkit/accounts.ts";
import { attempt, countOf, wholeDatabase } from "../../../testkit/auth.ts";
import { mintKey } from "../../../testkit/credentials.ts";
import { startService, type TestService } from "../../../testkit/service.ts";

let service: TestService;
let main: Main;
before(async () => {
  service = await startService();
  main = await mainMerchant(service);
});
after(() => service.stop());

const rowOf = (accountNumber: string) =>
  service.ctx.db.one<Record<string, unknown>>(
    sql`select * from accounts where account_number = ${accountNumber}`,
  );

describe("a new account", () => {
  for (const encoding of ["json", "form"] as const)
    test(`asked for as ${encoding} with every field answers 201 with its number alone`, async () => {
      const email = newEmail();
      const fields = newAccount({ email, account_type: "BUSINESS", phone: "+18686235555" });
      const answer = await service.request("/accounts", {
        method: "POST",
        token: main.token,
        [encoding]: fields,
      });
      assert.equal(answer.status, 201);
      const number: string = answer.body.data.account_number;
      assert.match(number, /^[1-9][0-9]{9}$/);
      assert.deepEqual(answer.body, { message: "Created", data: { account_number: number } });
      const { body } = await retrieve(service, main, number);
      const { created_at, ...rest } = body.data;
      assert.deepEqual(rest, {
        account_number: number,
        account_type: "BUSINESS",
        email,
        first_name: "Anika",
        last_name: "Mohammed",
        phone: "+18686235555",
        verified: false,
      });
      assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    });

  test("is PERSONAL and without a phone where nothing else is said", async () => {
    const { accountNumber } = await made(service, main, { account_type: "", phone: null });
    const row = await rowOf(accountNumber);
    assert.deepEqual([row.account_type, row.phone], ["PERSONAL", null]);
  });

  test("is its maker's, on its maker's platform, active, and nothing that it says of itself", async () => {
    const grenadian = await mainMerchant(service, { countryCode: "GD" });
    const { accountNumber } = await made(service, grenadian, {
      account_type: "BUSINESS",
      phone: "+14734401234",
      ...{ country_code: "TT", is_main_merchant: true, main_merchant: true, verified: true },
      ...{ account_number: "9999999999", made_by: main.accountNumber, status: "frozen" },
    });
    assert.notEqual(accountNumber, "9999999999");
    const row = await rowOf(accountNumber);
    assert.deepEqual(
      [row.country_code, row.made_by, row.status, row.is_main_merchant, row.verified_at],
      ["GD", grenadian.accountNumber, "active", false, null],
    );
  });

  test("signs in with its password and its e-mail in any case", async () => {
    const email = newEmail();
    const { password } = await made(service, main, { email: email.toUpperCase() });
    assert.equal((await attempt(service, { email }, { password })).status, 200);
    const shouted = { email: email.toUpperCase() };
    assert.equal((await attempt(service, shouted, { password })).status, 200);
    assert.equal((await attempt(service, { email }, { password: "Sandbox-2027" })).status, 401);
  });

  test("can be made with a live API key, and not with one of the sandbox", async () => {
    const scopes = ["svc-accounts-create"] as const;
    const { key, kid } = await mintKey(service.ctx, main, scopes, { prefix: "live" });
    const { accountNumber } = await made(service, { key });
    const [entry] = await auditEntriesOn(service, accountNumber);
    assert.equal(entry?.detail.kid, kid);
    const sandbox = await mintKey(service.ctx, main, scopes, { prefix: "test" });
    const refused = await create(service, sandbox, newAccount());
    assert.deepEqual([refused.status, refused.body], [403, { message: "Forbidden" }]);
  });

  test("is written down with its maker, its credential and its type", async () => {
    const { accountNumber } = await made(service, main);
    const [entry, ...more] = await auditEntriesOn(service, accountNumber);
    assert.deepEqual(more, []);
    assert.deepEqual(
      [entry?.action, entry?.actor],
      ["account_created", `account ${main.accountNumber}`],
    );
    assert.equal(entry?.detail.account_type, "PERSONAL");
    assert.equal(typeof entry?.detail.grant_id, "string");
  });

  test("leaves its password in no table and no log line", async () => {
    const password = "Zx9-unmistakable";
    await create(service, main, newAccount({ password }), { "idempotency-key": "secret-1" });
    assert(!(await wholeDatabase(service)).includes(password));
    assert(!service.logged.join("").includes(password));
  });
});

describe("an e-mail that is taken answers 409 and makes nothing", () => {
  const takers: Record<string, () => Promise<string>> = {
    "by the maker itself": async () => main.email,
    "by an account it made": async () => (await made(service, main)).email,
    "by a stranger on another platform": async () =>
      (await service.world.person({ countryCode: "JM" })).email,
    "in another case": async () => main.email.toUpperCase(),
    "by an account that was deleted": async () => {
      const gone = await made(service, main);
      assert.equal((await close(service, main, gone.accountNumber)).status, 200);
      return gone.email;
    },
  };
  for (const [who, emailOf] of Object.entries(takers))
    test(who, async () => {
      const email = await emailOf();
      const before = await books(service);
      const answer = await create(service, main, newAccount({ email }), {
        "idempotency-key": who.replaceAll(" ", "-"),
      });
      assert.deepEqual([answer.status, answer.text], [409, EMAIL_TAKEN]);
      assert.equal(await books(service), before);
    });
});

describe("under an Idempotency-Key", () => {
  const under = (key: string) => ({ "idempotency-key": key });

  test("the same request makes one account and answers the same bytes again", async () => {
    const json = newAccount();
    const first = await create(service, main, json, under("make-1"));
    const before = await books(service);
    const again = await create(service, main, json, under("make-1"));
    assert.deepEqual([again.status, again.text], [201, first.text]);
    assert.equal(again.headers.get("idempotent-replayed"), "true");
    assert.equal(await books(service), before);
  });

  test("another password, or any other field, is another request: 422", async () => {
    const json = newAccount();
    await create(service, main, json, under("make-2"));
    const before = await books(service);
    const changes = [
      ...[{ password: "Sandbox-2027" }, { email: newEmail() }, { first_name: "Ann" }],
      ...[{ last_name: "Ali" }, { account_type: "BUSINESS" }, { phone: "+18686235555" }],
    ];
    for (const change of changes)
      assert.equal(
        (await create(service, main, { ...json, ...change }, under("make-2"))).status,
        422,
      );
    assert.equal(await books(service), before);
  });

  test("what is kept of the request is no digest that the password could be guessed by", async () => {
    const json = newAccount({ account_type: "PERSONAL" });
    await create(service, main, json, under("make-3"));
    const { fingerprint } = await service.ctx.db.one<{ fingerprint: Buffer }>(sql`
      select fingerprint from idempotency_keys where idempotency_key = 'make-3'`);
    const request = { path: "{}", query: {}, body: json };
    const plain = createHash("sha256").update(JSON.stringify(request)).digest();
    assert(!fingerprint.equals(plain));
    const [kept] = fingerprintsOf(service.ctx.config.tokenPeppers, request);
    assert(kept?.equals(fingerprint), "it is the keyed one");
  });

  test("16 at once make one account", async () => {
    const json = newAccount();
    const answers = await withoutHashing([service], () =>
      Promise.all(Array.from({ length: 16 }, () => create(service, main, json, under("make-4")))),
    );
    const numbers = answers.flatMap(({ body }) => body.data?.account_number ?? []);
    assert.equal(new Set(numbers).size, 1);
    for (const { status } of answers) assert(status === 201 || status === 409, String(status));
    assert.equal(await countOf(service, sql`accounts where email = ${json.email}`), 1);
  });
});
