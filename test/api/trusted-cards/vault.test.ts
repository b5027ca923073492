/**
 * What lies in the database opens in its own row alone: a swapped card is refused with an alarm and
 * never charged as another; keys are replaced while the service runs (Decision 0044).
 */

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, describe, test } from "node:test";
import type { QueryResultRow } from "pg";
import { type Statement, sql } from "../../../src/infra/db/query.ts";
import { parseKeyring } from "../../../src/kit/secrets.ts";
import {
  findOldCards,
  type Place,
  reencryptCards,
  rewrapFingerprintKeys,
} from "../../../src/modules/trusted-cards/reencrypt-cards.ts";
import { CARDS, journal, look, payment, submit } from "../../../testkit/checkout-sessions.ts";
import { auditOf, operator, SIGNED } from "../../../testkit/operator.ts";
import { startService } from "../../../testkit/service.ts";
import {
  alarms,
  askToCharge,
  askToSave,
  closeService,
  openShop,
  payWithCode,
  resultOf,
  type SavedCard,
  verifiedCard,
} from "../../../testkit/trusted-cards.ts";

const newKey = (id: string) => `${id}:${randomBytes(32).toString("base64")}`;
const [first, second] = [newKey("first"), newKey("second")];
const service = await startService({
  settings: { WRAPPING_KEYS: `${first},${second}` },
});
const { ctx } = service;
after(() => closeService(service));
const shop = await openShop(service);

/** Of two rows, as somebody with a client of the database would. */
async function swap(one: SavedCard, two: SavedCard, columns: readonly string[]): Promise<void> {
  const set = columns.map((name) => `${name} = other.${name}`).join(", ");
  const text = `update trusted_cards as card set ${set} from trusted_cards as other
    where (card.card_uuid, other.card_uuid) in (($1, $2), ($2, $1))`;
  await ctx.db.run({ name: "", text, values: [one.uuid, two.uuid] });
}

describe("two cards whose ciphertexts were swapped", () => {
  const SWAPS: readonly (readonly string[])[] = [
    ["card_box"],
    ["key_box"],
    ["card_box", "key_box"],
    ["card_box", "key_box", "wrapped_with", "key_version", "fingerprint"],
  ];
  for (const columns of SWAPS)
    test(`(${columns.join(", ")}) are both refused, with an alarm, and no card is charged`, async () => {
      const one = await verifiedCard(service, { shop });
      const two = await verifiedCard(service, { shop, number: CARDS.mastercard });
      const orders = [await askToCharge(service, one), await askToCharge(service, two)];
      await swap(one, two, columns);
      const [before, said] = [await alarms(), service.logged.length];
      for (const order of orders) {
        await payWithCode(service, order);
        assert.deepEqual(await journal(service, order), []);
        assert.equal((await payment(service, order)).status, "incomplete");
        const { step } = await look(service, order);
        assert(step.kind === "card");
        assert.equal(step.declined?.message, "The saved card cannot be used.");
      }
      assert.equal((await alarms()) - before, 2);
      const lines = service.logged.slice(said).filter((line) => line.includes("ALARM"));
      assert.equal(lines.length, 2);
      const { count } = await ctx.db.one<{ count: number }>(sql`
        select count(*)::int as count from audit_entries
        where action = 'stored_card_unopened' and detail ->> 'uuid' in (${one.uuid}, ${two.uuid})`);
      assert.equal(count, 2);
      await swap(one, two, columns);
    });

  test("charge as before once they are swapped back", async () => {
    const one = await verifiedCard(service, { shop });
    const two = await verifiedCard(service, { shop, number: CARDS.mastercard });
    await swap(one, two, ["card_box", "key_box"]);
    await swap(one, two, ["card_box", "key_box"]);
    const order = await askToCharge(service, one);
    await payWithCode(service, order);
    assert.equal((await payment(service, order)).status, "success");
  });
});

test("a card whose wrapping key is not configured is 503, and all else works", async () => {
  const card = await verifiedCard(service, { shop });
  const order = await askToCharge(service, card);
  const other = await startService({
    database: service.database,
    settings: { WRAPPING_KEYS: newKey("other") },
  });
  try {
    await assert.rejects(payWithCode(other, order), { status: 503 });
    const saving = await askToSave(service, shop);
    await assert.rejects(submit(other, saving, CARDS.approved), { status: 503 });
    assert.deepEqual(await journal(service, order), []);
    assert.equal((await other.request("/livez")).status, 200);
  } finally {
    await other.stop();
  }
  await payWithCode(service, order);
  assert.equal((await payment(service, order)).status, "success");
});

