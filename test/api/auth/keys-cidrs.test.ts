/**
 * A key with address ranges works from those addresses and from no other, in whatever notation an
 * address is written; a range is stored in its normal form or refused.
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import { auditsOf, countOf, UNAUTHORIZED, whoami } from "../../../testkit/auth.ts";
import { startService, type TestService } from "../../../testkit/service.ts";
import type { Person } from "../../../testkit/world.ts";

let service: TestService;
let shop: Person;
let token: string;
before(async () => {
  service = await startService({ settings: { TRUSTED_PROXIES: "127.0.0.1/32" } });
  shop = await service.world.merchant();
  token = (await shop.signIn()).access_token;
});
after(() => service.stop());

const make = (allowed_cidrs: unknown) =>
  service.request("/auth/keys", {
    method: "POST",
    token,
    json: { environment: "test", scopes: "svc-user-all", allowed_cidrs },
  });
const forget = () => service.ctx.db.run(sql`delete from api_keys`);

describe("a range is kept in its normal form", () => {
  const KEPT: readonly [given: unknown, kept: string[]][] = [
    [["10.0.0.0/8"], ["10.0.0.0/8"]],
    [["10.0.0.1/8"], ["10.0.0.0/8"]],
    [["1.2.3.4"], ["1.2.3.4/32"]],
    [["1.2.3.4/1"], ["0.0.0.0/1"]],
    [["2001:db8::1"], ["2001:db8::1/128"]],
    [["2001:DB8:0:0:0:0:0:1/64"], ["2001:db8::/64"]],
    [["::ffff:1.2.3.0/120"], ["1.2.3.0/24"]],
    [["::FFFF:1.2.3.9/120"], ["1.2.3.0/24"]],
    [["::ffff:102:300/120"], ["1.2.3.0/24"]],
    [["0:0:0:0:0:ffff:1.2.3.0/120"], ["1.2.3.0/24"]],
    [["0:0:0:0:0:ffff:0102:0304"], ["1.2.3.4/32"]],
    [["::ffff:1.2.3.4"], ["1.2.3.4/32"]],
    [["::1"], ["::1/128"]],
    ["192.0.2.0/24,198.51.100.0/24", ["192.0.2.0/24", "198.51.100.0/24"]],
    [
      "192.0.2.0/24 198.51.100.7\n2001:db8::/32",
      ["192.0.2.0/24", "198.51.100.7/32", "2001:db8::/32"],
    ],
    [["192.0.2.1", "192.0.2.1/32", "192.0.2.1"], ["192.0.2.1/32"]],
    [[], []],
    [null, []],
    ["", []],
  ];
  for (const [given, kept] of KEPT)
    test(`${JSON.stringify(given)} as ${JSON.stringify(kept)}`, async () => {
      const answer = await make(given);
      assert.equal(answer.status, 201);
      assert.deepEqual(answer.body.data.allowed_cidrs, kept);
      await forget();
    });

  test("and fifty of them are not too many", async () => {
    const fifty = Array.from({ length: 50 }, (_, i) => `10.${i}.0.0/16`);
    assert.deepEqual((await make(fifty)).body.data.allowed_cidrs, fifty);
    assert.equal((await make(fifty.join(","))).status, 201);
    await forget();
  });
});

describe("what is no range, or is everything, answers 400 and makes no key", () => {
  const REFUSED: readonly unknown[] = [
    ...["0.0.0.0/0", "::/0", "1.2.3.4/0", "2001:db8::/0", "::ffff:0:0/96", "::ffff:1.2.3.4/95"],
    ...[
      "1.2.3.4/33",
      "2001:db8::/129",
      "1.2.3.4/-1",
      "1.2.3.4/",
      "1.2.3.4/8/8",
      "/8",
      "1.2.3.4/ 8",
    ],
    ...[
      "1.2.3/24",
      "1.2.3.4.5",
      "01.2.3.4",
      "0x7f.0.0.1",
      "2130706433",
      "1.2.3.4/0x8",
      "1.2.3.4/8.0",
    ],
    ...["1.2.3.4/255.255.255.0", "1.2.3.0-1.2.3.9", "1.2.3.*", "example.com", "localhost", "*"],
    ...["fe80::1%eth0", "fe80::1%eth0/64", "fe80::/64%eth0", "2001:db8::g", "[2001:db8::1]", ":::"],
    ...["①.2.3.4", "1.2.3.4/８", "' or 1=1", "1.2.3.4;drop"],
  ];
  for (const given of REFUSED)
    test(JSON.stringify(given), async () => {
      for (const list of [[given], ["192.0.2.0/24", given], given]) {
        const answer = await make(list);
        assert.equal(answer.status, 400);
        const message = "The allowed cidrs field has invalid values.";
        assert.deepEqual(answer.body, { message });
      }
      assert.equal(await countOf(service, sql`api_keys`), 0);
    });

  for (const count of [51, 5_000])
    test(`a list of ${count}`, async () => {
      const list = Array.from({ length: count }, (_, i) => `10.${i >> 8}.${i & 255}.1`);
      for (const given of [list, list.join(",")]) assert.equal((await make(given)).status, 400);
      assert.equal(await countOf(service, sql`api_keys`), 0);
    });
});

describe("a key with ranges", () => {
  const CALLS: readonly [ranges: string[], from: string, works: boolean][] = [
    [["10.0.0.1/8"], "10.200.3.4", true],
    [["10.0.0.1/8"], "11.0.0.1", false],
    [["1.2.3.4"], "1.2.3.4", true],
    [["1.2.3.4"], "1.2.3.5", false],
    [["1.2.3.0/24"], "::ffff:1.2.3.9", true],
    [["1.2.3.0/24"], "::ffff:102:309", true],
    [["1.2.3.0/24"], "::ffff:1.2.4.9", false],
    [["::ffff:1.2.3.0/120"], "1.2.3.9", true],
    [["::ffff:1.2.3.0/120"], "::ffff:1.2.3.9", true],
    [["0:0:0:0:0:ffff:1.2.3.0/120"], "1.2.3.9", true],
    [["::ffff:1.2.3.0/120"], "1.2.4.9", false],
    [["2001:db8::5"], "2001:db8::5", true],
    [["2001:db8::5"], "2001:DB8:0:0:0:0:0:5", true],
    [["2001:db8::5"], "2001:db8::6", false],
    [["2001:db8::/64"], "2001:db8::ffff:1", true],
    [["2001:db8::/64"], "2001:db8:0:1::1", false],
    [["0.0.0.0/1", "128.0.0.0/1"], "2001:db8::1", false],
    [["2001:db8::/32"], "10.0.0.1", false],
    [["192.0.2.0/24", "2001:db8::/32"], "2001:db8::1", true],
    [[], "203.0.113.9", true],
    [[], "2001:db8::1", true],
  ];
  for (const [ranges, from, works] of CALLS)
    test(`[${ranges.join(" ")}] ${works ? "works" : "is refused"} from ${from}`, async () => {
      const { key } = (await make(ranges)).body.data;
      const answer = await whoami(service, { key, from });
      assert.equal(answer.status, works ? 200 : 401);
      if (!works) assert.equal(answer.text, UNAUTHORIZED);
      await forget();
    });

  test("does not believe what a stranger wrote before the proxy's own hop", async () => {
    const { key } = (await make(["192.0.2.7"])).body.data;
    const spoofed = "192.0.2.7, 203.0.113.9";
    assert.equal((await whoami(service, { key, from: spoofed })).status, 401);
    assert.equal((await whoami(service, { key, from: "203.0.113.9, 192.0.2.7" })).status, 200);
    for (const name of ["x-real-ip", "true-client-ip", "forwarded", "x-client-ip"]) {
      const headers = { [name]: name === "forwarded" ? "for=192.0.2.7" : "192.0.2.7" };
      assert.equal((await service.request("/auth/whoami", { key, headers })).status, 401);
    }
    await forget();
  });

  test("on a service that trusts no proxy goes by the socket alone", async () => {
    const plain = await startService({ database: service.database });
    const [near, far] = [
      (await make(["127.0.0.1"])).body.data,
      (await make(["192.0.2.7"])).body.data,
    ];
    assert.equal((await whoami(plain, { key: near.key, from: "203.0.113.9" })).status, 200);
    assert.equal((await whoami(plain, { key: far.key, from: "192.0.2.7" })).status, 401);
    await plain.stop();
    await forget();
  });

  test("that is refused by address is in the audit trail, once in a flood", async () => {
    const who = await service.world.merchant();
    const { key, kid } = await who.makeKey(who.allScopes, { allowed_cidrs: ["192.0.2.0/24"] });
    for (let i = 0; i < 5; i++) await whoami(service, { key, from: "203.0.113.9" });
    assert.equal(await auditsOf(service, who, "key_refused_by_address"), 1);
    const { actor, detail } = await service.ctx.db.one<{ actor: string; detail: unknown }>(sql`
      select actor, detail from audit_entries
      where account_number = ${who.accountNumber} and action = 'key_refused_by_address'`);
    assert.equal(actor, "203.0.113.9");
    assert.deepEqual(detail, { kid });
    await whoami(service, { key: `${key.slice(0, 28)}${"0".repeat(64)}`, from: "203.0.113.9" });
    assert.equal(await auditsOf(service, who, "key_refused_by_address"), 1);
  });

  test("follows a change of its ranges at once", async () => {
    const { key, kid } = (await make(["192.0.2.0/24"])).body.data;
    assert.equal((await whoami(service, { key, from: "203.0.113.9" })).status, 401);
    const path = `/auth/keys/${kid}`;
    const json = { allowed_cidrs: ["203.0.113.0/24"] };
    await service.request(path, { method: "PATCH", token, json });
    assert.equal((await whoami(service, { key, from: "203.0.113.9" })).status, 200);
    assert.equal((await whoami(service, { key, from: "192.0.2.1" })).status, 401);
  });
});
