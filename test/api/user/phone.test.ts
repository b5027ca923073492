/**
 * A phone is changed only to a number that is valid in the country of the account's platform
 * (Interface §4.5, Decision 0020).
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { auditsOf, TOO_MANY } from "../../../testkit/auth.ts";
import { type Holder, signedIn } from "../../../testkit/banks.ts";
import { startService, type TestService } from "../../../testkit/service.ts";

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.stop());

const PHONES = {
  BB: "+12464301234",
  GD: "+14734401234",
  GY: "+5922251234",
  JM: "+18769221234",
  TT: "+18686221234",
} as const;
const NAMES = {
  BB: "Barbados",
  GD: "Grenada",
  GY: "Guyana",
  JM: "Jamaica",
  TT: "Trinidad and Tobago",
} as const;
const COUNTRIES = Object.keys(PHONES) as (keyof typeof PHONES)[];

const change = (who: Holder, more: { json?: unknown; form?: Record<string, string> }) =>
  service.request("/user/phone", { method: "PATCH", token: who.token, ...more });
const phoneOf = async (who: Holder) =>
  (await service.request("/user/", { token: who.token })).body.data.phone;

for (const country of COUNTRIES)
  describe(`an account of ${NAMES[country]}`, () => {
    let who: Holder;
    before(async () => {
      who = await signedIn(service, country);
    });

    for (const encoding of ["json", "form"] as const)
      test(`takes a number of its own as ${encoding}, and its profile shows it`, async () => {
        const answer = await change(who, { [encoding]: { phone: PHONES[country] } });
        assert.deepEqual([answer.status, answer.text], [200, '{"message":"OK"}']);
        assert.equal(await phoneOf(who), PHONES[country]);
      });

    test("takes no valid number of another country, and keeps the one it has", async () => {
      const abroad = COUNTRIES.filter((each) => each !== country).map((each) => PHONES[each]);
      for (const phone of [...abroad, "+12125551234", "+442079460123"]) {
        const answer = await change(who, { json: { phone } });
        assert.equal(answer.status, 400);
        const message = `The phone must be a valid phone number of ${NAMES[country]}.`;
        assert.deepEqual(answer.body, { message });
      }
      assert.equal(await phoneOf(who), PHONES[country]);
    });
  });

describe("a phone that is none", () => {
  const FORMAT = "The phone format is invalid.";
  const CASES: readonly [phone: unknown, message: string][] = [
    [undefined, "The phone field is required."],
    [null, "The phone field is required."],
    ["", "The phone field is required."],
    [18686221234, "The phone must be a string."],
    [["+18686221234"], "The phone must be a string."],
    ["18686221234", FORMAT],
    ["8686221234", FORMAT],
    ["+08686221234", FORMAT],
    ["+1868622123456789", FORMAT],
    ["+1868622ABCD", FORMAT],
    ["+1 868 622 1234", FORMAT],
    ["+1-868-622-1234", FORMAT],
    ["+18686221234\n", FORMAT],
    [" +18686221234", FORMAT],
    ["＋18686221234", FORMAT],
    ["+１8686221234", FORMAT],
    ["+18686221234;ext=5", FORMAT],
    ["+1".padEnd(5_000, "8"), FORMAT],
    ["+1868622123", "The phone must be a valid phone number of Trinidad and Tobago."],
    ["+18680000000", "The phone must be a valid phone number of Trinidad and Tobago."],
  ];
  for (const [phone, message] of CASES)
    test(`${JSON.stringify(phone)?.slice(0, 40)}: ${message}`, async () => {
      const who = await signedIn(service);
      await change(who, { json: { phone: PHONES.TT } });
      const ways = [{ json: { phone } }];
      const forms = typeof phone === "string" ? [{ form: { phone } }] : [];
      for (const way of [...ways, ...forms]) {
        const answer = await change(who, way);
        assert.deepEqual([answer.status, answer.body], [400, { message }]);
      }
      assert.equal(await phoneOf(who), PHONES.TT);
      assert.equal(await auditsOf(service, who, "phone_changed"), 1);
    });
});

test("a phone that another account has is taken like any other", async () => {
  for (const who of [await signedIn(service), await signedIn(service)])
    assert.equal((await change(who, { json: { phone: PHONES.TT } })).status, 200);
});

test("the sixth change within a minute is one too many, for this account only", async () => {
  const limited = await startService({ settings: { LIMIT_PHONE: "5" } });
  try {
    const [who, other] = [await signedIn(limited), await signedIn(limited)];
    const ask = ({ token }: Holder) =>
      limited.request("/user/phone", { method: "PATCH", token, json: { phone: PHONES.TT } });
    for (let i = 0; i < 5; i++) assert.equal((await ask(who)).status, 200);
    const refused = await ask(who);
    assert.deepEqual([refused.status, refused.text], [429, TOO_MANY]);
    const another = await who.signIn();
    assert.equal((await ask({ ...who, token: another.access_token })).status, 429);
    assert.equal((await ask(other)).status, 200);
  } finally {
    await limited.stop();
  }
});
