/**
 * A new account with a bad field answers 400 with one sentence about the first that fails, in the
 * order email, password, first name, last name, account type, phone, as JSON and as a form; no
 * password is hashed for it and nothing is written.
 */

import assert from "node:assert/strict";
import { after, before, describe, mock, test } from "node:test";
import { books, type Main, made, mainMerchant, newAccount } from "../../../testkit/accounts.ts";
import { startService, type TestService } from "../../../testkit/service.ts";

const EMAIL_INVALID = "The email must be a valid email address.";
const TYPE_UNKNOWN = "The account type must be one of: PERSONAL, BUSINESS.";
const PHONE_FORMAT = "The phone format is invalid.";
const PHONE_FOREIGN = "The phone must be a valid phone number of Trinidad and Tobago.";
const COMPLEX =
  "The password must contain a lower-case letter, an upper-case letter, a digit and a " +
  "special character.";

type Case = readonly [change: Record<string, unknown>, message: string];

/** Text only: sent as a form too. */
const TEXT_CASES: readonly Case[] = [
  [{ email: undefined }, "The email field is required."],
  [{ email: "" }, "The email field is required."],
  [{ email: "anika" }, EMAIL_INVALID],
  [{ email: "anika@example.com\r\nBcc: x@example.com" }, EMAIL_INVALID],
  [
    { email: `${"x".repeat(250)}@example.com` },
    "The email must not be longer than 255 characters.",
  ],
  [{ password: undefined }, "The password field is required."],
  [{ password: "1234567" }, "The password must be at least 8 characters."],
  [{ password: "x".repeat(257) }, "The password must not be longer than 256 characters."],
  [{ first_name: undefined }, "The first name field is required."],
  [{ first_name: "   " }, "The first name format is invalid."],
  [{ first_name: "Ani\nka" }, "The first name format is invalid."],
  [{ first_name: "x".repeat(256) }, "The first name must not be longer than 255 characters."],
  [{ last_name: "" }, "The last name field is required."],
  [{ last_name: "\t" }, "The last name format is invalid."],
  [{ last_name: "x".repeat(256) }, "The last name must not be longer than 255 characters."],
  [{ account_type: "ADMIN" }, TYPE_UNKNOWN],
  [{ account_type: "business" }, TYPE_UNKNOWN],
  [{ phone: "8686235555" }, PHONE_FORMAT],
  [{ phone: "+1 868 623 5555" }, PHONE_FORMAT],
  [{ phone: "+0868623555" }, PHONE_FORMAT],
  [{ phone: "+1868623555500000" }, PHONE_FORMAT],
  [{ phone: "+18765551234" }, PHONE_FOREIGN],
  [{ phone: "+12124567890" }, PHONE_FOREIGN],
  [{ phone: "+447911123456" }, PHONE_FOREIGN],
  [{ phone: "+1868" }, PHONE_FOREIGN],
  // The first that fails speaks.
  [{ email: "x", password: "x", first_name: "", phone: "x" }, EMAIL_INVALID],
  [{ password: "x", first_name: "" }, "The password must be at least 8 characters."],
  [{ first_name: "", last_name: "", account_type: "x" }, "The first name field is required."],
  [{ last_name: "", account_type: "x" }, "The last name field is required."],
  [{ account_type: "x", phone: "x" }, TYPE_UNKNOWN],
];

const JSON_CASES: readonly Case[] = [
  [{ email: 1 }, "The email must be a string."],
  [{ password: 12345678 }, "The password must be a string."],
  [{ password: { $gt: "" } }, "The password must be a string."],
  [{ first_name: ["Anika"] }, "The first name must be a string."],
  [{ last_name: true }, "The last name must be a string."],
  [{ account_type: 1 }, "The account type must be a string."],
  [{ phone: 18686235555 }, "The phone must be a string."],
  [{ email: null, phone: 1 }, "The email field is required."],
];

let service: TestService;
let strict: TestService;
let main: Main;
before(async () => {
  service = await startService();
  const { database } = service;
  strict = await startService({ database, settings: { PASSWORD_COMPLEXITY: "true" } });
  main = await mainMerchant(service);
});
after(async () => {
  await strict.stop();
  await service.stop();
});

async function expectRefusal(
  one: TestService,
  encoding: "json" | "form",
  [change, message]: Case,
): Promise<void> {
  const body = newAccount(change);
  for (const name in body) if (body[name] === undefined) delete body[name];
  const before = await books(service);
  const hashed = mock.method(one.ctx.passwords, "digest");
  const { token } = main;
  const answer = await one.request("/accounts", { method: "POST", token, [encoding]: body });
  hashed.mock.restore();
  assert.deepEqual([answer.status, answer.text], [400, JSON.stringify({ message })]);
  assert.equal(hashed.mock.callCount(), 0, "no password is hashed for a bad request");
  assert.equal(await books(service), before);
}

const shown = (change: object) => JSON.stringify(change).slice(0, 60);

describe("POST /accounts", () => {
  for (const one of TEXT_CASES)
    test(`with ${shown(one[0])} answers: ${one[1]}`, async () => {
      await expectRefusal(service, "json", one);
      await expectRefusal(service, "form", one);
    });
  for (const one of JSON_CASES)
    test(`with JSON ${shown(one[0])} answers: ${one[1]}`, () =>
      expectRefusal(service, "json", one));

  test("takes what is just within the bounds", async () => {
    for (const name of ["x", "x".repeat(255), "O'Brien-Łukasz", " Anika "])
      await made(service, main, { first_name: name, last_name: name });
    for (const password of ["12345678", "🌴".repeat(256)]) await made(service, main, { password });
  });
});

describe("where complexity is asked for", () => {
  for (const password of ["sandbox-2026", "SANDBOX-2026", "Sandbox-year", "Sandbox2026"])
    test(`${password} is refused, before any later field is judged`, async () => {
      await expectRefusal(strict, "json", [{ password, last_name: "" }, COMPLEX]);
      await expectRefusal(strict, "form", [{ password }, COMPLEX]);
    });

  test("a complex one is taken, and elsewhere a plain one", async () => {
    await made(strict, main, { password: "Sandbox-2026" });
    await made(service, main, { password: "plain words" });
  });
});
