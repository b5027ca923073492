/**
 * Clients of 1.x are served (Interface §9, Decision 0051): each of its paths is answered as its
 * successor is, and every answer says that it is deprecated and what to call instead.
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import type { Scope } from "../../../src/kit/scopes.ts";
import { V1_PATHS } from "../../../src/modules/v1-compat/v1-paths.ts";
import { mintKey, mintToken } from "../../../testkit/credentials.ts";
import { type RequestOptions, startService, type TestAnswer } from "../../../testkit/service.ts";
import { APPROVED, newPayment, pay, type Shop } from "../../../testkit/transactions.ts";
import { newCharge, RESPONSE_URL, saveCard, verifiedCard } from "../../../testkit/trusted-cards.ts";
import { PASSWORD } from "../../../testkit/world.ts";

const service = await startService();
const { ctx, world } = service;
after(() => service.stop());
const main = await world.mainMerchant();
const scopes = main.allScopes.split(" ") as Scope[];
const shop: Shop = { ...main, ...(await mintToken(ctx, main, scopes)) };
const { token } = shop;
const signIn = { email: main.email, password: PASSWORD, scopes: "wapi-trans-all" };

let accounts = 0;
const newAccount = () => {
  accounts += 1;
  const email = `v1-${accounts}@example.com`;
  return { email, password: PASSWORD, first_name: "Anika", last_name: "Mohammed" };
};
async function madeAccount(): Promise<string> {
  const json = newAccount();
  const { body } = await service.request("/accounts", { method: "POST", token, json });
  return body.data.account_number;
}
const paid = async () => (await pay(service, newPayment(shop), APPROVED)).transaction_id;
const saved = async () => saveCard(service, { shop });
const verified = async () => (await verifiedCard(service, { shop })).uuid;

interface Old {
  readonly was: string;
  readonly status: number;
  readonly message?: string;
  readonly link: string;
  readonly fields?: Record<string, string>;
  readonly token?: string;
}

/** What a client of 1.x sends, made anew for each encoding. */
const OLD_REQUESTS: (() => Promise<Old>)[] = [
  async () => ({ was: "POST /auth/grant", status: 200, link: "/auth/tokens", fields: signIn }),
  async () => {
    const { access_token } = await main.signIn();
    return { was: "POST /auth/revoke", status: 200, link: "/auth/tokens", token: access_token };
  },
  async () => {
    const { refresh_token } = await main.signIn();
    const fields = { refresh_token };
    return { was: "POST /auth/refresh", status: 200, link: "/auth/tokens/refresh", fields };
  },
  async () => ({
    ...{ was: "POST /accounts/create", status: 201, message: "Created", link: "/accounts" },
    fields: newAccount(),
  }),
  async () => {
    const account_number = await madeAccount();
    const link = `/accounts/${account_number}`;
    return { was: "DELETE /accounts/delete", status: 200, link, fields: { account_number } };
  },
  async () => {
    const account_number = await madeAccount();
    const link = `/accounts/${account_number}`;
    return { was: "GET /accounts/retrieve", status: 200, link, fields: { account_number } };
  },
  async () => {
    const account_number = await madeAccount();
    const fields = { account_number, first_name: "Marisol" };
    const link = `/accounts/${account_number}`;
    return { was: "POST /accounts/update", status: 200, link, fields };
  },
  async () => ({
    ...{ was: "GET /transactions/history", status: 200, link: "/transactions/" },
    fields: { page_size: "5" },
  }),
  async () => {
    const transaction_id = await paid();
    const link = `/transactions/${transaction_id}`;
    return { was: "GET /transactions/status", status: 200, link, fields: { transaction_id } };
  },
  async () => {
    const transaction_id = await paid();
    const message = "Refund request successfully created.";
    const link = `/transactions/${transaction_id}/refund`;
    const fields = { transaction_id, amount: "5.00" };
    return { was: "POST /transactions/refund_request", status: 201, message, link, fields };
  },
  async () => {
    const uuid = await verified();
    const fields = { uuid, ...(newCharge() as Record<string, string>) };
    const link = `/trusted-cards/${uuid}/charge`;
    return { was: "POST /trusted-card/charge_request", status: 200, link, fields };
  },
  async () => ({
    ...{ was: "POST /trusted-card/create", status: 200, link: "/trusted-cards/" },
    fields: { environment: "sandbox", response_url: RESPONSE_URL },
  }),
  async () => {
    const { uuid } = await saved();
    const link = `/trusted-cards/${uuid}`;
    return { was: "DELETE /trusted-card/delete", status: 200, link, fields: { uuid } };
  },
  async () => {
    const { uuid } = await saved();
    const link = `/trusted-cards/${uuid}`;
    return { was: "GET /trusted-card/retrieve", status: 200, link, fields: { uuid } };
  },
  async () => ({
    ...{ was: "GET /trusted-card/retrieve", status: 200, link: "/trusted-cards/" },
    fields: { environment: "sandbox" },
  }),
  async () => {
    const { uuid, amount } = await saved();
    const link = `/trusted-cards/${uuid}/verify`;
    return { was: "POST /trusted-card/verify", status: 200, link, fields: { uuid, amount } };
  },
];

