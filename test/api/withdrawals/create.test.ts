/**
 * A withdrawal is asked for with a bearer token, holds amount and fee at once, copies where the
 * money goes and echoes `data` byte for byte; a refusal changes nothing (Interface §2.3, §4.3,
 * Decision 0045).
 */

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import type { Scope } from "../../../src/kit/scopes.ts";
import { readNumbers } from "../../../src/modules/withdrawals/payee-numbers.ts";
import { bank } from "../../../testkit/banks.ts";
import { fund } from "../../../testkit/books.ts";
import { mintKey, mintToken } from "../../../testkit/credentials.ts";
import { startService, type TestService } from "../../../testkit/service.ts";
import {
  ask,
  eventsOf,
  expectAllToAddUp,
  fundsOf,
  NORMAL,
  type Owner,
  openOwner,
  read,
  SUB_BANKED,
  SUB_UNBANKED,
  withdraw,
} from "../../../testkit/withdrawals.ts";

let service: TestService;
let shop: Owner;
let main: Owner;

before(async () => {
  service = await startService();
  shop = await openOwner(service);
  main = await openOwner(service, "mainMerchant");
});
after(async () => {
  try {
    await expectAllToAddUp(service);
  } finally {
    await service.stop();
  }
});

const countRows = async () =>
  (await service.ctx.db.one<{ n: number }>(sql`select count(*)::int as n from withdrawals`)).n;

async function expectNothingNew(work: () => Promise<unknown>): Promise<void> {
  const rows = await countRows();
  await work();
  assert.equal(await countRows(), rows);
}

describe("asking for a withdrawal", () => {
  test("holds amount and fee, and answers with its ids and no data", async () => {
    const owner = await openOwner(service, "merchant", { funds: "200.00 TTD" });
    const answer = await ask(service, owner);
    assert.equal(answer.status, 201);
    const { reference, transaction_id } = answer.body.data;
    assert.deepEqual(answer.body, {
      message: "Created",
      data: { data: "", reference, transaction_id },
    });
    assert.match(transaction_id, /^SB-TT-[0-9A-HJKMNP-TV-Z]{26}$/);
    assert.equal(await fundsOf(service, owner), "95.00 + 105.00");
    const record = await read(service, owner, transaction_id);
    const { created_at } = record;
    assert.deepEqual(record, {
      transaction_id,
      reference,
      withdrawal_type: "normal",
      environment: "sandbox",
      currency: "TTD",
      amount: "100.00",
      fee: "5.00",
      status: "pending",
      status_description: "Asked for. Amount and fee are held, and no bank has been told.",
      data: "",
      bank_name: "First Citizens",
      bank_account: "****5678",
      bank_account_type: null,
      bank_branch: null,
      name_in_bank: "Anika Mohammed",
      recipient_name: null,
      email: null,
      phone: null,
      id_type: null,
      id_number: null,
      created_at,
      updated_at: created_at,
      completed_at: null,
      deleted_at: null,
    });
    assert.deepEqual(await eventsOf(service, transaction_id), ["pending"]);
  });

  test("pays US dollars to the bank abroad, with all that it asks for", async () => {
    const id = await withdraw(service, shop, { currency: "USD" });
    const record = await read(service, shop, id);
    assert.deepEqual(
      [record.bank_name, record.bank_account, record.name_in_bank, record.fee],
      ["First Example Bank", "****4321", "Marisol Baptiste", "5.00"],
    );
    const row = await service.ctx.db.one<{ foreign_bank: Record<string, string> }>(
      sql`select foreign_bank from withdrawals where transaction_id = ${id}`,
    );
    assert.equal(row.foreign_bank.beneficiary_bank_swift_or_routing_code, "CHASUS33");
    const keys = service.ctx.config.wrappingKeys;
    assert.deepEqual(await readNumbers(service.ctx.db, keys, id), { bankAccount: "000987654321" });
  });

  test("means live where no environment is named", async () => {
    await fund(service.ctx.db, shop.accountNumber, "105.00 TTD", "live");
    const id = await withdraw(service, shop, { environment: undefined });
    assert.match(id, /^TT-/);
    assert.equal(await fundsOf(service, shop, "TTD", "live"), "0.00 + 105.00");
  });

  test("a main merchant pays a bank account and a person; numbers are sealed and masked", async () => {
    const banked = await withdraw(service, main, SUB_BANKED);
    const one = await read(service, main, banked);
    assert.deepEqual(
      [one.bank_name, one.bank_account, one.name_in_bank, one.email, one.phone, one.id_number],
      [
        "First Citizens",
        "****5678",
        "Kerry-Ann Joseph",
        "kerry@example.com",
        "+18685550123",
        "****3456",
      ],
    );
    const unbanked = await withdraw(service, main, SUB_UNBANKED);
    const other = await read(service, main, unbanked);
    assert.deepEqual([other.bank_name, other.recipient_name], [null, "Kerry-Ann Joseph"]);
    const rows = await service.ctx.db.rows(sql`select withdrawals::text as text from withdrawals`);
    const all = JSON.stringify(rows);
    assert.doesNotMatch(all, /0012345678|TB123456/);
  });

  test("copies the bank of that moment: a later change changes nothing", async () => {
    const owner = await openOwner(service);
    const id = await withdraw(service, owner);
    const changed = await bank(service, owner, "PATCH", "local", {
      json: { bank_account: "0000000001" },
    });
    assert.equal(changed.status, 200);
    assert.equal((await read(service, owner, id)).bank_account, "****5678");
    const keys = service.ctx.config.wrappingKeys;
    assert.deepEqual(await readNumbers(service.ctx.db, keys, id), { bankAccount: "0012345678" });
  });
});

