/**
 * An account has at most one bank of each type; it is added, shown, changed and removed only from
 * the states that allow it, and nobody is ever shown the whole number (Interface §4.5, Decision
 * 0019).
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import { COUNTRY_CODES } from "../../../src/kit/vocabulary.ts";
import { platformOf } from "../../../src/modules/platforms/platform.ts";
import { auditsOf, wholeDatabase } from "../../../testkit/auth.ts";
import {
  asForm,
  type BankType,
  bank,
  bankRows,
  FOREIGN_BANK,
  GOOD,
  signedIn,
  TT_BANK,
} from "../../../testkit/banks.ts";
import { startService, type TestService } from "../../../testkit/service.ts";

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.stop());

const OK = '{"message":"OK"}';
const CREATED = '{"message":"Created"}';
const NO_BETWEEN = {
  intermediary_bank: null,
  intermediary_bank_address: null,
  intermediary_bank_swift_code: null,
  intermediary_bank_routing_number_or_aba: null,
};
const SHOWN = {
  local: { ...TT_BANK, bank_account: "****5678", bank_account_type: null, bank_branch: null },
  foreign: { ...FOREIGN_BANK, beneficiary_account_number: "****4321", ...NO_BETWEEN },
};
const CHANGE = {
  local: { name_in_bank: "Anika Ali" },
  foreign: { beneficiary_name: "Marisol Ali" },
};

for (const type of ["local", "foreign"] as const) {
  const none = { message: `No ${type} bank account exists.` };
  const exists = { message: `A ${type} bank account already exists.` };

  describe(`while there is no ${type} bank`, () => {
    test("GET shows null", async () => {
      const who = await signedIn(service);
      const one = await bank(service, who, "GET", type);
      assert.deepEqual(one.body, { message: "OK", data: { [type]: null } });
      const both = await service.request("/user/banks", { token: who.token });
      assert.deepEqual(both.body, { message: "OK", data: { local: null, foreign: null } });
    });

    for (const encoding of ["json", "form"] as const)
      test(`POST as ${encoding} answers 201, and GET shows it masked`, async () => {
        const who = await signedIn(service);
        const body = encoding === "json" ? { json: GOOD[type] } : { form: asForm(GOOD[type]) };
        const answer = await bank(service, who, "POST", type, body);
        assert.deepEqual([answer.status, answer.text], [201, CREATED]);
        const one = await bank(service, who, "GET", type);
        assert.deepEqual(one.body.data, { [type]: SHOWN[type] });
        const both = await service.request("/user/banks/", { token: who.token });
        const nothing = { local: null, foreign: null };
        assert.deepEqual(both.body.data, { ...nothing, [type]: SHOWN[type] });
        assert.equal(await auditsOf(service, who, "bank_added"), 1);
      });

    for (const json of [CHANGE[type], {}, { x: 1 }])
      test(`PATCH of ${JSON.stringify(json)} answers 400 and makes none`, async () => {
        const who = await signedIn(service);
        const answer = await bank(service, who, "PATCH", type, { json });
        assert.deepEqual([answer.status, answer.body], [400, none]);
        assert.equal(await bankRows(service, who, type), 0);
      });

    test("DELETE answers 400", async () => {
      const answer = await bank(service, await signedIn(service), "DELETE", type);
      assert.deepEqual([answer.status, answer.body], [400, none]);
    });
  });

  describe(`while there is a ${type} bank`, () => {
    const withBank = async () => {
      const who = await signedIn(service);
      await bank(service, who, "POST", type, { json: GOOD[type] });
      return who;
    };

    test("POST answers 409, before the bank's own rules, and changes nothing", async () => {
      const who = await withBank();
      const other = type === "local" ? { bank_name: "no such bank" } : CHANGE.foreign;
      for (const json of [GOOD[type], { ...GOOD[type], ...other }]) {
        const answer = await bank(service, who, "POST", type, { json });
        assert.deepEqual([answer.status, answer.body], [409, exists]);
      }
      const { body } = await bank(service, who, "GET", type);
      assert.deepEqual(body.data, { [type]: SHOWN[type] });
    });

    for (const encoding of ["json", "form"] as const)
      test(`PATCH as ${encoding} changes what was sent and nothing else`, async () => {
        const who = await withBank();
        const answer = await bank(service, who, "PATCH", type, { [encoding]: CHANGE[type] });
        assert.deepEqual([answer.status, answer.text], [200, OK]);
        const { body } = await bank(service, who, "GET", type);
        assert.deepEqual(body.data, { [type]: { ...SHOWN[type], ...CHANGE[type] } });
        assert.equal(await auditsOf(service, who, "bank_changed"), 1);
      });

    test("PATCH of no field answers 400 and names them", async () => {
      const who = await withBank();
      for (const json of [{}, { unknown: "x" }, { [Object.keys(CHANGE[type])[0] ?? ""]: "" }]) {
        const answer = await bank(service, who, "PATCH", type, { json });
        assert.equal(answer.status, 400);
        assert.match(answer.body.message, /^Give at least one of \w+, .+ and \w+\.$/);
      }
      assert.equal(await auditsOf(service, who, "bank_changed"), 0);
    });

    test("DELETE removes it and leaves the other, and it can be added again", async () => {
      const who = await withBank();
      const other: BankType = type === "local" ? "foreign" : "local";
      await bank(service, who, "POST", other, { json: GOOD[other] });
      const answer = await bank(service, who, "DELETE", type);
      assert.deepEqual([answer.status, answer.text], [200, OK]);
      assert.equal((await bank(service, who, "DELETE", type)).status, 400);
      const { body } = await service.request("/user/banks", { token: who.token });
      assert.deepEqual(body.data, { ...SHOWN, [type]: null });
      assert.equal(await auditsOf(service, who, "bank_removed"), 1);
      assert.equal((await bank(service, who, "POST", type, { json: GOOD[type] })).status, 201);
    });

    test("nobody else sees it, changes it or removes it", async () => {
      const [who, stranger] = [await withBank(), await signedIn(service)];
      const { body } = await bank(service, stranger, "GET", type);
      assert.deepEqual(body.data, { [type]: null });
      const patch = await bank(service, stranger, "PATCH", type, { json: CHANGE[type] });
      assert.deepEqual(patch.body, none);
      assert.deepEqual((await bank(service, stranger, "DELETE", type)).body, none);
      assert.deepEqual((await bank(service, who, "GET", type)).body.data[type], SHOWN[type]);
    });
  });
}

test("a type that does not exist is refused, with every method", async () => {
  const who = await signedIn(service);
  for (const type of ["Local", "x", "LOCAL", "local2"])
    for (const method of ["GET", "POST", "PATCH", "DELETE"] as const) {
      const body = method === "GET" ? {} : { json: TT_BANK };
      const answer = await bank(service, who, method, type, body);
      const message = "The type must be one of: local, foreign.";
      assert.deepEqual([answer.status, answer.body], [400, { message }], `${method} ${type}`);
    }
  assert.equal((await bank(service, who, "GET", "%6cocal%00")).status, 404);
});

test("every bank of every platform can be set, with its shortest and longest number", async () => {
  for (const country of COUNTRY_CODES) {
    const who = await signedIn(service, country);
    for (const { name, account, branches } of platformOf(country).banks)
      for (const length of [account.minLength, account.maxLength]) {
        const branch = { bank_account_type: "chequing", bank_branch: branches?.[0] };
        const number = { bank_name: name, bank_account: "7".padStart(length, "0") };
        const json = { ...number, name_in_bank: "X", ...branch };
        assert.equal((await bank(service, who, "POST", "local", { json })).status, 201, name);
        await bank(service, who, "DELETE", "local");
      }
  }
});

test("a number keeps its leading zeros through a change of something else", async () => {
  const who = await signedIn(service);
  const zeros = { ...TT_BANK, bank_account: "0000000007" };
  await bank(service, who, "POST", "local", { json: zeros });
  assert.equal((await bank(service, who, "GET", "local")).body.data.local.bank_account, "****0007");
  // One digit fewer would no longer be ten: the stored number is judged with the change.
  const renamed = await bank(service, who, "PATCH", "local", { json: { name_in_bank: "Ali" } });
  assert.equal(renamed.status, 200);
  const json = { bank_name: "Republic Bank LTD", bank_account: "0000000007" };
  const answer = await bank(service, who, "PATCH", "local", { json });
  const message = "The bank account must have 12 digits at Republic Bank LTD.";
  assert.deepEqual([answer.status, answer.body], [400, { message }]);
});

test("a foreign bank with every field shows every field, codes in capitals", async () => {
  const who = await signedIn(service);
  const between = {
    intermediary_bank: "Second Example Bank",
    intermediary_bank_address: "2 Main Street\r\nNew York",
    intermediary_bank_swift_code: "citius33xxx",
    intermediary_bank_routing_number_or_aba: "021000021",
  };
  const number = { beneficiary_account_number: "GB29 NWBK 6016-1331 9268 19" };
  const json = { ...FOREIGN_BANK, ...between, ...number };
  assert.equal((await bank(service, who, "POST", "foreign", { json })).status, 201);
  const { foreign } = (await bank(service, who, "GET", "foreign")).body.data;
  const intermediary_bank_swift_code = "CITIUS33XXX";
  const beneficiary_account_number = "****6819";
  const codes = { intermediary_bank_swift_code, beneficiary_account_number };
  assert.deepEqual(foreign, { ...json, ...codes });
});

test("read-only fields in a body are ignored", async () => {
  const who = await signedIn(service);
  const extra = { account_number: "1234567890", number_last_four: "9999", created_at: "x" };
  await bank(service, who, "POST", "local", { json: { ...TT_BANK, ...extra } });
  assert.equal(await bankRows(service, who, "local"), 1);
  await bank(service, who, "PATCH", "local", { json: { name_in_bank: "Ali", ...extra } });
  const { local } = (await bank(service, who, "GET", "local")).body.data;
  assert.deepEqual(local, { ...SHOWN.local, name_in_bank: "Ali" });
});

test("no whole number stands in the database, the audit trail or the log", async () => {
  const who = await signedIn(service);
  const numbers = ["8675309012", "5551212999"];
  const key = { "idempotency-key": "once" };
  const [bank_account, beneficiary_account_number] = numbers;
  const local = { json: { ...TT_BANK, bank_account }, headers: key };
  const foreign = { json: { ...FOREIGN_BANK, beneficiary_account_number }, headers: key };
  assert.equal((await bank(service, who, "POST", "local", local)).status, 201);
  assert.equal((await bank(service, who, "POST", "foreign", foreign)).status, 201);
  await bank(service, who, "PATCH", "local", { json: { bank_account } });
  const places = [await wholeDatabase(service), service.logged.join("")];
  for (const number of numbers)
    for (const form of [number, Buffer.from(number).toString("hex")])
      assert(places.every((place) => !place.includes(form)));
  const { rows } = await service.ctx.db.one<{ rows: string }>(sql`
    select string_agg((detail - 'grant_id')::text, ' ' order by entry_id) as rows
    from audit_entries
    where account_number = ${who.accountNumber} and action like 'bank_%'`);
  assert.equal(
    rows,
    '{"type": "local"} {"type": "foreign"} {"type": "local", "fields": ["bank_account"]}',
  );
});

test("a sealed number opens only in the row of its account and type", async () => {
  const [one, other] = [await signedIn(service), await signedIn(service)];
  for (const who of [one, other]) await bank(service, who, "POST", "local", { json: TT_BANK });
  await service.ctx.db.run(sql`
    update local_banks set number_sealed =
      (select number_sealed from local_banks where account_number = ${one.accountNumber})
    where account_number = ${other.accountNumber}`);
  const change = { json: { name_in_bank: "Ali" } };
  assert.equal((await bank(service, one, "PATCH", "local", change)).status, 200);
  assert.equal((await bank(service, other, "PATCH", "local", change)).status, 500);
});
