/**
 * Who may do what with which card: the scopes of Interface §5.7 exactly, a card of another account
 * or environment as if it were not there, and fields by their rules.
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import { SCOPES, type Scope } from "../../../src/kit/scopes.ts";
import { cardBeingSaved } from "../../../src/modules/trusted-cards/card-check.ts";
import { submit } from "../../../testkit/checkout-sessions.ts";
import { type Credential, mintKey, mintToken } from "../../../testkit/credentials.ts";
import { type RequestOptions, startService } from "../../../testkit/service.ts";
import {
  askToSave,
  closeService,
  newCharge,
  openShop,
  RESPONSE_URL,
  saveCard,
  verifiedCard,
} from "../../../testkit/trusted-cards.ts";

const service = await startService();
const { ctx } = service;
after(() => closeService(service));
const shop = await openShop(service);
const other = await openShop(service);

/** Each route, what it does, and the one scope beside `-all` that opens it. */
const ROUTES: readonly [string, string, string, Scope][] = [
  ["POST", "/trusted-cards/", "create", "svc-trusted-cards-create"],
  ["GET", "/trusted-cards/?environment=sandbox", "list", "svc-trusted-cards-retrieve"],
  ["GET", "/trusted-cards/{uuid}", "read", "svc-trusted-cards-retrieve"],
  ["POST", "/trusted-cards/{uuid}/verify", "verify", "svc-trusted-cards-verify"],
  ["POST", "/trusted-cards/{uuid}/charge", "charge", "svc-trusted-cards-charge-request"],
  ["DELETE", "/trusted-cards/{uuid}", "delete", "svc-trusted-cards-delete"],
];

const BODIES: Record<string, () => Record<string, unknown>> = {
  create: () => ({ environment: "sandbox", response_url: RESPONSE_URL }),
  verify: () => ({ amount: "0.73" }),
  charge: newCharge,
};

function ask(
  what: string,
  uuid: string,
  credential: Credential,
  more: Partial<RequestOptions> = {},
) {
  const route = ROUTES.find(([, , name]) => name === what);
  assert(route !== undefined);
  const [method, path] = route;
  const body = BODIES[what];
  return service.request(path.replace("{uuid}", uuid), {
    method,
    ...credential,
    ...(body === undefined ? {} : { json: body() }),
    ...more,
  });
}

describe("the scopes", () => {
  const byScope = new Map<Scope, readonly Credential[]>();
  test("are those of the interface and no others, with tokens and keys alike", async () => {
    for (const scope of SCOPES)
      byScope.set(scope, [
        { token: (await mintToken(ctx, shop, [scope])).token },
        { key: (await mintKey(ctx, shop, [scope])).key },
      ]);
    for (const [, , what, own] of ROUTES)
      for (const [scope, credentials] of byScope)
        for (const credential of credentials) {
          const { status } = await ask(what, "00000000-0000-0000-0000-000000000000", credential);
          const isOpen = scope === own || scope === "svc-trusted-cards-all";
          const open = what === "create" || what === "list" ? 200 : 404;
          assert.equal(status, isOpen ? open : 403, `${what} with ${scope}`);
        }
  });

  test("of cards are not for PERSONAL accounts", async () => {
    const person = await service.world.person();
    const { token } = await mintToken(ctx, person, ["svc-trusted-cards-all"]);
    for (const [, , what] of ROUTES) assert.equal((await ask(what, "x", { token })).status, 403);
  });
});

describe("a card is not there", () => {
  const everywhere = async (uuid: string, credential: Credential) => {
    const answers = [];
    for (const [, path, what] of ROUTES)
      if (path.includes("{uuid}")) answers.push(await ask(what, uuid, credential));
    return answers.map(({ status, body }) => [status, body]);
  };
  const GONE = Array.from({ length: 4 }, () => [404, { message: "Not Found" }]);
  const scopes = ["svc-trusted-cards-all"] as const;

  test("for another account, with whatever credential", async () => {
    const card = await verifiedCard(service, { shop });
    for (const credential of [{ token: other.token }, await mintKey(ctx, other, scopes)])
      assert.deepEqual(await everywhere(card.uuid, credential), GONE);
  });

  test("for a key of the other environment", async () => {
    const sandbox = await verifiedCard(service, { shop });
    const live = await verifiedCard(service, { shop, environment: "live" });
    const liveKey = await mintKey(ctx, shop, scopes, { prefix: "live" });
    const testKey = await mintKey(ctx, shop, scopes, { prefix: "test" });
    assert.deepEqual(await everywhere(sandbox.uuid, liveKey), GONE);
    assert.deepEqual(await everywhere(live.uuid, testKey), GONE);
    assert.equal((await ask("read", sandbox.uuid, testKey)).status, 200);
    assert.equal((await ask("read", live.uuid, liveKey)).status, 200);
  });

  test("for a token that names the other environment", async () => {
    const card = await verifiedCard(service, { shop });
    const { token } = shop;
    const wrong = { environment: "live" };
    const path = `/trusted-cards/${card.uuid}`;
    const answers = [
      await service.request(`${path}?environment=live`, { token }),
      await service.request(`${path}?environment=live`, { token, method: "DELETE" }),
      await ask("verify", card.uuid, { token }, { json: { amount: "0.73", ...wrong } }),
      await ask("charge", card.uuid, { token }, { json: { ...newCharge(), ...wrong } }),
    ];
    assert.deepEqual(
      answers.map(({ status }) => status),
      [404, 404, 404, 404],
    );
    assert.equal((await ask("read", card.uuid, { token })).status, 200);
  });

  test("under a uuid that is none, or is nobody's", async () => {
    const { token } = shop;
    for (const uuid of ["x", "00000000-0000-0000-0000-000000000000", "%00", "1' or '1'='1"])
      assert.deepEqual(await everywhere(encodeURIComponent(uuid), { token }), GONE);
  });
});

