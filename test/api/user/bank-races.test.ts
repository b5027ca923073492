/**
 * However many change a bank at once, on however many services, one wins, nobody mixes two banks,
 * and no credential that has ended moves where the money goes (Decision 0019).
 */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import { auditsOf, change } from "../../../testkit/auth.ts";
import {
  bank,
  bankRows,
  FOREIGN_BANK,
  GOOD,
  type Holder,
  JM_BANK,
  signedIn,
  TT_BANK,
} from "../../../testkit/banks.ts";
import { mintKey } from "../../../testkit/credentials.ts";
import { slowly } from "../../../testkit/slow-request.ts";
import { startTwoServices } from "../../../testkit/two-services.ts";

const { service, sibling, atOnce } = await startTwoServices();

const shownBy = async (who: Holder) => (await bank(service, who, "GET", "local")).body.data.local;

for (const type of ["local", "foreign"] as const)
  test(`of 32 who add a ${type} bank at once one is told 201, 31 are told 409`, async () => {
    const who = await signedIn(service);
    const answers = await atOnce(32, (one) => bank(one, who, "POST", type, { json: GOOD[type] }));
    const told = (status: number) => answers.filter((answer) => answer.status === status);
    assert.equal(told(201).length, 1);
    assert.equal(told(409).length, 31);
    const message = `A ${type} bank account already exists.`;
    for (const { body } of told(409)) assert.deepEqual(body, { message });
    assert.equal(await bankRows(service, who, type), 1);
    assert.equal(await auditsOf(service, who, "bank_added"), 1);
  });

test("a change against a removal: a change that is second finds no bank", async () => {
  let changed = 0;
  // At least ten times, and then until a change has been first.
  for (let round = 0; round < (changed === 0 ? 100 : 10); round++) {
    const who = await signedIn(service);
    await bank(service, who, "POST", "local", { json: TT_BANK });
    const [patch, removal] = await Promise.all([
      bank(service, who, "PATCH", "local", { json: { name_in_bank: "Ali" } }),
      bank(sibling, who, "DELETE", "local"),
    ]);
    assert.equal(removal.status, 200);
    assert([200, 400].includes(patch.status), patch.text);
    if (patch.status === 200) changed++;
    else assert.deepEqual(patch.body, { message: "No local bank account exists." });
    assert.equal(await auditsOf(service, who, "bank_changed"), patch.status === 200 ? 1 : 0);
    assert.equal(await bankRows(service, who, "local"), 0);
  }
  assert(changed > 0, "no change was ever made");
});

test("of 16 removals at once one finds the bank", async () => {
  const who = await signedIn(service);
  await bank(service, who, "POST", "foreign", { json: FOREIGN_BANK });
  const answers = await atOnce(16, (one) => bank(one, who, "DELETE", "foreign"));
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  assert.equal(answers.filter(({ status }) => status === 400).length, 15);
});

test("changes of different fields at once are all kept", async () => {
  const who = await signedIn(service);
  await bank(service, who, "POST", "foreign", { json: FOREIGN_BANK });
  const changes = [
    { beneficiary_name: "One" },
    { beneficiary_bank: "Two" },
    { bank_address: "Three" },
    { intermediary_bank: "Four" },
    { beneficiary_account_number: "99995555" },
  ];
  const answers = await atOnce(changes.length, (one, turn) =>
    bank(one, who, "PATCH", "foreign", { json: changes[turn] }),
  );
  assert(answers.every(({ status }) => status === 200));
  const { foreign } = (await bank(service, who, "GET", "foreign")).body.data;
  const kept = { ...Object.assign({}, ...changes), beneficiary_account_number: "****5555" };
  for (const [name, value] of Object.entries(kept)) assert.equal(foreign[name], value);
});

