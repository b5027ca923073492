/**
 * The guarantee: an accepted payment request has its payment, its session and its event, all three
 * or none, before it is answered; and nobody but a browser is ever redirected (Interface §4.4).
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import { createAccount } from "../../../src/modules/accounts/create-account.ts";
import {
  checkoutToken,
  tokenDigest,
} from "../../../src/modules/checkout/session/checkout-token.ts";
import { expectBooksToBalance } from "../../../testkit/books.ts";
import {
  ask,
  ENCODINGS,
  expectRefused,
  type Fields,
  minimal,
  PATH,
} from "../../../testkit/payment-requests.ts";
import { startService } from "../../../testkit/service.ts";

const service = await startService();
after(async () => {
  await expectBooksToBalance(service.ctx.db);
  await service.stop();
});
const { ctx, world } = service;
const shop = await world.merchant();
const here = (fields: Fields = {}) => minimal(shop.accountNumber, fields);
const NOBODY = { message: "The account number cannot take this payment." };

interface Row {
  customer: Record<string, string>;
  data: string;
  method: string;
  token_digest: Buffer;
  seconds: number;
  events: string[];
}

function stored(transactionId: string): Promise<Row> {
  return ctx.db.one<Row>(sql`
    select customer, data, method, token_digest,
      extract(epoch from expires_at - created_at)::int as seconds,
      array(select event from events where resource = transaction_id) as events
    from transactions join checkout_sessions using (transaction_id)
    where transaction_id = ${transactionId}`);
}

test("is answered with the page's address and the payment's id, all of it written", async () => {
  for (const encoding of ["json", "form"] as const) {
    const fields = here({ data: "  </script>\r\n\u202e🌴 " });
    const { status, body, headers } = await ask(service, fields, encoding);
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body), ["message", "url", "transaction_id"]);
    assert.equal(body.message, "OK");
    assert.equal(headers.get("location"), null);
    assert.match(body.transaction_id, /^SB-TT-[0-9A-Z]{26}$/);
    const token = body.url.split("/checkout/")[1];
    assert.match(token, /^[\w-]{43}$/);
    const row = await stored(body.transaction_id);
    assert.deepEqual(row.token_digest, tokenDigest(token));
    assert.equal(row.data, fields.data);
    assert.deepEqual(row.events, ["payment.created"]);
    assert.equal(row.seconds, 180);
    assert.equal((await ctx.batches.findSession(token))?.transactionId, body.transaction_id);
  }
});

test("a browser is sent on to the page by 303, and nobody else", async () => {
  const answer = await ask(service, here(), "browser");
  assert.equal(answer.status, 303);
  assert.match(answer.headers.get("location") ?? "", /\/checkout\/[\w-]{43}$/);
  const others = ["application/json", "*/*", "", "text/*", "text/html;q=0", "text/htmlx"];
  for (const accept of others) {
    const told = await ask(service, here(), "form", { headers: { accept } });
    assert.equal(told.status, 200, accept);
  }
  const json = await ask(service, here(), "json", { headers: { accept: "text/html" } });
  assert.equal(json.status, 200);
});

describe("takes", () => {
  const taken: [what: string, fields: Fields][] = [
    ["a number as account number", { account_number: Number(shop.accountNumber) }],
    ["a whole total", { total: 10 }],
    ["one decimal", { total: 10.1 }],
    ["the least", { total: "5.00" }],
    ["the most", { total: 20400 }],
    ["US dollars", { currency: "USD", total: "0.74" }],
    ["64 characters of order id", { order_id: "x".repeat(64) }],
    ["a time as order id", { order_id: "20261115093005" }],
    ["4,096 characters of data", { data: "🌴".repeat(4096) }],
    ["live", { environment: "live" }],
    ["http in the sandbox", { response_url: "http://localhost:8080/paid" }],
    ["an address instead of a host", { response_url: "https://[2001:db8::1]:8443/#done" }],
    ["an international host", { response_url: "https://bücher.example./paid" }],
    ["an incomplete phone", { phone: "+1868" }],
    ["a phone of another country", { phone: "+442071838750", country: "TT" }],
    ["a state of its country", { country: "US", state: "US-CA" }],
    ["a state without its country's code", { country: "US", state: "CA" }],
    ["a state where the country has none", { country: "SX", state: "Philipsburg" }],
    ["a state of no country in particular", { state: "Somewhere" }],
    ["a name of one word", { name: "Anika" }],
    ["fields that nobody knows, and empty ones", { colour: "red", fname: "", phone: "" }],
  ];
  for (const [what, fields] of taken)
    test(what, async () => {
      for (const encoding of ["json", "form"] as const) {
        // An order that is asked for again with another origin is replaced.
        const order = fields.order_id === undefined ? {} : { origin: encoding };
        const answer = await ask(service, here({ ...fields, ...order }), encoding);
        assert.equal(answer.status, 200, answer.text);
      }
    });

  test("5 minutes where the address is verified", async () => {
    const { body } = await ask(service, here({ avs: "1" }));
    assert.equal((await stored(body.transaction_id)).seconds, 300);
  });

  test("a full name, split at its last space, unless the parts are given", async () => {
    const names: [Fields, Record<string, string>][] = [
      [{ name: "Anika Devi Mohammed" }, { fname: "Anika Devi", lname: "Mohammed" }],
      [{ name: " Anika " }, { fname: "Anika" }],
      [{ name: "Other Name", fname: "Anika" }, { fname: "Anika" }],
    ];
    for (const [fields, expected] of names) {
      const { body } = await ask(service, here(fields));
      const { email, ...customer } = (await stored(body.transaction_id)).customer;
      assert.equal(email, "customer@example.com");
      assert.deepEqual(customer, expected);
    }
  });
});

describe("the merchant", () => {
  const refuse = async (fields: Fields) => {
    for (const encoding of ENCODINGS) await expectRefused(service, fields, encoding, NOBODY);
  };

  test("is a business", async () => refuse(minimal((await world.person()).accountNumber)));

  test("is of that platform", () =>
    refuse(here({ country_code: "JM", currency: "JMD", total: "1000" })));

  for (const status of ["frozen", "closed"])
    test(`is not ${status}`, async () => {
      const { accountNumber } = await world.merchant();
      await ctx.db.run(sql`
        update accounts set status = ${status},
          closed_at = case when ${status} = 'closed' then app_now() end
        where account_number = ${accountNumber}`);
      await refuse(minimal(accountNumber));
    });

  test("is verified for live payments, and need not be for the sandbox", async () => {
    const { accountNumber } = await world.merchant();
    await ctx.db.run(sql`
      update accounts set verified_at = null where account_number = ${accountNumber}`);
    await refuse(minimal(accountNumber, { environment: "live" }));
    assert.equal((await ask(service, minimal(accountNumber))).status, 200);
  });

  test("1234567890 takes every platform in the sandbox, with its currencies and fees", async () => {
    const password = await ctx.passwords.digest("correct horse");
    await ctx.db.transaction((tx) =>
      createAccount(tx, {
        accountNumber: "1234567890",
        accountType: "BUSINESS",
        countryCode: "TT",
        email: "merchant@example.com",
        firstName: "Marisol",
        lastName: "Baptiste",
        isVerified: true,
        password,
      }),
    );
    const elsewhere = { country_code: "BB", currency: "BBD", fee_structure: "customer_pay" };
    const { status, body } = await ask(service, minimal("1234567890", elsewhere));
    assert.equal(status, 200);
    assert.match(body.transaction_id, /^SB-BB-/);
    const { fee_minor } = await ctx.db.one<{ fee_minor: bigint }>(sql`
      select fee_minor from transactions where transaction_id = ${body.transaction_id}`);
    assert.equal(fee_minor, 437n);
    await refuse(minimal("1234567890", { ...elsewhere, environment: "live" }));
  });

  test("whose account is closed at the same moment gets no payment", async () => {
    const { accountNumber } = await world.merchant();
    const held = Promise.withResolvers<void>();
    const closing = ctx.db.transaction(async (tx) => {
      // As strongly as closing takes it, so that a request that opens a payment waits.
      await tx.run(sql`
        select 1 from accounts where account_number = ${accountNumber} for update`);
      await tx.run(sql`
        update accounts set status = 'frozen' where account_number = ${accountNumber}`);
      held.resolve();
      await tx.run(sql`select pg_sleep(0.3)`);
    });
    await held.promise;
    const answer = await ask(service, minimal(accountNumber));
    await closing;
    assert.deepEqual([answer.status, answer.body.message], [400, NOBODY.message]);
  });
});

describe("settings", () => {
  test("refuse credit_card where the operator says so", async () => {
    const settings = { ACCEPT_LEGACY_METHOD: "false" };
    const strict = await startService({ settings, database: service.database });
    for (const encoding of ENCODINGS)
      await expectRefused(strict, here({ method: "credit_card" }), encoding, {
        message:
          "The method credit_card is no longer taken: send credit_card_co for the full page or " +
          "3co_simple for a frame.",
      });
    await strict.stop();
  });

  test("keep live results off plain http, and live payments away without a gateway", async () => {
    const settings = { PLAIN_LIVE_RESPONSES: "false" };
    const strict = await startService({ settings, database: service.database });
    const plain = here({ environment: "live", response_url: "http://shop.example/paid" });
    for (const encoding of ENCODINGS)
      await expectRefused(strict, plain, encoding, {
        message: "The response url must begin with https:// for a live payment.",
        address: "",
      });
    // Not even to report another mistake to.
    await expectRefused(strict, { ...plain, environment: undefined }, "json", {
      message: "The environment field is required.",
      address: "",
    });
    await strict.stop();
    const without = await startService({
      settings: { LIVE_GATEWAY: "none" },
      database: service.database,
    });
    await expectRefused(without, here({ environment: "live" }), "json", {
      message: "The environment must be sandbox: live payments are not taken here.",
    });
    await without.stop();
  });

  test("limit requests by address and by merchant, in this route's own shape", async () => {
    const limited = async (settings: Record<string, string>, browser: boolean) => {
      const one = await startService({ settings, database: service.database });
      const answers = [];
      for (let turn = 0; turn < 4; turn++)
        answers.push(await ask(one, here(), browser ? "browser" : "json"));
      await one.stop();
      return answers;
    };
    for (const name of ["LIMIT_PAYMENT_REQUEST", "LIMIT_PAYMENT_MERCHANT"]) {
      await service.clock.advance({ minutes: 2 });
      const answers = await limited({ [name]: "3" }, false);
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 200, 200, 429],
      );
      const last = answers.at(-1);
      assert.deepEqual(last?.body, {
        url: "",
        message: "Too Many Attempts.",
        transaction_id: "",
      });
      assert.match(last?.headers.get("retry-after") ?? "", /^\d+$/);
      await service.clock.advance({ minutes: 2 });
      const browsers = await limited({ [name]: "3" }, true);
      assert.equal(browsers.at(-1)?.status, 429);
      assert.match(browsers.at(-1)?.headers.get("content-type") ?? "", /^text\/html/);
    }
  });
});

test("a key worked out of the keyring is what the address is made of, and it alone", () => {
  const one = checkoutToken(ctx.config, "SB-TT-1");
  assert.deepEqual(checkoutToken(ctx.config, "SB-TT-1", one?.keyId), one);
  assert.notEqual(checkoutToken(ctx.config, "SB-TT-2")?.token, one?.token);
  assert.equal(checkoutToken(ctx.config, "SB-TT-1", "gone"), undefined);
});

test("no cookie is set or read, and the address is not stored as it is", async () => {
  const answer = await ask(service, here(), "browser", { headers: { cookie: "sid=1" } });
  assert.equal(answer.headers.get("set-cookie"), null);
  const token = (answer.headers.get("location") ?? "").split("/checkout/")[1];
  const { found } = await ctx.db.one<{ found: boolean }>(sql`
    select exists (select from checkout_sessions where checkout_sessions::text like
      ${`%${token}%`}) as found`);
  assert.equal(found, false);
  assert.equal(service.logged.join("").includes(token ?? "?"), false);
  assert.equal((await service.request(PATH)).status, 405);
});