const ENCODINGS = {
  "a query": (fields: Record<string, string>) => ({ query: `?${new URLSearchParams(fields)}` }),
  JSON: (json: Record<string, string>) => ({ json }),
  "form data": (form: Record<string, string>) => ({ form }),
};

const covered = new Set<string>();
for (const make of OLD_REQUESTS)
  describe("a client of 1.x", async () => {
    const { was, fields = {} } = await make();
    covered.add(was);
    const given = Object.keys(fields).join(", ") || "nothing";
    const [method = "", path = ""] = was.split(" ");
    const encodings = method === "POST" ? (["JSON", "form data"] as const) : (["a query"] as const);
    for (const encoding of encodings)
      test(`is served at ${was} with ${given}, asked as ${encoding}`, async () => {
        const old = await make();
        const sent = ENCODINGS[encoding](old.fields ?? {}) as RequestOptions & { query?: string };
        const isOpen = ["/auth/grant", "/auth/refresh"].includes(path);
        const answer = await service.request(path + (sent.query ?? ""), {
          method,
          ...(isOpen ? {} : { token: old.token ?? token }),
          ...sent,
        });
        assert.equal(answer.status, old.status, answer.text);
        assert.equal(answer.body.message, old.message ?? "OK");
        expectDeprecated(answer, old.link);
      });
  });

test("every path of 1.x is asked for above", () => {
  assert.deepEqual(covered, new Set(V1_PATHS.map(({ was }) => was)));
});

test("the old and the new path answer in the same words", async () => {
  const [account, id, { uuid }] = [await madeAccount(), await paid(), await saved()];
  const pairs = [
    [`/accounts/retrieve?account_number=${account}`, `/accounts/${account}`],
    [`/transactions/status?transaction_id=${id}`, `/transactions/${id}`],
    ["/transactions/history?page_size=1", "/transactions/?page_size=1"],
    [`/trusted-card/retrieve?uuid=${uuid}`, `/trusted-cards/${uuid}`],
    ["/trusted-card/retrieve?environment=sandbox", "/trusted-cards/?environment=sandbox"],
    ["/trusted-card/retrieve?page=x", "/trusted-cards/?page=x"],
    ["/transactions/history?page_size=0", "/transactions/?page_size=0"],
  ] as const;
  for (const [was, is] of pairs) {
    const [old, now] = [
      await service.request(was, { token }),
      await service.request(is, { token }),
    ];
    assert.deepEqual([old.status, old.body], [now.status, now.body], was);
    assert.equal(now.headers.get("deprecation"), null);
    assert(!now.headers.get("link")?.includes("successor-version"));
  }
});