describe("the list", () => {
  test("has the account's own cards of one environment, newest first, in pages", async () => {
    const own = await openShop(service);
    const made = [];
    for (let count = 0; count < 3; count += 1) {
      made.push((await saveCard(service, { shop: own })).uuid);
      await service.clock.advance({ seconds: 1 });
    }
    await saveCard(service, { shop: own, environment: "live" });
    const path = "/trusted-cards/?environment=sandbox&page_size=2";
    const page = await service.request(path, { token: own.token });
    const uuids = page.body.data.map(({ uuid }: { uuid: string }) => uuid);
    assert.deepEqual(uuids, made.toReversed().slice(0, 2));
    assert.deepEqual(page.body.meta, { page: 1, page_size: 2, total: 3, last_page: 2 });
    const rest = await service.request(`${path}&page=2`, { token: own.token });
    assert.equal(rest.body.data[0].uuid, made[0]);
    const live = await service.request("/trusted-cards", { token: own.token });
    assert.equal(live.body.meta.total, 1);
    assert.equal(live.body.data[0].environment, "live");
    const bad = await service.request("/trusted-cards?page_size=101", { token: own.token });
    assert.equal(bad.status, 400);
  });
});

describe("a request to save a card", () => {
  const count = async () =>
    (await ctx.db.one<{ count: number }>(sql`select count(*)::int as count from card_checks`))
      .count;

  test("is refused with the sentence of the first field that is wrong", async () => {
    const CASES: [Record<string, unknown>, string][] = [
      [{ environment: "test" }, "The environment must be one of: live, sandbox."],
      [{ response_url: "" }, "The response url field is required."],
      [{ response_url: "shop.example" }, "The response url must be a valid URL."],
      [
        { response_url: `https://x.example/${"x".repeat(255)}` },
        "The response url must not be longer than 255 characters.",
      ],
      [{ data: "x".repeat(4097) }, "The data must not be longer than 4096 characters."],
      [{ data: "4111 1111 1111 1111" }, "The data must not contain a card number."],
      [{ environment: "x", response_url: "" }, "The environment must be one of: live, sandbox."],
    ];
    const before = await count();
    for (const [json, message] of CASES) {
      const sent = { ...BODIES.create?.(), ...json };
      const { status, body } = await ask("create", "", shop, { json: sent });
      assert.deepEqual([status, body], [400, { message }], JSON.stringify(json));
    }
    assert.equal(await count(), before);
  });

  test("is of the key's environment, and refused for the other", async () => {
    const { key } = await mintKey(ctx, shop, ["svc-trusted-cards-create"]);
    const json = { response_url: RESPONSE_URL };
    const answer = await ask("create", "", { key }, { json });
    assert.match(answer.body.transaction_id, /^SB-TT-/);
    const live = await ask("create", "", { key }, { json: { ...json, environment: "live" } });
    assert.deepEqual(
      [live.status, live.body.message],
      [400, "The environment must be sandbox with this API key."],
    );
  });

  test("is live by default with a token, and then an account must be verified", async () => {
    const json = { response_url: RESPONSE_URL };
    const answer = await ask("create", "", shop, { json });
    assert.match(answer.body.transaction_id, /^TT-/);
    const fresh = await openShop(service);
    await ctx.db.run(sql`
      update accounts set verified_at = null where account_number = ${fresh.accountNumber}`);
    const { status, body } = await ask("create", "", fresh, { json });
    assert.deepEqual([status, body.message], [400, "The account number cannot take this payment."]);
    assert.equal((await ask("create", "", fresh)).status, 200);
  });

  test("is read as a form, too", async () => {
    const form = { environment: "sandbox", response_url: RESPONSE_URL, data: "7" };
    const answer = await service.request("/trusted-cards", {
      method: "POST",
      token: shop.token,
      form,
    });
    assert.equal(answer.status, 200);
    assert.deepEqual(Object.keys(answer.body).sort(), ["message", "transaction_id", "url"]);
  });

  test("keeps the account open until it has ended", async () => {
    const own = await openShop(service);
    const reason = () => ctx.db.transaction((tx) => cardBeingSaved(tx, own.accountNumber));
    assert(ctx.reasonsToStayOpen.includes(cardBeingSaved));
    const order = await askToSave(service, own);
    assert.equal(await reason(), "The account still has an open payment.");
    await submit(service, order, "4111111111111111");
    assert.equal(await reason(), undefined);
  });
});

test("live cards are not saved where no live gateway is configured", async () => {
  const without = await startService({
    database: service.database,
    settings: { LIVE_GATEWAY: "none" },
  });
  try {
    for (const json of [{ environment: "live" }, {}]) {
      const answer = await without.request("/trusted-cards", {
        method: "POST",
        token: shop.token,
        json: { response_url: RESPONSE_URL, ...json },
      });
      assert.deepEqual(
        [answer.status, answer.body.message],
        [400, "The environment must be sandbox: live payments are not taken here."],
      );
    }
  } finally {
    await without.stop();
  }
});
