/**
 * The guarantee: a merchant who computes `hash` and `signature` by the written rule finds what we
 * send, and no parameter can be changed without the signature failing (Interface §2.5, Decision
 * 0039). The rule is written here a second time, from its words and with other means.
 */

import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import { after, describe, test } from "node:test";
import fc from "fast-check";
import { parseMoney } from "../../../src/kit/money.ts";
import type { PaymentKeys } from "../../../src/modules/checkout/result/payment-keys.ts";
import { paymentKeysOf } from "../../../src/modules/checkout/result/payment-keys.ts";
import {
  findPaymentsToSign,
  resultAddress,
} from "../../../src/modules/checkout/result/result-address.ts";
import { hashOf } from "../../../src/modules/checkout/result/result-parameters.ts";
import type { TransactionRow } from "../../../src/modules/transactions/transaction.ts";
import { expectBooksToBalance } from "../../../testkit/books.ts";
import { ask, minimal } from "../../../testkit/payment-requests.ts";
import { recordTransactions } from "../../../testkit/record-transaction.ts";
import { startService } from "../../../testkit/service.ts";
import { finaliseTransaction } from "../../../testkit/transactions.ts";

const ORDERS = 1_000;

const service = await startService();
after(async () => {
  await expectBooksToBalance(service.ctx.db);
  await service.stop();
});
const { db, config } = service.ctx;
const shop = await service.world.merchant();
const { accountNumber } = shop;
const keys = await paymentKeysOf(db, config, { accountNumber, environment: "sandbox" });

const NAMES = "card currency data date message order_id status total transaction_id".split(" ");

/** What a merchant's server would do with the query of its page. */
function check(address: string, { hashKey, signingSecret }: PaymentKeys, requested: string) {
  const query = new URL(address).searchParams;
  const names = NAMES.filter((name) => query.has(name)).sort();
  const text = names.map((name) => `${name}=${formEncoded(query.get(name) ?? "")}`).join("&");
  const signature = createHmac("sha256", signingSecret).update(text, "utf8").digest("hex");
  const hash = createHash("md5")
    .update(query.get("transaction_id") + requested + hashKey)
    .digest("hex");
  return {
    isSigned: query.get("signature") === signature,
    isHashed: query.get("hash") === hash,
    query,
  };
}

