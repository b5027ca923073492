/**
 * The guarantee: a payment request that carries a signature is taken only if the merchant's secret
 * made it over exactly these fields, and an account that requires one takes no other (Decision
 * 0066).
 */

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, describe, test } from "node:test";
import { seedDemoWorld } from "../../../src/demo-world.ts";
import { expectBooksToBalance } from "../../../testkit/books.ts";
import { mintToken } from "../../../testkit/credentials.ts";
import {
  ask,
  countPayments,
  ENCODINGS,
  expectRefused,
  type Fields,
  minimal,
  PATH,
} from "../../../testkit/payment-requests.ts";
import { startService } from "../../../testkit/service.ts";
import { askToCharge, openShop, verifiedCard } from "../../../testkit/trusted-cards.ts";
import { readKeys, setRequired, signatureOf, signed, signingShop } from "./signing-support.ts";

const MISMATCH = "The signature does not match the request.";
const REQUIRED = "The signature field is required.";
const NO_PAYMENTS = "The account number cannot take this payment.";

const service = await startService();
await seedDemoWorld(service.ctx);
after(async () => {
  await expectBooksToBalance(service.ctx.db);
  await service.stop();
});
const shop = await signingShop(service);
const strict = await signingShop(service);
await setRequired(service, strict, true);

const request = (fields: Fields = {}) => minimal(shop.accountNumber, fields);
async function expectOpened(fields: Fields, encoding: (typeof ENCODINGS)[number] = "json") {
  const answer = await ask(service, fields, encoding);
  assert.equal(answer.status, encoding === "browser" ? 303 : 200, answer.text);
  return answer;
}

/** The error address is signed, as that of every refusal of a known merchant. */
function expectSignedAddress(address: string, secret: string): void {
  const told = Object.fromEntries(new URL(address).searchParams);
  const { signature, cart: _, ...ours } = told;
  assert.equal(signature, signatureOf(ours, secret), address);
}

const ODD: Fields = {
  data: "a+b & c=d ~*-._ %20 é 😀\r\nnext",
  name: "Zoë O'Neil (Jr)!",
  "shop field é": "not ours",
  basket: "[1,2]",
  version: "",
  "": "no name",
};

describe("a right signature", () => {
  for (const encoding of ENCODINGS) {
    test(`is taken, sent as ${encoding}`, async () => {
      await expectOpened(signed(request(), shop.secret), encoding);
    });
    test(`covers unknown, empty and odd fields, sent as ${encoding}`, async () => {
      await expectOpened(signed(request(ODD), shop.secret), encoding);
    });
  }

  test("may be written in capital letters", async () => {
    const fields = request();
    const signature = signatureOf(fields, shop.secret).toUpperCase();
    await expectOpened({ ...fields, signature });
  });

  test("of JSON has numbers and booleans as JavaScript prints them, null as nothing", async () => {
    const sent = '"total":100.00,"avs":false,"account_number":ACCOUNT,"note":null,"rate":1e21';
    const { total, account_number, ...rest } = request();
    const texts = { total: "100", avs: "false", account_number, note: "", rate: "1e+21" };
    const signature = signatureOf({ ...rest, ...texts }, shop.secret);
    const fields = JSON.stringify({ ...rest, signature }).slice(0, -1);
    const body = `${fields},${sent.replace("ACCOUNT", shop.accountNumber)}}`;
    const raw = { type: "application/json", body };
    const answer = await service.request(PATH, { method: "POST", raw });
    assert.equal(answer.status, 200, answer.text);
  });

  test("has the last of a repeated key of a form", async () => {
    const fields = signed(request(), shop.secret);
    const form = new URLSearchParams(fields as Record<string, string>);
    const body = `total=1.00&origin=other&${form}`;
    const raw = { type: "application/x-www-form-urlencoded", body };
    const answer = await service.request(PATH, { method: "POST", raw });
    assert.equal(answer.status, 200, answer.text);
  });

  test("says nothing of the query", async () => {
    const json = signed(request(), shop.secret);
    const { status } = await service.request(`${PATH}?order=7`, { method: "POST", json });
    assert.equal(status, 200);
  });

  test("does not make it another request: same order, same Idempotency-Key", async () => {
    const fields = request();
    const headers = { "idempotency-key": randomUUID() };
    const first = await ask(service, signed(fields, shop.secret), "json", { headers });
    const again = signed({ ...fields, sent_at: "later" }, shop.secret);
    const replayed = await ask(service, again, "json", { headers });
    assert.equal(replayed.headers.get("idempotent-replayed"), "true");
    const others = [await ask(service, again), await ask(service, fields)];
    for (const { body } of [replayed, ...others]) assert.deepEqual(body, first.body);
  });
});

