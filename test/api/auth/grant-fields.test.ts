/**
 * A sign-in with a bad field answers 400 with one sentence about the first field that fails, in the
 * order of Interface §2.1, whether it came as JSON or as a form, and never asks for the password.
 */

import assert from "node:assert/strict";
import { after, before, describe, mock, test } from "node:test";
import { grantsOf } from "../../../testkit/auth.ts";
import { startService, type TestService } from "../../../testkit/service.ts";
import { PASSWORD, type Person } from "../../../testkit/world.ts";

const EMAIL_REQUIRED = "The email field is required.";
const EMAIL_INVALID = "The email must be a valid email address.";
const EMAIL_TEXT = "The email must be a string.";
const EMAIL_LONG = "The email must not be longer than 320 characters.";
const PASSWORD_REQUIRED = "The password field is required.";
const PASSWORD_TEXT = "The password must be a string.";
const PASSWORD_SHORT = "The password must be at least 8 characters.";
const PASSWORD_LONG = "The password must not be longer than 256 characters.";
const SCOPES_REQUIRED = "The scopes field is required.";
const SCOPES_TEXT = "The scopes must be a string.";
const SCOPES_INVALID = "The scopes field has invalid values.";

type Change = Record<string, unknown>;

/** What is changed in a good request, and the sentence it gets. Text only: sent as a form too. */
const TEXT_CASES: readonly [change: Change, message: string][] = [
  [{ email: undefined }, EMAIL_REQUIRED],
  [{ email: "" }, EMAIL_REQUIRED],
  [{ email: "merchant" }, EMAIL_INVALID],
  [{ email: "merchant@" }, EMAIL_INVALID],
  [{ email: "@example.com" }, EMAIL_INVALID],
  [{ email: "merchant@example" }, EMAIL_INVALID],
  [{ email: "a@b@example.com" }, EMAIL_INVALID],
  [{ email: '"quoted"@example.com' }, EMAIL_INVALID],
  [{ email: "merchant@example.com\r\nBcc: x@example.com" }, EMAIL_INVALID],
  [{ email: " merchant@example.com" }, EMAIL_INVALID],
  [{ email: "merchant@example.com " }, EMAIL_INVALID],
  [{ email: "merchant@example.com\r\n" }, EMAIL_INVALID],
  [{ email: "merchant@127.0.0.1" }, EMAIL_INVALID],
  [{ email: "' or 1=1 --" }, EMAIL_INVALID],
  [{ email: `${"x".repeat(65)}@example.com` }, EMAIL_INVALID],
  [{ email: `${"x".repeat(400)}@example.com` }, EMAIL_LONG],
  [{ password: undefined }, PASSWORD_REQUIRED],
  [{ password: "" }, PASSWORD_REQUIRED],
  [{ password: "1234567" }, PASSWORD_SHORT],
  [{ password: "🌴🌴🌴🌴🌴🌴🌴" }, PASSWORD_SHORT],
  [{ password: "x".repeat(257) }, PASSWORD_LONG],
  [{ password: "x".repeat(10_000) }, PASSWORD_LONG],
  [{ scopes: undefined }, SCOPES_REQUIRED],
  [{ scopes: "" }, SCOPES_REQUIRED],
  [{ scopes: " " }, SCOPES_INVALID],
  [{ scopes: "svc-user-everything" }, SCOPES_INVALID],
  [{ scopes: "svc-user-all svc-user-everything" }, SCOPES_INVALID],
  [{ scopes: "svc-*" }, SCOPES_INVALID],
  [{ scopes: "*" }, SCOPES_INVALID],
  [{ scopes: "SVC-USER-ALL" }, SCOPES_INVALID],
  [{ scopes: "svc-user-all\tsvc-user-create" }, SCOPES_INVALID],
  [{ scopes: "svc-user-all\nsvc-user-create" }, SCOPES_INVALID],
  [{ scopes: "svc-user-all,svc-user-create" }, SCOPES_INVALID],
  [{ scopes: "svc-user-all\u00a0svc-user-create" }, SCOPES_INVALID],
  [{ scopes: "svc-user-all ".repeat(800) }, SCOPES_INVALID],
  [{ scopes: "toString" }, SCOPES_INVALID],
  // The first that fails speaks.
  [{ email: undefined, password: undefined, scopes: undefined }, EMAIL_REQUIRED],
  [{ email: "bad", password: "short", scopes: "bad" }, EMAIL_INVALID],
  [{ email: "bad", password: undefined }, EMAIL_INVALID],
  [{ password: "short", scopes: undefined }, PASSWORD_SHORT],
  [{ password: undefined, scopes: "bad" }, PASSWORD_REQUIRED],
];

