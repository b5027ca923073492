/**
 * Payment links through the API: fields by their rules, what a link costs never changes, a link of
 * another account or environment is as if it were not there, and businesses alone have them
 * (Decisions 0099 and 0100).
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { SCOPES, type Scope } from "../../../src/kit/scopes.ts";
import { type Credential, mintKey, mintToken } from "../../../testkit/credentials.ts";
import { A_LINK, askForLink, makeLink, readLink } from "../../../testkit/payment-links.ts";
import { startService } from "../../../testkit/service.ts";
import { openShop } from "../../../testkit/transactions.ts";

const service = await startService({ settings: { PLAIN_LIVE_RESPONSES: "false" } });
const { ctx } = service;
after(() => service.stop());
const shop = await openShop(service);
const other = await openShop(service);
const { token } = shop;

const ITEMS = [
  { name: "Mat", quantity: 2, unit_price: "60.00" },
  { name: "Voucher", quantity: 1, unit_price: "-5.00" },
];
const BOUNDS = { amount: undefined, amount_min: "10.00", amount_max: "500.00" };

describe("a link", () => {
  test("is made with its addresses and what was said of it", async () => {
    const said = {
      description: "Saturdays at 7",
      max_payments: 20,
      expires_at: "2027-01-31T12:00:00.000Z",
      reference_label: "Your name",
      success_message: "See you there!",
      success_url: "https://shop.example/paid",
      language: "es",
      label: "Classes",
    };
    const link = await makeLink(service, { token }, said);
    assert.match(link.id, /^[0-9a-f-]{36}$/);
    assert.match(link.url, /\/pay\/[2-9a-hjkmnp-tv-z]{14}$/);
    assert.equal(link.qr_svg_url, `${link.url}/qr.svg`);
    assert.equal(link.qr_png_url, `${link.url}/qr.png`);
    const { environment, title, currency, amount, fee_structure } = A_LINK;
    const expected = { environment, title, currency, amount, fee_structure, ...said };
    const shown = Object.keys(expected).map((name) => [name, link[name]]);
    assert.deepEqual(Object.fromEntries(shown), expected);
    assert.deepEqual(
      [link.active, link.state, link.amount_min, link.paid_count, link.paid_total],
      [true, "open", null, 0, "0.00"],
    );
    assert.deepEqual(await readLink(service, { token }, link.id), link);
  });

  test("has one address, whatever else is the same", async () => {
    const [one, two] = [await makeLink(service, { token }), await makeLink(service, { token })];
    assert.notEqual(one.url, two.url);
  });

  test("is made once for an Idempotency-Key", async () => {
    const headers = { "idempotency-key": "link-1" };
    const request = { method: "POST", token, headers, json: A_LINK };
    const first = await service.request("/payment-links", request);
    const again = await service.request("/payment-links", request);
    assert.deepEqual([first.status, again.body], [201, first.body]);
  });

  test("may leave the amount to the customer", async () => {
    const link = await makeLink(service, { token }, BOUNDS);
    assert.deepEqual([link.amount, link.amount_min, link.amount_max], [null, "10.00", "500.00"]);
  });

  test("of items alone costs their sum", async () => {
    const link = await makeLink(service, { token }, { amount: undefined, items: ITEMS });
    assert.deepEqual([link.amount, link.amount_min, link.amount_max], ["115.00", null, null]);
    assert.deepEqual(link.items, ITEMS);
    const same = await makeLink(service, { token }, { amount: "115.00", items: ITEMS });
    assert.equal(same.amount, "115.00");
  });
});

const REFUSED: readonly [what: string, fields: Record<string, unknown>, sentence: string][] = [
  ["no title", { title: undefined }, "The title field is required."],
  ["a long title", { title: "x".repeat(81) }, "The title must not be longer than 80 characters."],
  ["two lines", { title: "a\nb" }, "The title format is invalid."],
  ["a foreign currency", { currency: "JMD" }, "The currency must be one of: TTD, USD."],
  ["no amount", { amount: undefined }, "Send amount, or amount_min and amount_max."],
  [
    "both ways",
    { amount_min: "10.00", amount_max: "20.00" },
    "Send amount, or amount_min and amount_max, not both.",
  ],
  [
    "items with bounds",
    { ...BOUNDS, items: ITEMS },
    "The items fix the amount: leave amount_min and amount_max out.",
  ],
  [
    "items that add up to something else",
    { amount: "120.00", items: ITEMS },
    "The items must add up to the amount: they are 115.00 and the amount is 120.00.",
  ],
  ["one bound", { ...BOUNDS, amount_max: undefined }, "The amount max field is required."],
  [
    "crossed bounds",
    { ...BOUNDS, amount_min: "501.00" },
    "The amount max must not be less than the amount min.",
  ],
  [
    "a third decimal",
    { amount: "1.001" },
    "The amount must be a number with at most 2 decimal places.",
  ],
  ["no fee structure", { fee_structure: undefined }, "The fee structure field is required."],
  ["no slots", { max_payments: 0 }, "The max payments must be a whole number from 1 to 1000000."],
  ["the past", { expires_at: "2020-01-01T00:00:00Z" }, "The expires at must be in the future."],
  ["a script", { success_url: "javascript:alert(1)" }, "The success url must be a valid URL."],
  [
    "plain http live",
    { environment: "live", success_url: "http://shop.example/" },
    "The success url must begin with https:// for a live payment.",
  ],
  ["a language", { language: "de" }, "The language must be one of: en, es, fr, nl."],
  [
    "a card number",
    { success_message: "4111 1111 1111 1111" },
    "The success message must not contain a card number.",
  ],
];

describe("is refused", () => {
  for (const [what, fields, sentence] of REFUSED)
    test(what, async () => {
      const { status, body } = await askForLink(service, { token }, fields);
      assert.deepEqual([status, body.message], [400, sentence]);
    });

  test("an amount out of the limits of its currency", async () => {
    for (const fields of [{ amount: "0.00" }, { ...BOUNDS, amount_max: "99999999.00" }]) {
      const { status, body } = await askForLink(service, { token }, fields);
      assert.equal(status, 400);
      assert.match(body.message, /^The amount( max)? must be from /);
    }
  });
});

describe("a change", () => {
  const change = (id: string, json: object, who: Credential = { token }) =>
    service.request(`/payment-links/${id}`, { method: "PATCH", ...who, json });

  test("switches it off and on, keeps what is left out and clears what is null", async () => {
    const { id } = await makeLink(service, { token }, { description: "By the jetty", label: "A" });
    const off = await change(id, { active: false });
    assert.deepEqual([off.status, off.body.data.state], [200, "off"]);
    assert.equal(off.body.data.description, "By the jetty");
    const { data } = (await change(id, { active: true, label: null, title: "Pilates" })).body;
    assert.deepEqual([data.active, data.label, data.title], [true, null, "Pilates"]);
    assert.deepEqual(await readLink(service, { token }, id), data);
  });

  const FIXED = ["currency", "amount", "amount_min", "amount_max", "items", "fee_structure"];
  for (const name of FIXED)
    test(`of ${name} is refused`, async () => {
      const made = await makeLink(service, { token });
      const { status, body } = await change(made.id, { title: "Other", [name]: "5.00" });
      const label = name.replaceAll("_", " ");
      const sentence = `The ${label} of a payment link cannot be changed: make a new link.`;
      assert.deepEqual([status, body.message], [400, sentence]);
      assert.deepEqual(await readLink(service, { token }, made.id), made);
    });

  test("of nothing is refused, and so is what a new link may not have", async () => {
    const { id } = await makeLink(service, { token });
    const SENTENCES = [
      [{}, "Give at least one field of the payment link."],
      [{ expires_at: "2020-01-01T00:00:00Z" }, "The expires at must be in the future."],
      [{ success_url: "ftp://x" }, "The success url must be a valid URL."],
    ] as const;
    for (const [json, sentence] of SENTENCES) {
      const { status, body } = await change(id, json);
      assert.deepEqual([status, body.message], [400, sentence]);
    }
  });

  test("to plain http follows the environment of the link", async () => {
    const sandbox = await makeLink(service, { token });
    const live = await makeLink(service, { token }, { environment: "live" });
    const json = { success_url: "http://shop.example/" };
    assert.equal((await change(sandbox.id, json)).status, 200);
    assert.equal((await change(live.id, json)).status, 400);
  });
});

describe("who", () => {
  const ROUTES: readonly [method: string, below: string, scope: Scope, open: number][] = [
    ["POST", "", "svc-links-create", 201],
    ["GET", "?environment=sandbox", "svc-links-retrieve", 200],
    ["GET", "/00000000-0000-0000-0000-000000000000", "svc-links-retrieve", 404],
    ["PATCH", "/00000000-0000-0000-0000-000000000000", "svc-links-update", 404],
  ];

  test("has the scope, with tokens and keys alike", async () => {
    for (const scope of SCOPES) {
      const { token: narrow } = await mintToken(ctx, shop, [scope]);
      const { key } = await mintKey(ctx, shop, [scope]);
      for (const credential of [{ token: narrow }, { key }])
        for (const [method, below, own, open] of ROUTES) {
          const json = { POST: A_LINK, PATCH: { title: "Mine" } }[method];
          const sent = { method, ...credential, ...(json && { json }) };
          const { status } = await service.request(`/payment-links${below}`, sent);
          const isOpen = scope === own || scope === "svc-links-all";
          assert.equal(status, isOpen ? open : 403, `${method} ${below} with ${scope}`);
        }
    }
  });

  test("is a person cannot sign in for links", async () => {
    const person = await service.world.person();
    const { email, password } = person;
    const json = { grant_type: "password", email, password, scope: "svc-links-all" };
    const answer = await service.request("/auth/tokens", { method: "POST", json });
    assert.notEqual(answer.status, 200);
  });

  test("is somebody else finds nothing", async () => {
    const { id } = await makeLink(service, { token });
    for (const method of ["GET", "PATCH"]) {
      const json = method === "PATCH" ? { json: { title: "Mine" } } : {};
      const sent = { method, token: other.token, ...json };
      assert.equal((await service.request(`/payment-links/${id}`, sent)).status, 404);
    }
    const { body } = await service.request("/payment-links?environment=sandbox", {
      token: other.token,
    });
    assert.deepEqual(body.data, []);
  });

  test("has a key reaches its own environment alone", async () => {
    const { key } = await mintKey(ctx, shop, ["svc-links-all"], { prefix: "test" });
    const mine = await makeLink(service, { key }, { environment: undefined });
    assert.equal(mine.environment, "sandbox");
    const live = await makeLink(service, { token }, { environment: "live" });
    assert.equal((await service.request(`/payment-links/${live.id}`, { key })).status, 404);
    const crossed = await askForLink(service, { key }, { environment: "live" });
    assert.equal(crossed.body.message, "The environment must be sandbox with this API key.");
  });
});

test("the list is newest first, by environment, label, state and page", async () => {
  const lister = await openShop(service);
  const who = { token: lister.token };
  const ids: string[] = [];
  for (const label of ["A", "B", "A"]) ids.unshift((await makeLink(service, who, { label })).id);
  await makeLink(service, who, { environment: "live" });
  const list = async (query: string) =>
    (await service.request(`/payment-links?environment=sandbox${query}`, who)).body;
  const idsOf = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id);
  assert.deepEqual(idsOf(await list("")), ids);
  assert.deepEqual(idsOf(await list("&label=A")), [ids[0], ids[2]]);
  await service.request(`/payment-links/${ids[1]}`, {
    method: "PATCH",
    ...who,
    json: { active: false },
  });
  assert.deepEqual(idsOf(await list("&active=true")), [ids[0], ids[2]]);
  assert.deepEqual(idsOf(await list("&active=false")), [ids[1]]);
  const second = await list("&page=2&page_size=2");
  assert.deepEqual(idsOf(second), [ids[2]]);
  assert.deepEqual(second.meta, { page: 2, page_size: 2, total: 3, last_page: 2 });
  assert.match(second.links.prev, /page=1/);
});
