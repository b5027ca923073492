/**
 * The guarantee, whatever the fields are and in whatever order requests arrive: what an independent
 * program has signed is accepted and any change of it is refused, and once an account requires a
 * signature no process opens a payment without one (Decision 0066).
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { sql } from "../../../src/infra/db/query.ts";
import { expectBooksToBalance } from "../../../testkit/books.ts";
import { mintToken } from "../../../testkit/credentials.ts";
import { NO_LIMITS } from "../../../testkit/no-limits.ts";
import { ask, type Encoding, type Fields, minimal } from "../../../testkit/payment-requests.ts";
import { fuzzRuns } from "../../../testkit/proof-counts.ts";
import type { TestAnswer } from "../../../testkit/service.ts";
import { startTwoServices } from "../../../testkit/two-services.ts";
import { readKeys, setRequired, signatureOf, signed, signingShop } from "./signing-support.ts";

const RUNS = fuzzRuns({ usual: 25, proof: 60 });
const REQUEST_COUNT = 24;

const { service, sibling, atOnce } = await startTwoServices({ settings: NO_LIMITS });
const shop = await signingShop(service);

/** Whatever a body may be called and hold: no NUL, no lone surrogate, no way to a prototype. */
const text = fc.string({ unit: "binary", maxLength: 24 }).filter((each) => {
  return each.isWellFormed() && !/\0|__proto__|constructor|signature/.test(each);
});
const ours = new Set(Object.keys(minimal("")));
const name = text.filter((each) => !ours.has(each) && !KNOWN.test(each));
const KNOWN =
  /^(?:version|fname|lname|name|addr[12]|city|state|zipcode|country|phone|avs|card_type|data)$/;
const more = fc.dictionary(name, text, { maxKeys: 6, noNullPrototype: true });
const encodings = fc.constantFrom<Encoding>("json", "form");

/** One thing done to what was signed. */
const changes = fc.record({
  kind: fc.constantFrom("value", "name", "added", "removed", "emptied"),
  at: fc.nat(),
  put: text,
});

type Change = typeof changes extends fc.Arbitrary<infer T> ? T : never;

function changed(fields: Fields, { kind, at, put }: Change): Fields {
  const names = Object.keys(fields).filter((each) => !ours.has(each));
  const chosen = names[at % Math.max(names.length, 1)];
  const free = `${put}${"+".repeat(30)}`;
  if (chosen === undefined || kind === "added") return { ...fields, [free]: put };
  const { [chosen]: value, ...rest } = fields;
  if (kind === "name") return { ...rest, [`${chosen}${free}`]: value };
  if (kind === "removed") return rest;
  if (kind === "emptied" && value !== "") return { ...fields, [chosen]: "" };
  return { ...fields, [chosen]: `${value}${put}.` };
}

test("any fields that were signed are taken, and any change of them is refused", async () => {
  await fc.assert(
    fc.asyncProperty(more, changes, encodings, async (extra, change, encoding) => {
      const fields = { ...extra, ...minimal(shop.accountNumber) };
      const { signature } = signed(fields, shop.secret);
      const forged = await ask(service, { ...changed(fields, change), signature }, encoding);
      assert.equal(forged.status, 400, forged.text);
      assert.equal(forged.body.message, "The signature does not match the request.");
      const answer = await ask(service, { ...fields, signature }, encoding);
      assert.equal(answer.status, 200, answer.text);
    }),
    { numRuns: RUNS },
  );
  await expectBooksToBalance(service.ctx.db);
});

async function orderCount(orders: readonly Fields[]): Promise<number> {
  const ids = orders.map((order) => order.order_id as string);
  const { count } = await service.ctx.db.one<{ count: number }>(sql`
    select count(*)::int from transactions where order_id = any(${ids})`);
  return count;
}

const isRequired = ({ status, body }: TestAnswer) =>
  status === 400 && body.message === "The signature field is required.";

test("required while many requests arrive: each that is sent after the answer needs one", async () => {
  const own = await signingShop(service);
  const orders = Array.from({ length: REQUEST_COUNT }, () => minimal(own.accountNumber));
  const later = Array.from({ length: REQUEST_COUNT }, () => minimal(own.accountNumber));
  let afterwards: TestAnswer[] = [];
  const required = setRequired(service, own, true).then(async () => {
    afterwards = await atOnce(REQUEST_COUNT, (one, turn) => ask(one, later[turn] ?? {}));
  });
  const meanwhile = await atOnce(REQUEST_COUNT, (one, turn) => ask(one, orders[turn] ?? {}));
  await required;
  assert(afterwards.length === REQUEST_COUNT && afterwards.every(isRequired));
  assert.equal(await orderCount(later), 0);
  const taken = meanwhile.filter(({ status }) => status === 200);
  assert(meanwhile.every((answer) => answer.status === 200 || isRequired(answer)));
  assert.equal(await orderCount(orders), taken.length);
  await expectBooksToBalance(service.ctx.db);
});

test("set and rotated from two processes at once, each holds at once on the other", async () => {
  const own = await signingShop(service);
  for (const [one, other] of [
    [service, sibling],
    [sibling, service],
  ] as const) {
    await setRequired(one, own, true);
    assert(isRequired(await ask(other, minimal(own.accountNumber))));
    const rotated = await one.request("/user/payment-key/rotate", {
      method: "POST",
      token: own.token,
      json: { environment: "sandbox" },
    });
    const fields = minimal(own.accountNumber);
    const secret = rotated.body.data.signing_secret;
    const answer = await ask(other, { ...fields, signature: signatureOf(fields, secret) });
    assert.equal(answer.status, 200, answer.text);
    await setRequired(other, own, false);
    assert.equal((await ask(one, minimal(own.accountNumber))).status, 200);
  }
});

test("the first to set it and the first to read the keys agree on them", async () => {
  const { accountNumber } = await service.world.merchant();
  const { token } = await mintToken(service.ctx, { accountNumber }, ["svc-user-all"]);
  const read = await atOnce(12, async (one, turn) => {
    if (turn % 3 === 0) await setRequired(one, { token }, true);
    return (await readKeys(one, token)).signing_secret;
  });
  assert.equal(new Set(read).size, 1);
  const fields = minimal(accountNumber);
  const [secret = ""] = read;
  assert(isRequired(await ask(sibling, fields)));
  assert.equal((await ask(sibling, signed(fields, secret))).status, 200);
});