describe("an identifier", () => {
  const status = (search: string) => service.request(`/transactions/status${search}`, { token });

  test("may come in the query of a POST and in the body of a DELETE", async () => {
    const account = await madeAccount();
    const query = `?account_number=${account}`;
    const json = { first_name: "Marisol" };
    const update = { method: "POST", token, json };
    const changed = await service.request(`/accounts/update${query}`, update);
    assert.equal(changed.body.data.first_name, "Marisol");
    const gone = { method: "DELETE", token, json: { account_number: account } };
    assert.equal((await service.request("/accounts/delete", gone)).status, 200);
  });

  test("may be a number in JSON, and counts in the body before the query", async () => {
    const account = await madeAccount();
    const json = { account_number: Number(account), last_name: "Baptiste" };
    const path = `/accounts/update?account_number=${main.accountNumber}`;
    const answer = await service.request(path, { method: "POST", token, json });
    assert.equal(answer.body.data.account_number, account);
    expectDeprecated(answer, `/accounts/${account}`);
  });

  test("that is missing or empty is asked for by its name", async () => {
    for (const search of ["", "?transaction_id=", "?id=1"]) {
      const answer = await status(search);
      const message = "The transaction id field is required.";
      assert.deepEqual([answer.status, answer.body], [400, { message }]);
      expectDeprecated(answer, "/transactions/{transaction_id}");
    }
  });

  test("that names nothing, or could stand in no path, is not found", async () => {
    for (const id of ["TT-0", "%20", "a/b", "..%2F", "x".repeat(65), "%C3%A9"])
      assert.deepEqual((await status(`?transaction_id=${id}`)).body, { message: "Not Found" }, id);
    for (const account_number of ["\ud800", "1\r\nx: y", {}, [1], true, "x".repeat(65)]) {
      const asked = { method: "POST", token, json: { account_number, first_name: "A" } };
      const answer = await service.request("/accounts/update", asked);
      assert([400, 404].includes(answer.status), `${account_number}: ${answer.text}`);
      assert.equal(answer.headers.get("x"), null);
    }
  });

  test("that is given twice in the query is refused", async () => {
    const answer = await status("?transaction_id=a&transaction_id=b");
    const message = "The transaction id field is given more than once.";
    assert.deepEqual([answer.status, answer.body], [400, { message }]);
  });

  test("of somebody else is not found", async () => {
    const other = await world.merchant();
    const theirs = await pay(service, newPayment(other), APPROVED);
    assert.equal((await status(`?transaction_id=${theirs.transaction_id}`)).status, 404);
  });
});

test("a refusal says that the path is deprecated, too", async () => {
  const none = await service.request("/transactions/status");
  const narrow = await mintKey(ctx, main, ["svc-user-all"]);
  const refused = await service.request("/transactions/history", { key: narrow.key });
  const wrong = { ...signIn, password: "wrong password" };
  const unknown = await service.request("/auth/grant", { method: "POST", json: wrong });
  const revoked = await service.request("/auth/revoke", { method: "POST", key: narrow.key });
  const answers = [none, refused, unknown, revoked];
  assert.deepEqual(
    answers.map(({ status }) => status),
    [401, 403, 401, 400],
  );
  assert.equal(unknown.body.error, "invalid_credentials");
  for (const [at, link] of [
    "/transactions/{transaction_id}",
    "/transactions/",
    ...["/auth/tokens", "/auth/tokens"],
  ].entries())
    expectDeprecated(answers[at] as TestAnswer, link);
});

test("an Idempotency-Key holds across the old and the new path", async () => {
  const id = await paid();
  const headers = { "idempotency-key": "refund-once" };
  const old = { transaction_id: id, amount: 7 };
  const asked = { method: "POST", token, headers };
  const first = await service.request("/transactions/refund_request", { ...asked, json: old });
  const json = { amount: "7.00" };
  const again = await service.request(`/transactions/${id}/refund`, { ...asked, json });
  assert.deepEqual([again.status, again.text], [first.status, first.text]);
  assert.equal(again.headers.get("idempotent-replayed"), "true");
});

test("the limit of five sign-ins a minute is one for both paths", async () => {
  const limited = await startService({ settings: { LIMIT_SIGN_IN: "5" } });
  try {
    const paths = ["/auth/grant", "/auth/tokens", "/auth/grant", "/auth/tokens", "/auth/grant"];
    const grant = (path: string) => limited.request(path, { method: "POST", json: signIn });
    for (const path of paths) assert.equal((await grant(path)).status, 401);
    for (const path of ["/auth/tokens", "/auth/grant"])
      assert.equal((await grant(path)).status, 429);
  } finally {
    await limited.stop();
  }
});

/** Of a refusal the page about it is linked besides. */
function expectDeprecated({ headers }: TestAnswer, link: string): void {
  assert.equal(headers.get("deprecation"), "true");
  const [successor] = headers.get("link")?.split(", ") ?? [];
  assert.equal(successor, `<${link}>; rel="successor-version"`);
}
