/**
 * The guarantee: a sale that the card's bank asks about is completed by the bank's answer alone
 * (Decision 0037). The simulated bank's pages work without scripts, and neither a forged post nor a
 * second word changes what was answered (Decision 0038).
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import type { Challenge } from "../../src/modules/gateway/port.ts";
import { MESSAGES } from "../../src/modules/gateway/sandbox/cards.ts";
import { startService } from "../../testkit/service.ts";
import { journalOf, saleWith, simulatorOf } from "./support.ts";

const service = await startService();
const gateway = simulatorOf(service);
after(() => service.stop());

const ASKED = "4111111111112010";
const SILENT = "5111111111112020";
const APPROVED = { outcome: "approved", code: "00", message: MESSAGES["00"], cvv: "M" };
const REFUSED = { outcome: "declined", code: "3D", message: MESSAGES["3D"], cvv: "M" };

async function challenged(number = ASKED) {
  const sale = saleWith(number);
  const challenge = await gateway.sale(sale);
  assert.equal(challenge.outcome, "challenge");
  const { token } = challenge as Challenge;
  return { sale, reference: sale.reference, token, challenge, path: `/sandbox/acs/${token}` };
}

const answer = (path: string, result: string) =>
  service.request(path, { method: "POST", form: { result } });

describe("a sale that the bank asks about", () => {
  for (const [result, expected] of [
    ["passed", APPROVED],
    ["refused", REFUSED],
  ] as const)
    test(`is ${expected.outcome} when the customer has ${result}`, async () => {
      const { sale, reference, token, challenge, path } = await challenged();
      assert.deepEqual(await gateway.sale(sale), challenge);
      assert.deepEqual(await gateway.saleOutcome(reference), challenge);
      await answer(path, result);
      assert.deepEqual(await gateway.saleOutcome(reference), { outcome: "challenge pending" });
      assert.equal((await gateway.voidSale(reference)).outcome, "rejected");
      for (const _ of ["first", "again"])
        assert.deepEqual(await gateway.completeChallenge(reference, token, { result }), expected);
      assert.deepEqual(await gateway.saleOutcome(reference), expected);
      assert.deepEqual(await gateway.sale(sale), expected);
    });

  test("has a token that nobody guesses and a document that leads to the bank's page", async () => {
    const { token, reference } = await challenged();
    assert.match(token, /^[0-9A-Za-z]{43}$/);
    const html = (await gateway.challengeDocument(reference)) ?? "";
    assert.match(html, /^<!doctype html>/);
    assert(
      html.includes(`action="${service.ctx.config.http.paymentsPublicUrl}/sandbox/acs/${token}"`),
    );
    assert(!html.includes("a-secret-token"));
  });

  test("is asked in the language of the payment page, else in the browser's", async () => {
    const { reference, path } = await challenged();
    const leading = (await gateway.challengeDocument(reference, "es")) ?? "";
    assert.match(leading, /<html lang="es">[\s\S]*name="language" value="es"/);
    const spanish = await service.request(`${path}?language=es`);
    assert.equal(spanish.headers.get("content-language"), "es");
    assert.match(spanish.text, /<html lang="es">[\s\S]*Confirmar el pago/);
    const headers = { "accept-language": "nl-SR" };
    assert.match((await service.request(path, { headers })).text, /Betaling bevestigen/);
    for (const language of ["de", "", "%00", "x".repeat(70)])
      assert.match((await service.request(`${path}?language=${language}`)).text, /Confirm|message/);
    const form = { result: "passed" };
    const answered = await service.request(`${path}?language=fr`, { method: "POST", form });
    assert.match(answered.text, /Vous avez confirmé le paiement\./);
  });

  test("is not charged because a browser says that the bank agreed", async () => {
    for (const number of [ASKED, SILENT]) {
      const { reference, token, path } = await challenged(number);
      const forged = { token, result: "passed" };
      assert.deepEqual(await gateway.completeChallenge(reference, token, forged), REFUSED);
      // And the bank's word is too late now.
      assert.match((await answer(path, "passed")).text, /You have declined the payment\./);
      assert.deepEqual(await gateway.completeChallenge(reference, token, forged), REFUSED);
      assert.equal((await journalOf(service, reference))[0]?.challenge_result, null);
    }
  });

  test("waits for ever when the bank stays silent, whatever is posted to it", async () => {
    const { reference, challenge, path } = await challenged(SILENT);
    const page = await answer(path, "passed");
    assert.match(page.text, /Waiting for your bank/);
    assert.doesNotMatch(page.text, /<form/);
    await service.clock.advance({ hours: 1 });
    assert.deepEqual(await gateway.saleOutcome(reference), challenge);
  });
});

describe("the bank's page", () => {
  test("asks with two buttons of a plain form and shows amount and last four digits", async () => {
    const { path } = await challenged();
    const { status, headers, text } = await service.request(path);
    assert.deepEqual([status, headers.get("content-type")], [200, "text/html; charset=utf-8"]);
    for (const shown of ["TTD 105.20", "Visa ending in 2010", 'value="passed"', 'value="refused"'])
      assert(text.includes(shown), shown);
    assert.match(text, /<form method="post">/);
    assert(!text.includes(ASKED));
  });

  test("then goes back to the payment page by itself, or by a button without scripts", async () => {
    const { sale, token, path } = await challenged();
    const { text } = await answer(path, "passed");
    assert(text.includes(`<form method="post" action="${sale.challengeReturnUrl}">`));
    for (const shown of [
      `name="token" value="${token}"`,
      'name="result" value="passed"',
      "<button",
    ])
      assert(text.includes(shown), shown);
    assert.match(text, /<script>document\.forms\[0\]\.submit\(\)<\/script>/);
  });

  test("keeps to the first answer, however often it is opened or answered again", async () => {
    const { path, reference, token } = await challenged();
    await answer(path, "refused");
    for (const page of [await answer(path, "passed"), await service.request(path)])
      assert.match(page.text, /You have declined the payment\./);
    assert.deepEqual(await gateway.completeChallenge(reference, token, {}), REFUSED);
  });

  test("of no sale is a page that says so, and an answer there changes nothing", async () => {
    for (const path of [`/sandbox/acs/${"a".repeat(43)}`, "/sandbox/acs/x"])
      for (const page of [await service.request(path), await answer(path, "passed")]) {
        assert.equal(page.status, 404);
        assert.match(page.text, /Nothing to confirm here/);
      }
  });

  test("refuses an answer that is neither yes nor no", async () => {
    const { path, reference } = await challenged();
    for (const result of ["", "approved", "PASSED"])
      assert.equal((await answer(path, result)).status, 400);
    assert.equal((await journalOf(service, reference))[0]?.challenge_result, null);
  });

  test("finds its way back by an address that is sealed where it lies", async () => {
    const { reference, sale } = await challenged();
    const { box } = await service.ctx.db.one<{ box: Buffer }>(sql`
      select return_url_box as box from simulator_sales where reference = ${reference}`);
    assert(box.length > sale.challengeReturnUrl.length);
    assert(!box.toString("latin1").includes("a-secret-token"));
  });

  test("escapes the address that it goes back to", async () => {
    const sale = saleWith(ASKED, { challengeReturnUrl: 'http://127.0.0.1/"><script>x</script>' });
    const { token } = (await gateway.sale(sale)) as Challenge;
    const { text } = await answer(`/sandbox/acs/${token}`, "passed");
    assert(!text.includes("<script>x"));
    assert(text.includes("http://127.0.0.1/&quot;&gt;&lt;script&gt;x"));
  });

  test("lets no script or style run but its own, and may be framed, as a bank's must", async () => {
    const { path } = await challenged();
    const policy = (await service.request(path)).headers.get("content-security-policy") ?? "";
    assert.match(
      policy,
      /^default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+';/,
    );
    assert.doesNotMatch(policy, /unsafe|frame-ancestors|form-action/);
  });
});