/** application/x-www-form-urlencoded, byte by byte. */
function formEncoded(text: string): string {
  let out = "";
  for (const byte of Buffer.from(text)) {
    const char = String.fromCharCode(byte);
    if (/[A-Za-z0-9*._-]/.test(char)) out += char;
    else if (char === " ") out += "+";
    else out += `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return out;
}

const STATUSES = ["success", "failed", "error"] as const;

async function randomOrders(): Promise<TransactionRow[]> {
  const order = fc.record({
    minor: fc.bigInt({ min: 500n, max: 2_040_000n }),
    data: fc.string({ unit: "grapheme", maxLength: 40 }),
    feeStructure: fc.constantFrom("customer_pay", "merchant_absorb", "split"),
    status: fc.constantFrom(...STATUSES),
    message: fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }),
  });
  const orders = fc.sample(order, ORDERS);
  return db.transaction(async (tx) => {
    const made = await recordTransactions(
      tx,
      orders.map(({ minor, data, feeStructure }, index) => ({
        accountNumber,
        environment: "sandbox" as const,
        countryCode: "TT" as const,
        total: { currency: "TTD" as const, minor },
        feeStructure: feeStructure as "split",
        orderId: `random-${index}`,
        checkoutMethod: "credit_card_co",
        origin: "test",
        customer: {},
        details: { data: data.toWellFormed().replaceAll("\0", "") },
      })),
    );
    const ended: TransactionRow[] = [];
    for (const [index, row] of made.entries()) {
      const { status = "failed", message = "" } = orders[index] ?? {};
      const said = message.toWellFormed().replaceAll("\0", "") || "x";
      const card = { brand: "visa", lastFour: "1111" };
      const result = { status, message: said, card };
      // Money is for one of them to move; a thousand postings would test the ledger.
      const told = index === 0 ? { ...result, status: "success" as const } : result;
      if (row === undefined) continue;
      if (index === 0)
        ended.push((await finaliseTransaction(tx, row.transaction_id, told)).transaction);
      else
        ended.push({
          ...row,
          status,
          message: said,
          card_brand: "visa",
          card_last_four: "1111",
          finalised_at: row.created_at,
        });
    }
    return ended;
  });
}

test("the published vector", () => {
  const expected = "3d34d20260f7433ceee277e9ed9166a3";
  assert.equal(hashOf("SB-12-1-oid_123-aBc-20210616024001", "10.00", "123"), expected);
});

describe(`of ${ORDERS} random orders`, async () => {
  const rows = await randomOrders();
  const requested = (row: TransactionRow) => {
    const minor = String(row.total_minor).padStart(3, "0");
    const text = `${minor.slice(0, -2)}.${minor.slice(-2)}`;
    assert.deepEqual(parseMoney(row.currency, text)?.minor, row.total_minor);
    return text;
  };
  // As they are read with every payment; one of them is read as it is.
  const [known] = await findPaymentsToSign(
    db,
    rows.slice(0, 1).map(({ transaction_id }) => transaction_id),
  );
  assert(known !== undefined && !(known instanceof Error) && known.keys !== undefined);
  const addressOf = (payment: TransactionRow) =>
    resultAddress(
      db,
      config,
      { payment, keys: known.keys },
      "https://shop.example/paid?cart=7&status=success&hash=x#top",
    );

  test("hash and signature agree with the rule, and there is a hash on success only", async () => {
    assert.equal(rows.length, ORDERS);
    for (const row of rows) {
      const { isSigned, isHashed, query } = check(await addressOf(row), keys, requested(row));
      assert(isSigned, row.transaction_id);
      assert.equal(isHashed, row.status === "success");
      assert.equal(query.has("hash"), row.status === "success");
      assert.deepEqual(query.getAll("status"), [row.status]);
      assert.equal(query.get("data"), row.data);
      assert.equal(query.get("message"), row.message);
      assert.equal(query.get("card"), "visa **** 1111");
      assert.equal(query.get("date"), row.finalised_at?.toISOString());
      const paid = query.get("total")?.replace(".", "");
      assert.equal(BigInt(paid ?? ""), row.customer_total_minor);
    }
  });

  test("a redirect changed in any parameter fails the signature", async () => {
    for (const row of rows.slice(0, 100)) {
      const address = await addressOf(row);
      for (const name of NAMES) {
        const forged = new URL(address);
        const was = forged.searchParams.get(name) ?? "";
        forged.searchParams.set(
          name,
          name === "status" && was !== "success" ? "success" : `${was}1`,
        );
        assert.equal(check(forged.href, keys, requested(row)).isSigned, false, name);
        forged.searchParams.delete(name);
        assert.equal(check(forged.href, keys, requested(row)).isSigned, false, name);
      }
      const other = { ...keys, signingSecret: `${keys.signingSecret}x` };
      assert.equal(check(address, other, requested(row)).isSigned, false);
    }
  });

  test("text moved from one parameter into the next fails it as well", async () => {
    const [row] = rows;
    assert(row !== undefined);
    const made = (data: string, message: string) => addressOf({ ...row, data, message });
    const signature = (address: string) => new URL(address).searchParams.get("signature");
    assert.notEqual(signature(await made("a", "b&date=c")), signature(await made("a&date=b", "c")));
  });
});

test("an error address of a known merchant is signed, one of nobody's is not", async () => {
  const fields = minimal(accountNumber, { email: shop.email });
  const known = new URL((await ask(service, fields)).body.url).searchParams;
  const told = ["message", "order_id", "reasonDescription", "status", "transaction_id"];
  const text = told.map((name) => `${name}=${formEncoded(known.get(name) ?? "")}`).join("&");
  const expected = createHmac("sha256", keys.signingSecret).update(text).digest("hex");
  assert.equal(known.get("signature"), expected);
  assert.equal(known.get("status"), "error");
  assert.equal(known.has("hash"), false);
  const nobody = new URL((await ask(service, minimal("9999999999"))).body.url).searchParams;
  assert.equal(nobody.has("signature"), false);
});