describe("fields of another variant", () => {
  const rubbish = { phone: 7, email: {}, id_number: [], bank_account: "x", recipient_name: 1 };

  test("are ignored by normal, and never become where the money goes", async () => {
    const id = await withdraw(service, shop, { ...SUB_BANKED, ...NORMAL, bank_account: "9999999" });
    assert.equal((await read(service, shop, id)).bank_account, "****5678");
    assert.equal((await ask(service, shop, { ...NORMAL, ...rubbish })).status, 201);
  });

  test("bank fields are ignored by sub_unbanked", async () => {
    const fields = { ...SUB_UNBANKED, bank_name: "Nowhere", bank_account: "x", bank_branch: 1 };
    const record = await read(service, main, await withdraw(service, main, fields));
    assert.deepEqual([record.bank_name, record.bank_account], [null, null]);
  });
});

describe("data comes back byte for byte", () => {
  const table: [string, string][] = [
    ["JSON with quotes", '{"a":1,"b":"x \\"y\\" \'z\'"}'],
    ["broken JSON", '{"a":'],
    ["markup", '</script><b>&amp;"'],
    ["line ends, tabs and spaces around", " \t a\r\nb \n"],
    ["4,096 emoji", "👍".repeat(4096)],
  ];
  for (const [what, data] of table)
    for (const as of ["json", "form"] as const)
      test(`${what}, as ${as}`, async () => {
        const answer = await ask(service, shop, { ...NORMAL, data }, { as });
        assert.equal(answer.status, 201, answer.text);
        assert.equal(answer.body.data.data, data);
        const { transaction_id } = answer.body.data;
        assert.equal((await read(service, shop, transaction_id)).data, data);
        const path = `/withdrawals/?environment=sandbox&transaction_id=${transaction_id}`;
        const list = await service.request(path, { token: shop.token });
        assert.equal(list.body.data[0].data, data);
        const { record } = await service.ctx.db.one<{ record: string }>(
          sql`select record from events where resource = ${transaction_id}`,
        );
        assert.equal(JSON.parse(record).data, data);
      });
});