describe("re-encryption", () => {
  const boxesOf = ({ uuid }: SavedCard) =>
    ctx.db.one<{ wrapped_with: string; key_version: number; box: string; print: string }>(sql`
      select wrapped_with, key_version, encode(card_box, 'hex') as box,
        encode(fingerprint, 'hex') as print
      from trusted_cards where card_uuid = ${uuid}`);

  test("seals every card with the current key, keeps fingerprints, and tells its progress", async () => {
    const card = await verifiedCard(service, { shop });
    const before = await boxesOf(card);
    const settings = { WRAPPING_KEYS: `${second},${first}` };
    const said = await operator(service, ["reencrypt-cards", ...SIGNED], { settings });
    assert.equal(said.code, 0, said.stderr);
    assert.match(said.stderr, /^(\d+) of \1 cards\n$/);
    assert.match(said.stdout, /^\d+ cards are sealed with the current key\.\nAudit entry \d+\./);
    const now = await boxesOf(card);
    assert.deepEqual([now.wrapped_with, now.key_version], ["second", 2]);
    assert.notEqual(now.box, before.box);
    assert.equal(now.print, before.print);
    const left = await ctx.db.rows(sql`
      select 1 from trusted_cards where wrapped_with = 'first'
      union all select 1 from card_fingerprint_keys where wrapped_with = 'first'`);
    assert.deepEqual(left, []);
    const again = await operator(service, ["reencrypt-cards", ...SIGNED], { settings });
    assert.match(again.stdout, /^0 cards are sealed/);
  });

  test("leaves cards that are charged as before, and whose old boxes open no more", async () => {
    const card = await verifiedCard(service, { shop });
    const pair = () =>
      ctx.db.one<{ card_box: Buffer; key_box: Buffer }>(sql`
        select card_box, key_box from trusted_cards where card_uuid = ${card.uuid}`);
    const old = await pair();
    const settings = { WRAPPING_KEYS: `${second},${first}` };
    assert.equal((await operator(service, ["reencrypt-cards", ...SIGNED], { settings })).code, 0);
    const fresh = await pair();
    const pay = async ({ card_box, key_box }: typeof old) => {
      await ctx.db.run(sql`
        update trusted_cards set card_box = ${card_box}, key_box = ${key_box}
        where card_uuid = ${card.uuid}`);
      const order = await askToCharge(service, card);
      await payWithCode(service, order);
      return (await payment(service, order)).status;
    };
    assert.deepEqual([await pay(old), await pay(fresh)], ["incomplete", "success"]);
    const setBack = ctx.db.run(sql`
      update trusted_cards set key_version = 1 where card_uuid = ${card.uuid}`);
    await assert.rejects(setBack, /key_version_is_only_raised|key version is only raised/);
  });

  test("names a card that does not open, ends with 1, and says which key is missing", async () => {
    const settings = { WRAPPING_KEYS: `${second},${first}` };
    const one = await verifiedCard(service, { shop });
    const two = await verifiedCard(service, { shop, number: CARDS.mastercard });
    await swap(one, two, ["card_box"]);
    const third = { WRAPPING_KEYS: newKey("third") };
    const missing = await operator(service, ["reencrypt-cards", ...SIGNED], { settings: third });
    assert.equal(missing.code, 1);
    assert.match(missing.stderr, /The wrapping key (first|second), which cards are sealed with/);
    const said = await operator(service, ["reencrypt-cards", ...SIGNED], { settings });
    assert.equal(said.code, 1);
    assert.match(said.stdout, / 2 do not open: see the log\./);
    assert.match(said.stderr, new RegExp(one.uuid));
    const { count } = await ctx.db.one<{ count: number }>(sql`
      select count(*)::int as count from audit_entries
      where action = 'stored_card_unopened' and detail ->> 'uuid' in (${one.uuid}, ${two.uuid})`);
    assert.equal(count, 2);
    await swap(one, two, ["card_box"]);
    const mended = await operator(service, ["reencrypt-cards", ...SIGNED], { settings });
    assert.equal(mended.code, 0, mended.stderr);
    assert.match(mended.stdout, /^2 cards are sealed/);
  });

  test("passes a fingerprint key that does not open, with an alarm, and so does saving", async () => {
    const [a, b] = [newKey("a"), newKey("b")];
    const own = await startService({ settings: { WRAPPING_KEYS: a } });
    try {
      const cards = [await verifiedCard(own), await verifiedCard(own)];
      const [{ shop: spoilt }, good] = cards as [SavedCard, SavedCard];
      const box = await own.ctx.db.one<{ key_box: Buffer }>(sql`
        select key_box from card_fingerprint_keys where account_number = ${spoilt.accountNumber}`);
      const setBox = (bytes: Buffer) =>
        own.ctx.db.run(sql`
          update card_fingerprint_keys set key_box = ${bytes}
          where account_number = ${spoilt.accountNumber}`);
      await setBox(Buffer.alloc(box.key_box.length));
      const settings = { WRAPPING_KEYS: `${b},${a}` };
      const said = await operator(own, ["reencrypt-cards", ...SIGNED], { settings });
      assert.equal(said.code, 1);
      assert.match(said.stdout, /^2 cards are sealed with the current key\. 1 do not open/);
      assert.match(said.stderr, /ALARM: the key of an account's fingerprints does not open/);
      assert.match(said.stderr, new RegExp(spoilt.accountNumber));
      assert.doesNotMatch(said.stderr, /\n\s+at /);
      const keys = await own.ctx.db.rows<{ account_number: string; wrapped_with: string }>(sql`
        select account_number, wrapped_with from card_fingerprint_keys`);
      const wrappedWith = new Map(keys.map((key) => [key.account_number, key.wrapped_with]));
      assert.equal(wrappedWith.get(spoilt.accountNumber), "a");
      assert.equal(wrappedWith.get(good.shop.accountNumber), "b");
      const before = await alarms();
      const order = await askToSave(own, spoilt);
      await submit(own, order, CARDS.approved);
      const { searchParams } = await resultOf(own, order);
      const message = "[2-R93]: Cards cannot be saved at the moment.";
      assert.deepEqual(
        [searchParams.get("status"), searchParams.get("message")],
        ["failed", message],
      );
      assert.deepEqual(await journal(own, order), []);
      assert.equal((await alarms()) - before, 1);
      const { count } = await own.ctx.db.one<{ count: number }>(sql`
        select count(*)::int as count from audit_entries
        where action = 'fingerprint_key_unopened' and account_number = ${spoilt.accountNumber}`);
      assert.equal(count, 2);
      await setBox(box.key_box);
      const mended = await operator(own, ["reencrypt-cards", ...SIGNED], { settings });
      assert.equal(mended.code, 0, mended.stderr);
    } finally {
      await closeService(own);
    }
  });

  test("goes through the cards of every old key in batches that read no others", async () => {
    const [a, b, c] = [newKey("a"), newKey("b"), newKey("c")];
    const own = await startService({ settings: { WRAPPING_KEYS: a } });
    const use = (...keys: string[]) =>
      Object.assign(own.ctx.config, { wrappingKeys: parseKeyring(keys.join()) });
    try {
      const cards = [await verifiedCard(own), await verifiedCard(own)];
      use(b, a);
      cards.push(await verifiedCard(own), await verifiedCard(own));
      use(c, b, a);
      const { count, ...begin } = await findOldCards(own.ctx);
      assert.equal(count, 4);
      await rewrapFingerprintKeys(own.ctx, 1);
      const statements: number[] = [];
      for (let place: Place | undefined = begin; place !== undefined; ) {
        const from: Place = place;
        place = await own.ctx.db.transaction(async (tx) => {
          let asked = 0;
          const counted = <T>(answer: T): T => {
            asked += 1;
            return answer;
          };
          const watched = {
            ...tx,
            rows: <Row extends QueryResultRow>(one: Statement) => counted(tx.rows<Row>(one)),
            run: (one: Statement) => counted(tx.run(one)),
          };
          const { next } = await reencryptCards(own.ctx, watched, from, 1);
          statements.push(asked);
          return next;
        });
      }
      // Of each card one to read it and one to write it; after the last of a key, one in vain.
      assert.deepEqual(statements, [2, 2, 1, 2, 2, 1]);
      assert.equal((await findOldCards(own.ctx)).count, 0);
      const { left } = await own.ctx.db.one<{ left: number }>(sql`
        select count(*)::int as left from card_fingerprint_keys where wrapped_with <> 'c'`);
      assert.equal(left, 0);
      for (const card of cards) {
        const order = await askToCharge(own, card);
        await payWithCode(own, order);
        assert.equal((await payment(own, order)).status, "success");
      }
    } finally {
      await closeService(own);
    }
  });

  test("is signed in the audit trail", async () => {
    const entries = (await auditOf(service)).filter(({ action }) => action === "cards_reencrypted");
    assert(entries.length >= 3);
    for (const { actor, detail } of entries)
      assert.deepEqual([actor, detail.why], ["operator D. Joseph", "ticket 4711"]);
  });
});
