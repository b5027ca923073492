/**
 * Jamaica asks for the kind of account and the branch, elsewhere nobody looks at them; and another
 * bank comes with its own (Decision 0019).
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { bank, JM_BANK, signedIn, TT_BANK } from "../../../testkit/banks.ts";
import { startService, type TestService } from "../../../testkit/service.ts";

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.stop());

describe("the kind of account and the branch", () => {
  test("are kept in Jamaica", async () => {
    const who = await signedIn(service, "JM");
    assert.equal((await bank(service, who, "POST", "local", { json: JM_BANK })).status, 201);
    const { local } = (await bank(service, who, "GET", "local")).body.data;
    assert.deepEqual(local, { ...JM_BANK, bank_account: "****4567" });
  });

  test("come anew with another bank, though both banks call a branch alike", async () => {
    const who = await signedIn(service, "JM");
    await bank(service, who, "POST", "local", { json: JM_BANK });
    const kept = (await bank(service, who, "GET", "local")).body;
    const whole = { ...JM_BANK, bank_name: "JN Bank", bank_account: "987654321" };
    for (const missing of ["bank_account", "bank_account_type", "bank_branch"] as const) {
      const { [missing]: _left, name_in_bank: _kept, ...json } = whole;
      const refused = await bank(service, who, "PATCH", "local", { json });
      const message = `The ${missing.replaceAll("_", " ")} field is required with another bank.`;
      assert.deepEqual([refused.status, refused.body], [400, { message }]);
    }
    const strange = { ...whole, bank_branch: "King Street" };
    const elsewhere = await bank(service, who, "PATCH", "local", { json: strange });
    assert.match(elsewhere.body.message, /^The bank branch must be one of: /);
    assert.deepEqual((await bank(service, who, "GET", "local")).body, kept);
    assert.equal((await bank(service, who, "PATCH", "local", { json: whole })).status, 200);
    const { data } = (await bank(service, who, "GET", "local")).body;
    assert.deepEqual(data.local, { ...whole, bank_account: "****4321" });
  });

  test("need not come when the bank is only named again", async () => {
    const who = await signedIn(service, "JM");
    await bank(service, who, "POST", "local", { json: JM_BANK });
    const json = { bank_name: JM_BANK.bank_name, name_in_bank: "Ali" };
    assert.equal((await bank(service, who, "PATCH", "local", { json })).status, 200);
  });

  for (const country of ["BB", "GD", "GY", "TT"] as const)
    test(`are ignored in ${country}, whatever they say, and are nothing to change`, async () => {
      const NAMES = { BB: "Sagicor Bank", GD: "CIBC FirstCaribbean", GY: "Demerara Bank" };
      const bank_name = { ...NAMES, TT: "First Citizens" }[country];
      const who = await signedIn(service, country);
      const json = { ...TT_BANK, bank_name, bank_account_type: "x", bank_branch: "Nowhere" };
      assert.equal((await bank(service, who, "POST", "local", { json })).status, 201);
      const read = async () => (await bank(service, who, "GET", "local")).body.data.local;
      const none = { bank_account_type: null, bank_branch: null };
      const shown = { ...TT_BANK, bank_name, bank_account: "****5678", ...none };
      assert.deepEqual(await read(), shown);
      const change = { json: { bank_branch: "Half Way Tree" } };
      const { body } = await bank(service, who, "PATCH", "local", change);
      const names = "bank_name, bank_account and name_in_bank";
      assert.deepEqual(body, { message: `Give at least one of ${names}.` });
      assert.deepEqual(await read(), shown);
    });
});
