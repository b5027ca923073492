/**
 * The challenge of a real card over HTTP, against the acquirer's fake (Decision 0083): which
 * documents may lead to other origins, and what a post of the customer's browser can and cannot do.
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import { formToken } from "../../../src/modules/checkout/page/form-token.ts";
import { expectBooksToBalance } from "../../../testkit/books.ts";
import { ask, minimal } from "../../../testkit/payment-requests.ts";
import { startPowertranzFake } from "../../../testkit/powertranz/fake.ts";
import { assertFakeInvariant } from "../../../testkit/powertranz/invariant.ts";
import { type PlayedBrowser, playBrowser } from "../../../testkit/powertranz/play-browser.ts";
import { forge, type PostBackOptions, postBack } from "../../../testkit/powertranz/post-back.ts";
import { startService } from "../../../testkit/service.ts";

const fake = await startPowertranzFake();
const service = await startService({
  settings: {
    POWERTRANZ_URL: fake.url,
    POWERTRANZ_ID: fake.id,
    POWERTRANZ_PASSWORD: fake.password,
  },
});
after(async () => {
  await expectBooksToBalance(service.ctx.db);
  await assertFakeInvariant(fake);
  await service.stop();
  await fake.stop();
});
const merchant = await service.world.merchant();
const { config, db } = service.ctx;
const own = new URL(config.http.paymentsPublicUrl).origin;
const gateway = new URL(fake.url).origin;

interface Challenged {
  readonly path: string;
  readonly id: string;
}

async function challenged(environment = "live"): Promise<Challenged> {
  const { body } = await ask(service, minimal(merchant.accountNumber, { environment }));
  const path = new URL(body.url).pathname;
  const number = environment === "live" ? "4012000000020006" : "4111111111112010";
  const card = { number, expiry: "09/35", cvv: "987", holder: "Maya Joseph" };
  const token = path.split("/")[2] ?? "";
  const sent = await service.request(path, {
    method: "POST",
    headers: { origin: own, "sec-fetch-site": "same-origin" },
    form: { attempts: "0", form_token: formToken(config, token), ...card },
  });
  assert.equal(sent.status, 303, sent.text);
  return { path, id: body.transaction_id };
}

/** What the bank's page would post after the right password. */
async function answered({ path }: Challenged): Promise<PlayedBrowser> {
  const { text } = await service.request(`${path}/challenge/document`);
  return { ...(await playBrowser(text)), returnUrl: `${service.url}${path}/challenge` };
}

async function send(played: PlayedBrowser, options?: PostBackOptions): Promise<Response> {
  const [answer] = await postBack(played, options);
  assert(answer !== undefined);
  return answer;
}

const stepOf = async ({ path }: Challenged) =>
  (await service.request(`${path}/status`)).body.step as string;

const chargesOf = async ({ id }: Challenged) =>
  (await fake.control.transactions())
    .filter(({ orderIdentifier }) => orderIdentifier === id)
    .map(({ chargeCount }) => chargeCount);

const auditsOf = async ({ id }: Challenged) =>
  (
    await db.rows(sql`
      select from audit_entries
      where action = 'challenge_result_refused' and detail ->> 'transaction_id' = ${id}`)
  ).length;

async function ruleOf(path: string, name: string): Promise<string | undefined> {
  const { headers } = await service.request(path);
  const rules = (headers.get("content-security-policy") ?? "").split("; ");
  return rules.find((rule) => rule.startsWith(`${name} `));
}

describe("of the documents of a live payment", () => {
  test("only those of the challenge lead to the gateway and to banks", async () => {
    const { path } = await challenged();
    const banks = `${gateway} https:`;
    assert.equal(await ruleOf(path, "frame-src"), "frame-src 'self'");
    assert.equal(await ruleOf(path, "form-action"), "form-action 'self' https://shop.example");
    assert.equal(await ruleOf(`${path}/challenge`, "frame-src"), `frame-src 'self' ${banks}`);
    assert.equal(await ruleOf(`${path}/challenge`, "form-action"), "form-action 'self'");
    const document = `${path}/challenge/document`;
    assert.equal(await ruleOf(document, "sandbox"), "sandbox allow-forms allow-scripts");
    assert.equal(await ruleOf(document, "form-action"), `form-action ${own} ${banks}`);
    assert.equal(await ruleOf(document, "frame-ancestors"), "frame-ancestors 'self'");
  });

  test("the sandbox's lead nowhere else, and its bank needs no second frame", async () => {
    const { path } = await challenged("sandbox");
    assert.equal(await ruleOf(`${path}/challenge`, "frame-src"), `frame-src ${own}`);
    assert.equal(await ruleOf(`${path}/challenge`, "form-action"), `form-action ${own}`);
    const { text } = await service.request(`${path}/challenge`);
    assert.match(text, /Continue to your bank/);
  });

  test("the document around the gateway's cannot lead the whole window away", async () => {
    const { path } = await challenged();
    const { text } = await service.request(`${path}/challenge`);
    const [, sandbox = ""] = /<iframe[^>]* sandbox="([^"]*)"/.exec(text) ?? [];
    assert.equal(sandbox, "allow-scripts allow-forms allow-same-origin allow-popups");
    assert.doesNotMatch(text, /SpiToken/);
  });
});