describe("a wrong signature is refused with its reason, signed, and without effect:", () => {
  const fields = request(ODD);
  const right = signatureOf(fields, shop.secret);
  const wrong: [name: string, signature: string][] = [
    ["of another secret", signatureOf(fields, "sandbox-signing-secret")],
    ["of the hash key", signatureOf(fields, shop.hashKey)],
    ["one digit off", right.replace(/.$/, (digit) => (digit === "0" ? "1" : "0"))],
    ["too short", right.slice(1)],
    ["too long", `${right}00`],
    ["in base64", Buffer.from(right, "hex").toString("base64")],
    ["with white space", ` ${right}`],
    ["not a digest at all", "é"],
  ];
  for (const [name, signature] of wrong)
    for (const encoding of ENCODINGS)
      test(`${name}, sent as ${encoding}`, async () => {
        const sent = { ...fields, signature };
        const answer = await expectRefused(service, sent, encoding, { message: MISMATCH });
        const address = answer.headers.get("location") ?? answer.body.url;
        expectSignedAddress(address, shop.secret);
      });

  test("a field changed, added, left out, renamed or emptied", async () => {
    const sent = signed(fields, shop.secret);
    const { basket, ...without } = sent;
    const changes: Fields[] = [
      { ...sent, total: "100.0" },
      { ...sent, total: 100 },
      { ...sent, more: "" },
      { ...sent, basket: "" },
      { ...sent, data: `${sent.data} ` },
      { ...without, Basket: basket },
      without,
    ];
    for (const one of changes) await expectRefused(service, one, "json", { message: MISMATCH });
  });

  test("that of the other environment", async () => {
    const { signing_secret } = await readKeys(service, shop.token, "live");
    await expectRefused(service, signed(request(), signing_secret), "json", { message: MISMATCH });
  });

  test("any, of a merchant who has never asked for its keys", async () => {
    const { accountNumber } = await service.world.merchant();
    const sent = signed(minimal(accountNumber), "guessed");
    await expectRefused(service, sent, "json", { message: MISMATCH });
  });

  test("one that is no text", async () => {
    const message = "The signature must be a string.";
    for (const signature of [7, true, {}, [right]])
      await expectRefused(service, { ...request(), signature }, "json", { message });
  });
});

describe("a list or an object in a signed request", () => {
  for (const [name, value, subject] of [
    ["line_items", [1, 2], "The line items field"],
    ["basket", { a: 1 }, "The basket field"],
    ["<b>", [], "A field"],
  ] as const)
    test(`is refused in ${name}, and its text is taken`, async () => {
      const message = `${subject} must be sent as JSON text in a signed request.`;
      const sent = request({ [name]: value, signature: "0".repeat(64) });
      await expectRefused(service, sent, "json", { message });
      await expectOpened(signed(request({ [name]: JSON.stringify(value) }), shop.secret));
      await expectOpened(request({ [name]: value }));
    });
});