describe("a refusal", () => {
  test("403 Forbidden: who is no main merchant pays nobody else", async () => {
    const person = await openOwner(service, "person");
    for (const who of [person, shop])
      for (const fields of [SUB_BANKED, SUB_UNBANKED])
        await expectNothingNew(async () => {
          const answer = await ask(service, who, fields);
          assert.deepEqual([answer.status, answer.body], [403, { message: "Forbidden" }]);
        });
    assert.equal((await ask(service, person)).status, 201);
  });

  test("422 names the currency that there are no bank details for", async () => {
    const owner = await openOwner(service, "merchant", { banks: false });
    for (const currency of ["TTD", "USD"])
      await expectNothingNew(async () => {
        const answer = await ask(service, owner, { ...NORMAL, currency });
        const message = `There are no bank details for ${currency}.`;
        assert.deepEqual([answer.status, answer.body], [422, { message }]);
      });
  });

  test("422 when the fee does not fit beside the amount; to the cent it does", async () => {
    const owner = await openOwner(service, "merchant", { funds: "105.00 TTD" });
    const short = { message: "Insufficient funds." };
    await expectNothingNew(async () => {
      const answer = await ask(service, owner, { ...NORMAL, amount: "100.01" });
      assert.deepEqual([answer.status, answer.body], [422, short]);
    });
    assert.equal(await fundsOf(service, owner), "105.00 + 0.00");
    await withdraw(service, owner);
    assert.equal(await fundsOf(service, owner), "0.00 + 105.00");
    assert.equal((await ask(service, owner, { ...NORMAL, amount: "5.00" })).status, 422);
  });

  test("401: an API key, whatever its scopes, and a frozen or closed account", async () => {
    const { key } = await mintKey(service.ctx, shop, shop.allScopes.split(" ") as Scope[]);
    await expectNothingNew(async () => {
      const answer = await service.request("/withdrawals/", { method: "POST", key, json: NORMAL });
      assert.deepEqual([answer.status, answer.body], [401, { message: "Unauthorized" }]);
    });
    for (const status of ["frozen", "closed"]) {
      const owner = await openOwner(service);
      await service.ctx.db.run(sql`
        update accounts set status = ${status},
          closed_at = case when ${status === "closed"} then app_now() end
        where account_number = ${owner.accountNumber}`);
      await expectNothingNew(async () => assert.equal((await ask(service, owner)).status, 401));
    }
  });

  test("403 with the scopes that may not create", async () => {
    const table: [Scope, number][] = [
      ["svc-withdrawals-retrieve", 403],
      ["svc-withdrawals-delete", 403],
      ["svc-transactions-all", 403],
      ["svc-withdrawals-create", 201],
      ["svc-withdrawals-all", 201],
    ];
    for (const [scope, status] of table) {
      const { token } = await mintToken(service.ctx, shop, [scope]);
      assert.equal((await ask(service, { token })).status, status, scope);
    }
  });
});

describe("an Idempotency-Key", () => {
  test("one effect and the same bytes, as JSON and as form; another request is 422", async () => {
    const owner = await openOwner(service, "merchant", { funds: "1000.00 TTD" });
    const key = randomUUID();
    const first = await ask(service, owner, { ...NORMAL, amount: 100 }, { key });
    assert.equal(first.status, 201);
    for (const as of ["json", "form"] as const) {
      const again = await ask(service, owner, NORMAL, { key, as });
      assert.deepEqual([again.status, again.text], [201, first.text]);
      assert.equal(again.headers.get("idempotent-replayed"), "true");
    }
    assert.equal(await fundsOf(service, owner), "895.00 + 105.00");
    const other = await ask(service, owner, { ...NORMAL, amount: "100.01" }, { key });
    assert.equal(other.status, 422);
    assert.equal((await ask(service, shop, NORMAL, { key })).status, 201);
  });

  test("a refused request may be mended and sent again under its key", async () => {
    const owner = await openOwner(service, "merchant", { funds: "1000.00 TTD" });
    const key = randomUUID();
    assert.equal((await ask(service, owner, { ...NORMAL, amount: "999" }, { key })).status, 422);
    assert.equal((await ask(service, owner, NORMAL, { key })).status, 201);
  });
});
