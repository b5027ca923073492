/**
 * The metadata is what judges: banks, documents, moves and costs are shown as they are enforced, to
 * everybody, and kept by its ETag (Interface §4.3, Decision 0045).
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import type { Scope } from "../../../src/kit/scopes.ts";
import { COUNTRY_CODES } from "../../../src/kit/vocabulary.ts";
import { platformOf } from "../../../src/modules/platforms/platform.ts";
import { STATUS_NAMES } from "../../../src/modules/withdrawals/withdrawal.ts";
import { mintKey } from "../../../testkit/credentials.ts";
import { startService, type TestService } from "../../../testkit/service.ts";
import { openOwner } from "../../../testkit/withdrawals.ts";

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.stop());

const PATH = "/withdrawals/meta";
const bankNames = (body: { data: { banks: { name: string }[] } }) =>
  body.data.banks.map(({ name }) => name);
const banksOf = (countryCode: (typeof COUNTRY_CODES)[number]) =>
  platformOf(countryCode).banks.map(({ name }) => name);

describe("the metadata of withdrawals", () => {
  for (const countryCode of COUNTRY_CODES)
    test(`has the banks, documents and costs of ${countryCode}`, async () => {
      const { body } = await service.request(`${PATH}?country_code=${countryCode}`);
      const platform = platformOf(countryCode);
      assert.deepEqual(bankNames(body), banksOf(countryCode));
      assert.deepEqual(
        body.data.ids,
        platform.ids.map(({ type, pattern }) => ({ type, regex: pattern.source })),
      );
      assert.deepEqual(Object.keys(body.data.fees), platform.currencies);
      assert.deepEqual(Object.keys(body.data.minimums), platform.currencies);
      const hasBranches = body.data.banks.some((bank: object) => "branches" in bank);
      assert.equal(hasBranches, countryCode === "JM");
    });

  test("shows lengths, fees and minimums as they are taken", async () => {
    const { body } = await service.request(PATH);
    const { banks, fees, minimums, withdrawal_types } = body.data;
    assert.deepEqual(banks[0], {
      name: "First Citizens",
      display_name: banks[0].display_name,
      account: { min_length: 10, max_length: 10 },
    });
    assert.deepEqual(fees, { TTD: "5.00", USD: "5.00" });
    assert.deepEqual(minimums, { TTD: "5.00", USD: "0.74" });
    assert.deepEqual(withdrawal_types, ["normal", "sub_banked", "sub_unbanked"]);
  });

  test("shows the very moves that the database allows", async () => {
    const { body } = await service.request(PATH);
    const shown = body.data.statuses as {
      value: string;
      cancellable: boolean;
      final: boolean;
      next: string[];
    }[];
    assert.deepEqual(
      shown.map(({ value }) => value),
      STATUS_NAMES,
    );
    for (const { value, next, cancellable, final } of shown) {
      const rows = await service.ctx.db.rows<{ status: string }>(sql`
        select status from unnest(${STATUS_NAMES}::text[]) as status
        where withdrawal_may_move(${value}, status)`);
      assert.deepEqual(next.toSorted(), rows.map(({ status }) => status).toSorted(), value);
      assert.equal(cancellable, value === "pending");
      assert.equal(final, ["completed", "failed", "cancelled", "returned"].includes(value));
    }
  });

  test("is that of the caller's platform, by token and key; of TT for everybody else", async () => {
    const owner = await openOwner(service, "merchant", { countryCode: "JM", funds: "none" });
    const { key } = await mintKey(service.ctx, owner, ["svc-user-retrieve"] as Scope[]);
    for (const credential of [{ token: owner.token }, { key }])
      assert.deepEqual(bankNames((await service.request(PATH, credential)).body), banksOf("JM"));
    const both = { token: owner.token, key };
    for (const credential of [{}, { token: "x" }, { key: "x" }, both]) {
      const answer = await service.request(PATH, credential);
      assert.equal(answer.status, 200);
      assert.deepEqual(bankNames(answer.body), banksOf("TT"));
    }
    const named = await service.request(`${PATH}?country_code=BB`, { token: owner.token });
    assert.deepEqual(bankNames(named.body), banksOf("BB"));
  });

  test("is kept by its ETag, apart for each credential", async () => {
    const first = await service.request(PATH);
    const etag = first.headers.get("etag") ?? "";
    assert.match(first.headers.get("cache-control") ?? "", /max-age=3600/);
    assert.match(first.headers.get("vary") ?? "", /authorization, x-svc-key/);
    const again = await service.request(PATH, { headers: { "if-none-match": etag } });
    assert.deepEqual([again.status, again.text], [304, ""]);
    const other = await service.request(`${PATH}?country_code=JM`, {
      headers: { "if-none-match": etag },
    });
    assert.equal(other.status, 200);
  });

  test("of a country without a platform is refused", async () => {
    const { status, body } = await service.request(`${PATH}?country_code=US`);
    const message = "The country code must be one of: BB, GD, GY, JM, TT.";
    assert.deepEqual([status, body], [400, { message }]);
  });
});