describe("what is checked first", () => {
  const bad = { signature: "0".repeat(64) };

  test("is a field", async () => {
    const message = "The currency must be one of: TTD, USD.";
    await expectRefused(service, request({ currency: "EUR", ...bad }), "json", { message });
  });

  test("then the merchant: of an unknown one nothing else is said", async () => {
    for (const fields of [{}, bad, { signature: "short" }]) {
      const stranger = minimal("9876543210", fields);
      const answer = await expectRefused(service, stranger, "json", { message: NO_PAYMENTS });
      assert.equal(new URL(answer.body.url).searchParams.get("signature"), null);
    }
  });

  test("then the signature, before the merchant's own e-mail and a paid order", async () => {
    const own = request({ email: shop.email, ...bad });
    await expectRefused(service, own, "json", { message: MISMATCH });
    const other = request();
    await expectOpened(other);
    const changed = { ...other, total: "200.00", ...bad };
    await expectRefused(service, changed, "json", { message: MISMATCH });
  });

  test("and all that before the answer that an Idempotency-Key has stored", async () => {
    const headers = { "idempotency-key": randomUUID() };
    const fields = request();
    const sent = signed(fields, shop.secret);
    const first = await ask(service, sent, "json", { headers });
    assert.equal(first.status, 200);
    const forged = await ask(service, { ...fields, ...bad }, "json", { headers });
    assert.deepEqual([forged.status, forged.body.message], [400, MISMATCH]);
    assert.equal(forged.headers.get("idempotent-replayed"), null);
    const again = await ask(service, sent, "json", { headers });
    assert.deepEqual(again.body, first.body);
  });
});

describe("an account that requires a signature", () => {
  for (const encoding of ENCODINGS)
    test(`refuses a request without, sent as ${encoding}, and takes a signed one`, async () => {
      const fields = minimal(strict.accountNumber);
      const answer = await expectRefused(service, fields, encoding, { message: REQUIRED });
      expectSignedAddress(answer.headers.get("location") ?? answer.body.url, strict.secret);
      await expectOpened(signed(fields, strict.secret), encoding);
    });

  test("takes an empty one for none", async () => {
    for (const signature of ["", null]) {
      const sent = minimal(strict.accountNumber, { signature });
      await expectRefused(service, sent, "json", { message: REQUIRED });
    }
  });

  test("tells no stored answer to a request without", async () => {
    const headers = { "idempotency-key": randomUUID() };
    const fields = minimal(strict.accountNumber);
    const first = await ask(service, signed(fields, strict.secret), "json", { headers });
    assert.equal(first.status, 200);
    const again = await ask(service, fields, "json", { headers });
    assert.deepEqual([again.status, again.body.message], [400, REQUIRED]);
  });

  test("does so in that environment alone, and until it does not", async () => {
    const own = await signingShop(service);
    await setRequired(service, own, true, "live");
    await expectOpened(minimal(own.accountNumber));
    await setRequired(service, own, true);
    const fields = minimal(own.accountNumber);
    await expectRefused(service, fields, "json", { message: REQUIRED });
    await setRequired(service, own, false);
    await expectOpened(fields);
  });

  test("goes on to, with new keys, and the old secret is worth nothing at once", async () => {
    const own = await signingShop(service);
    await setRequired(service, own, true);
    const sent = signed(minimal(own.accountNumber), own.secret);
    await expectOpened(sent);
    const options = { method: "POST", token: own.token, json: { environment: "sandbox" } };
    const { body } = await service.request("/user/payment-key/rotate", options);
    assert.equal(body.data.require_signature, true);
    await expectRefused(service, sent, "json", { message: MISMATCH });
    await expectOpened(signed(sent, body.data.signing_secret));
  });

  test("may be the sandbox's own, whose secret everybody knows", async () => {
    const accountNumber = "1234567890";
    const { token } = await mintToken(service.ctx, { accountNumber }, ["svc-user-all"]);
    await setRequired(service, { token }, true);
    const fields = minimal(accountNumber);
    await expectRefused(service, fields, "json", { message: REQUIRED });
    await expectOpened(signed(fields, "sandbox-signing-secret"));
    await setRequired(service, { token }, false);
  });

  test("charges a saved card as before, which its token proves to be its own", async () => {
    const own = await openShop(service);
    const card = await verifiedCard(service, { shop: own });
    await setRequired(service, own, true);
    await askToCharge(service, card);
  });

  test("leaves no order to somebody else: it is free when the merchant asks for it", async () => {
    const fields = minimal(strict.accountNumber);
    const before = await countPayments(service);
    for (const total of ["5.00", "6.00"])
      await ask(service, { ...fields, total, email: "thief@example.com" });
    assert.equal(await countPayments(service), before);
    await expectOpened(signed(fields, strict.secret));
  });
});