const JSON_CASES: readonly [change: Change, message: string][] = [
  [{ email: null }, EMAIL_REQUIRED],
  [{ email: 1 }, EMAIL_TEXT],
  [{ email: true }, EMAIL_TEXT],
  [{ email: ["merchant@example.com"] }, EMAIL_TEXT],
  [{ email: { $ne: "" } }, EMAIL_TEXT],
  [{ password: null }, PASSWORD_REQUIRED],
  [{ password: 12345678 }, PASSWORD_TEXT],
  [{ password: [PASSWORD] }, PASSWORD_TEXT],
  [{ password: { $gt: "" } }, PASSWORD_TEXT],
  [{ scopes: null }, SCOPES_REQUIRED],
  [{ scopes: 1 }, SCOPES_TEXT],
  [{ scopes: ["svc-user-all"] }, SCOPES_TEXT],
  [{ scopes: [] }, SCOPES_TEXT],
  [{ scopes: { 0: "svc-user-all" } }, SCOPES_TEXT],
  [{ email: {}, password: [], scopes: 1 }, EMAIL_TEXT],
];

const BODY_CASES: readonly [name: string, type: string, body: string, status: number][] = [
  ["a NUL in the password", "application/json", '{"password":"corr\\u0000ect"}', 400],
  ["a NUL in a form", "application/x-www-form-urlencoded", "password=corr%00ect", 400],
  ["a lone surrogate", "application/json", '{"password":"\\ud800aaaaaaaa"}', 400],
  ["the password twice", "application/json", '{"password":"a","password":"b"}', 400],
  ["an array", "application/json", "[]", 400],
  ["broken JSON", "application/json", '{"email":', 400],
  ["a password of 1 MB", "application/json", `{"password":"${"x".repeat(1_000_000)}"}`, 413],
  ["a form sent as plain text", "text/plain", "email=a", 415],
];

describe("POST /auth/tokens with a field that breaks a rule", () => {
  let service: TestService;
  let shop: Person;
  before(async () => {
    service = await startService();
    shop = await service.world.merchant();
    // Digested before anybody counts.
    await shop.signIn();
  });
  after(() => service.stop());

  async function expectRefusal(encoding: "json" | "form", change: Change, message: string) {
    const good = { email: shop.email, password: PASSWORD, scopes: "svc-user-all" };
    const body: Change = { ...good, ...change };
    for (const name in body) if (body[name] === undefined) delete body[name];
    const hashed = mock.method(service.ctx.passwords, "matches");
    const answer = await service.request("/auth/tokens", { method: "POST", [encoding]: body });
    hashed.mock.restore();
    assert.equal(answer.text, JSON.stringify({ message }));
    assert.equal(answer.status, 400);
    assert.equal(hashed.mock.callCount(), 0, "no password is hashed for a bad request");
    assert.equal(await grantsOf(service, shop), 1);
  }

  const shown = (change: Change) => JSON.stringify(change).slice(0, 60);
  for (const [change, message] of TEXT_CASES)
    test(`${shown(change)} answers: ${message}`, async () => {
      await expectRefusal("form", change, message);
      await expectRefusal("json", change, message);
    });
  for (const [change, message] of JSON_CASES)
    test(`JSON ${shown(change)} answers: ${message}`, () => expectRefusal("json", change, message));

  for (const [name, type, body, status] of BODY_CASES)
    test(`a body with ${name} answers ${status}`, async () => {
      const answer = await service.request("/auth/tokens", { method: "POST", raw: { type, body } });
      assert.equal(answer.status, status);
      assert.deepEqual(Object.keys(answer.body), ["message"]);
    });

  test("of a form key that is repeated the last one counts", async () => {
    const good = new URLSearchParams({ email: shop.email, password: PASSWORD }).toString();
    const body = `scopes=nonsense&${good}&scopes=svc-user-retrieve`;
    const type = "application/x-www-form-urlencoded";
    const answer = await service.request("/auth/tokens", { method: "POST", raw: { type, body } });
    assert.equal(answer.status, 200);
  });

  test("a trailing slash is no difference, another method is a 405 with Allow", async () => {
    const form = { email: shop.email, password: PASSWORD, scopes: "svc-user-all" };
    const slashed = await service.request("/auth/tokens/", { method: "POST", form });
    assert.equal(slashed.status, 200);
    const wrong = await service.request("/auth/tokens", { method: "GET" });
    assert.equal(wrong.status, 405);
    assert.deepEqual(wrong.headers.get("allow")?.split(", ").sort(), ["DELETE", "OPTIONS", "POST"]);
  });
});
