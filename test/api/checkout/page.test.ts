/**
 * The payment page over HTTP, without a browser: who may post, which headers it has, and what its
 * addresses tell when there is nothing, when it is over, and when something goes wrong.
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import { COMMON_HEADERS } from "../../../src/infra/http/serve/response-headers.ts";
import { script, style } from "../../../src/modules/checkout/page/assets.ts";
import { formToken } from "../../../src/modules/checkout/page/form-token.ts";
import { expectBooksToBalance } from "../../../testkit/books.ts";
import { ask, minimal } from "../../../testkit/payment-requests.ts";
import { type RequestOptions, startService } from "../../../testkit/service.ts";

const service = await startService();
const { ctx } = service;
after(async () => {
  await expectBooksToBalance(ctx.db);
  await service.stop();
});
const merchant = await service.world.merchant();

async function order(fields: Record<string, string> = {}): Promise<{ path: string; id: string }> {
  const shop = { response_url: "https://shop.example/back?a=1", email: "maya@example.com" };
  const { body } = await ask(service, minimal(merchant.accountNumber, { ...shop, ...fields }));
  return { path: new URL(body.url).pathname, id: body.transaction_id };
}

const CARD = { number: "4111111111111111", expiry: "09/35", cvv: "987", holder: "Maya Joseph" };
const own = new URL(ctx.config.http.paymentsPublicUrl).origin;

function post(
  path: string,
  { form = {}, headers = {} }: Pick<RequestOptions, "form" | "headers"> = {},
) {
  const token = path.split("/")[2] ?? "";
  return service.request(path, {
    method: "POST",
    headers: { origin: own, "sec-fetch-site": "same-origin", ...headers },
    form: { attempts: "0", form_token: formToken(ctx.config, token), ...form },
  });
}

const attemptsOf = async (id: string) =>
  (await ctx.db.rows(sql`select from checkout_attempts where transaction_id = ${id}`)).length;

describe("the page", () => {
  test("has its own headers and those of everything else, and is kept by nobody", async () => {
    const { path } = await order();
    const { status, headers } = await service.request(path);
    assert.equal(status, 200);
    assert.equal(headers.get("content-type"), "text/html; charset=utf-8");
    assert.equal(headers.get("cache-control"), "no-store");
    assert.equal(headers.get("x-frame-options"), "DENY");
    assert.equal(headers.get("cross-origin-opener-policy"), "same-origin");
    assert.equal(headers.get("set-cookie"), null);
    const policy = headers.get("content-security-policy") ?? "";
    assert.match(policy, /form-action 'self' https:\/\/shop\.example;/);
    for (const name of ["referrer-policy", "permissions-policy", "x-content-type-options"])
      assert.equal(headers.get(name), COMMON_HEADERS[name]);
  });

  test("has another nonce each time, which its script carries", async () => {
    const { path } = await order();
    const nonces = await Promise.all(
      [1, 2].map(async () => {
        const { headers, text } = await service.request(path);
        const [, nonce = ""] =
          /'nonce-([^']+)'/.exec(headers.get("content-security-policy") ?? "") ?? [];
        assert(text.includes(`nonce="${nonce}"`));
        return nonce;
      }),
    );
    assert.notEqual(nonces[0], nonces[1]);
  });

  test("that has only words may be framed, and they are read there", async () => {
    const { path } = await order({ method: "3co_simple" });
    const nowhere = await service.request(`/checkout/${"x".repeat(43)}`);
    const refused = await post(path, { form: { form_token: "no" } });
    for (const [{ status, headers }, expected] of [
      [nowhere, 404],
      [refused, 403],
    ] as const) {
      assert.equal(status, expected);
      assert.equal(headers.get("x-frame-options"), null);
      assert.doesNotMatch(headers.get("content-security-policy") ?? "", /frame-ancestors/);
    }
  });

  test("that is simple may be framed", async () => {
    const { path } = await order({ method: "3co_simple" });
    const { headers } = await service.request(path);
    assert.equal(headers.get("x-frame-options"), null);
    assert.doesNotMatch(headers.get("content-security-policy") ?? "", /frame-ancestors/);
  });

  test("of nobody tells nothing, whatever the token looks like", async () => {
    const { path } = await order();
    const token = path.split("/")[2] ?? "";
    const changed = token.slice(0, -1) + (token.endsWith("A") ? "B" : "A");
    for (const other of [changed, token.slice(0, -1), `${token}x`, "a", "%3Cscript%3E"]) {
      for (const way of ["", "/challenge"]) {
        const { status, text } = await service.request(`/checkout/${other}${way}`);
        assert.equal(status, 404, other);
        assert.match(text, /Payment page not found/);
      }
      assert.equal((await service.request(`/checkout/${other}/status`)).status, 404);
      if (!other.includes("%")) assert.equal((await post(`/checkout/${other}`)).status, 404);
    }
  });

  test("shows foreign words as text", async () => {
    const { path } = await order({
      name: `Eve "><b>x</b> {{7777*7777}}`,
      data: "</script><b>y</b>",
    });
    const { text } = await service.request(path);
    assert.doesNotMatch(text, /<b>[xy]<\/b>|60481729/);
  });
});

describe("a post of the card form", () => {
  for (const [what, headers, form] of [
    ["a foreign Origin", { origin: "https://evil.example" }, {}],
    ["no Origin", { origin: "" }, {}],
    ["the Origin null", { origin: "null" }, {}],
    ["cross-site", { "sec-fetch-site": "cross-site" }, {}],
    ["no form token", {}, { form_token: "" }],
    ["the form token of another payment", {}, { form_token: formToken(ctx.config, "x") }],
  ] as const) {
    test(`with ${what} is 403 and tries no card`, async () => {
      const { path, id } = await order();
      for (const way of [path, `${path}/back`]) {
        const { status, text } = await post(way, { form: { ...CARD, ...form }, headers });
        assert.equal(status, 403);
        assert.match(text, /Please go back to the payment page/);
      }
      assert.equal(await attemptsOf(id), 0);
    });
  }

  test("pays once, then leads to the shop; the page is over and shows no card", async () => {
    const { path, id } = await order();
    const paid = await post(path, { form: CARD, headers: {} });
    assert.equal(paid.status, 303);
    const location = new URL(paid.headers.get("location") ?? "");
    assert.equal(location.origin, "https://shop.example");
    assert.equal(location.searchParams.get("status"), "success");
    assert.equal(location.searchParams.get("a"), "1");
    const again = await post(path, { form: CARD });
    assert.equal(again.headers.get("location"), location.href);
    assert.equal(await attemptsOf(id), 1);
    const over = await service.request(path);
    assert.equal(over.status, 410);
    assert(over.text.includes(id));
    for (const answer of [paid, again, over])
      assert.doesNotMatch(answer.text, /4111111111111111|\b987\b/); // a signature may hold 987
    const { body } = await service.request(`${path}/status`);
    assert.deepEqual([body.step, body.heading, body.next], ["ended", "Paid", location.href]);
    await service.clock.advance({ hours: 25 });
    const later = await service.request(path);
    assert.equal(later.status, 410);
    assert(!later.text.includes(id));
    assert.equal((await service.request(`${path}/status`)).status, 404);
    for (const to of [path, `${path}/back`]) {
      const posted = await post(to, { form: CARD });
      assert.deepEqual([posted.status, posted.headers.get("location")], [303, path], to);
    }
  });

  test("with a wrong field is 422, says so at the field, and does not give the card back", async () => {
    const { path, id } = await order();
    const { status, text } = await post(path, { form: { ...CARD, expiry: "13/35" } });
    assert.equal(status, 422);
    assert.match(text, /<a href="#expiry">/);
    assert.match(text, /value="Maya Joseph"/);
    assert.doesNotMatch(text, /4111111111111111|13\/35|value="987"/);
    assert.equal(await attemptsOf(id), 0);
  });

  test("that is declined is shown again with the bank's words; sent again, it tries nothing", async () => {
    const { path, id } = await order();
    const form = { ...CARD, number: "4111111111113333" };
    const { status, text } = await post(path, { form });
    assert.equal(status, 422);
    assert.match(text, /Visa ending in 3333: The card&#39;s bank did not approve the payment\./);
    assert.doesNotMatch(text, /4111111111113333|09\/35|value="987"/);
    assert.match(text, /name="attempts" value="1"/);
    const again = await post(path, { form });
    assert.equal(again.status, 422);
    assert.match(again.text, /name="attempts" value="1"/);
    assert.equal(await attemptsOf(id), 1);
  });

  test("of five cards is the last; then the session is over", async () => {
    const { path, id } = await order();
    for (let attempts = 0; attempts < 4; attempts += 1) {
      const form = { ...CARD, number: "4111111111113333", attempts: String(attempts) };
      assert.equal((await post(path, { form })).status, 422);
    }
    const last = await post(path, { form: { ...CARD, number: "4111111111113333", attempts: "4" } });
    assert.equal(last.status, 303);
    assert.match(last.headers.get("location") ?? "", /status=failed/);
    assert.equal(await attemptsOf(id), 5);
  });

  test("that asks for a list of states keeps what was typed and tries nothing", async () => {
    for (const avs of ["1", "0"]) {
      const { path, id } = await order({ avs });
      const form = { ...CARD, country: "JM", do: "states" };
      const { status, text } = await post(path, { form });
      assert.equal(status, 200);
      assert.match(text, /<option value="JM-01"/);
      assert.match(text, /value="Maya Joseph"/);
      assert.doesNotMatch(text, /4111111111111111/);
      // The list stands among what is folded away where nothing is compared.
      if (avs === "0") assert.match(text, /<details open>/);
      assert.equal(await attemptsOf(id), 0);
    }
  });

  test("that is no form, or too large, is told in a page", async () => {
    const { path } = await order();
    for (const [type, body, status] of [
      ["text/plain", "x", 415],
      ["application/x-www-form-urlencoded", "a=%zz", 400],
      ["application/x-www-form-urlencoded", `a=${"x".repeat(66_000)}`, 413],
    ] as const) {
      for (const to of [path, `${path}/back`]) {
        const answer = await service.request(to, { method: "POST", raw: { type, body } });
        assert.equal(answer.status, status);
        assert.match(answer.headers.get("content-type") ?? "", /^text\/html/);
        assert(answer.text.includes(`href="${path}"`), "there is a way on");
      }
    }
  });
});

describe("the bank's question", () => {
  test("is somebody else's page: it has no origin of ours", async () => {
    const { path } = await order();
    const asked = await post(path, { form: { ...CARD, number: "4111111111112010" } });
    assert.deepEqual([asked.status, asked.headers.get("location")], [303, path]);
    const { status, headers } = await service.request(`${path}/challenge`);
    assert.equal(status, 200);
    assert.match(
      headers.get("content-security-policy") ?? "",
      /^sandbox allow-forms allow-scripts;/,
    );
    assert.equal((await service.request(`${path}/status`)).body.step, "challenge");
  });

  test("is answered only by its own token; others change nothing", async () => {
    const { path, id } = await order();
    await post(path, { form: { ...CARD, number: "4111111111112010" } });
    const headers = { origin: "https://bank.example", "sec-fetch-site": "cross-site" };
    for (const token of ["", "x", "0".repeat(43)]) {
      const form = { token, result: "passed" };
      const answer = await service.request(`${path}/challenge`, { method: "POST", form, headers });
      assert.equal(answer.status, 200);
    }
    assert.equal((await service.request(`${path}/status`)).body.step, "challenge");
    const { status } = await ctx.db.one<{ status: string }>(sql`
      select status from transactions where transaction_id = ${id}`);
    assert.equal(status, "incomplete");
  });
});

test("the style and the script are kept for ever, under their own names only", async () => {
  for (const { path, plain } of [style, script]) {
    const { status, headers, text } = await service.request(path);
    assert.equal(status, 200);
    assert.equal(text, plain.toString());
    assert.equal(headers.get("cache-control"), "public, max-age=31536000, immutable");
  }
  const other = style.path.replace(/\.[0-9a-f]+\./, ".0000000000000000.");
  assert.equal((await service.request(other)).status, 404);
});

test("what browsers report is taken, whatever it is, and the log knows no address of a page", async () => {
  const body = { documentURL: `${own}/checkout/secret`, effectiveDirective: "script-src-elem" };
  for (const raw of [
    { type: "application/reports+json", body: JSON.stringify([{ type: "csp-violation", body }]) },
    { type: "application/csp-report", body: JSON.stringify({ "csp-report": body }) },
    { type: "application/reports+json", body: "[1]" },
  ]) {
    const answer = await service.request("/reports/csp", { method: "POST", raw });
    assert.equal(answer.status, 200);
  }
  const lines = service.logged.filter((line) => line.includes("broke its rules"));
  assert.equal(lines.length, 3);
  assert.doesNotMatch(lines.join(), /secret/);
});