test("changes of bank and branch at once never leave one bank with another's branch", async () => {
  const who = await signedIn(service, "JM");
  await bank(service, who, "POST", "local", { json: { ...JM_BANK, bank_branch: "King Street" } });
  const whole = [
    { ...JM_BANK, bank_name: "Scotiabank Jamaica", bank_branch: "Liguanea" },
    { ...JM_BANK, bank_name: "National Commercial Bank", bank_branch: "King Street" },
  ];
  const wishes = [...whole, { bank_name: "Scotiabank Jamaica" }, { bank_branch: "Liguanea" }];
  const answers = await atOnce(16, (one, turn) =>
    bank(one, who, "PATCH", "local", { json: wishes[turn % 4] }),
  );
  // A whole pair is good whatever was there before it; half of one may not fit to the other half.
  for (const [turn, { status, text }] of answers.entries())
    assert(status === 200 || (status === 400 && turn % 4 >= whole.length), text);
  const { bank_name, bank_branch } = await shownBy(who);
  const ended = `${bank_name}, ${bank_branch}`;
  assert(
    whole.some((pair) => ended === `${pair.bank_name}, ${pair.bank_branch}`),
    ended,
  );
});

describe("an Idempotency-Key", () => {
  const key = { "idempotency-key": "bank-1" };

  test("gives the first answer again, also in the other encoding, and one bank", async () => {
    const who = await signedIn(service);
    const first = await bank(service, who, "POST", "local", { json: TT_BANK, headers: key });
    const again = await bank(sibling, who, "POST", "local", { form: TT_BANK, headers: key });
    assert.deepEqual([first.status, again.status], [201, 201]);
    assert.equal(again.text, first.text);
    assert.equal(again.headers.get("idempotent-replayed"), "true");
    assert.equal(await auditsOf(service, who, "bank_added"), 1);
  });

  test("with another number is 422, although the number is not kept", async () => {
    const who = await signedIn(service);
    await bank(service, who, "POST", "local", { json: TT_BANK, headers: key });
    const json = { ...TT_BANK, bank_account: "0012345679" };
    const other = await bank(service, who, "POST", "local", { json, headers: key });
    assert.equal(other.status, 422);
    assert.equal((await shownBy(who)).bank_account, "****5678");
  });

  test("may be used anew after a refusal, and serves each type by itself", async () => {
    const who = await signedIn(service);
    const bad = { ...TT_BANK, bank_name: "x" };
    const send = (type: string, json: unknown) =>
      bank(service, who, "POST", type, { json, headers: key });
    assert.equal((await send("local", bad)).status, 400);
    assert.equal((await send("local", TT_BANK)).status, 201);
    assert.equal((await send("foreign", FOREIGN_BANK)).status, 201);
  });
});

describe("a request that was admitted before its credential ended changes nothing", () => {
  const ENDS = {
    "the sign-in is revoked": async ({ token }: Holder) =>
      void (await service.request("/auth/tokens", { method: "DELETE", token })),
    "the password is changed": (who: Holder) => change(service, who, "given a new password"),
    "the account is closed": (who: Holder) => change(service, who, "closed"),
  };
  for (const [what, end] of Object.entries(ENDS))
    test(`when ${what}`, async () => {
      const who = await signedIn(service);
      await bank(service, who, "POST", "foreign", { json: FOREIGN_BANK });
      const path = "/user/banks/local";
      const request = { method: "POST", path, token: who.token, json: TT_BANK };
      assert.equal(await slowly(service, request, () => end(who)), 401);
      assert.equal(await bankRows(service, who, "local"), 0);
    });

  for (const [method, path, json] of [
    ["POST", "/user/banks/local", TT_BANK],
    ["PATCH", "/user/banks/foreign", { beneficiary_name: "Thief" }],
    ["DELETE", "/user/banks/foreign", { reason: "a body that can be slow" }],
    ["PATCH", "/user/phone", { phone: "+18686221234" }],
  ] as const)
    test(`when the key of ${method} ${path} is revoked`, async () => {
      const who = await signedIn(service);
      await bank(service, who, "POST", "foreign", { json: FOREIGN_BANK });
      const { key, kid } = await mintKey(service.ctx, who, ["svc-user-all"], { prefix: "live" });
      const end = async () => {
        await service.ctx.db.run(
          sql`update api_keys set revoked_at = app_now() where kid = ${kid}`,
        );
      };
      assert.equal(await slowly(service, { method, path, key, json }, end), 401);
      const { data } = (await service.request("/user/banks", { token: who.token })).body;
      assert.equal(data.local, null);
      assert.equal(data.foreign.beneficiary_name, FOREIGN_BANK.beneficiary_name);
      const profile = await service.request("/user/", { token: who.token });
      assert.equal(profile.body.data.phone, null);
    });
});