describe("a post of the customer's browser", () => {
  test("is taken with Origin null, and completes the sale", async () => {
    const one = await challenged();
    const answer = await send(await answered(one), { origin: "null" });
    assert.equal(answer.status, 200);
    assert.match(await answer.text(), /<h1>Thank you<\/h1>/);
    assert.deepEqual([await stepOf(one), await chargesOf(one)], ["ended", [1]]);
  });

  test("is answered inside the frame by a quiet page, without a footer and a way on", async () => {
    const one = await challenged();
    await send(await answered(one));
    const headers = { "sec-fetch-dest": "iframe" };
    const { text } = await service.request(`${one.path}/challenge/document`, { headers });
    assert.match(text, /<html lang="en" class="framed">/);
    assert.match(text, /<h1>Thank you<\/h1>/);
    assert.doesNotMatch(text, /<footer|<a |<script/);
  });

  test("that comes twice, or thrice at once, charges once", async () => {
    const one = await challenged();
    const played = await answered(one);
    const answers = await postBack(played, { times: 3 });
    answers.push(await send(played));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 200],
    );
    assert.deepEqual([await stepOf(one), await chargesOf(one)], ["ended", [1]]);
    assert.equal(await auditsOf(one), 0);
  });

  test("in the whole window leads on to the page", async () => {
    const one = await challenged();
    const headers = { "sec-fetch-dest": "document" };
    const answer = await send(await answered(one), { headers });
    assert.equal(answer.status, 303);
    assert.equal(answer.headers.get("location"), `${one.path}?waiting=1`);
  });

  test("may repeat a field with the same value", async () => {
    const one = await challenged();
    const played = await answered(one);
    const answer = await send(played, { more: [["SpiToken", played.fields.SpiToken]] });
    assert.equal(answer.status, 200);
    assert.deepEqual([await stepOf(one), await chargesOf(one)], ["ended", [1]]);
  });

  test("that repeats a field with another value is refused, with a page", async () => {
    for (const name of ["SpiToken", "Response", "TransactionIdentifier"]) {
      const one = await challenged();
      const answer = await send(await answered(one), { more: [[name, "other"]] });
      assert.equal(answer.status, 400, name);
      assert.match(answer.headers.get("content-type") ?? "", /^text\/html/);
      assert((await answer.text()).includes(`href="${one.path}"`), "there is a way on");
      assert.deepEqual([await stepOf(one), await chargesOf(one)], ["challenge", [0]]);
    }
  });

  test("is refused with a page when it is too large, and taken up to 60 kB", async () => {
    const one = await challenged();
    const played = await answered(one);
    const large = await send(forge(played, { responseBytes: 70_000 }));
    assert.equal(large.status, 413);
    assert.match(large.headers.get("content-type") ?? "", /^text\/html/);
    assert.equal(await stepOf(one), "challenge");
    assert.equal((await send(forge(played, { responseBytes: 60_000 }))).status, 200);
    assert.deepEqual([await stepOf(one), await chargesOf(one)], ["ended", [1]]);
  });

  test("with another token does nothing and is audited", async () => {
    const one = await challenged();
    const forged = forge(await answered(one), { spiToken: "forged" });
    assert.equal((await send(forged)).status, 200);
    assert.deepEqual([await stepOf(one), await chargesOf(one)], ["challenge", [0]]);
    assert.equal(await auditsOf(one), 1);
  });

  test("by GET shows the page and completes nothing", async () => {
    const one = await challenged();
    const answer = await send(await answered(one), { method: "GET" });
    assert.equal(answer.status, 200);
    assert.match(await answer.text(), /Checking with your bank/);
    assert.deepEqual([await stepOf(one), await chargesOf(one)], ["challenge", [0]]);
  });
});

test("a repeated field counts with its last value on the page's other posts", async () => {
  const { path } = await challenged();
  const body = "form_token=a&form_token=b";
  const raw = { type: "application/x-www-form-urlencoded", body };
  assert.equal((await service.request(`${path}/back`, { method: "POST", raw })).status, 403);
});
