/**
 * The guarantee: what an operator ends is worthless at once, on every process, for one account or
 * for whatever a signing key signed; and the trail says who did it and why (Decision 0073).
 */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import { attempt, REFRESH_INVALID, refresh, whoami } from "../../testkit/auth.ts";
import { mintKey } from "../../testkit/credentials.ts";
import { expectRefusals, operatorEntries, operatorJson, SIGNED } from "../../testkit/operator.ts";
import { startTwoServices } from "../../testkit/two-services.ts";

const { service, sibling } = await startTwoServices();

describe("end-credentials", () => {
  test("ends tokens, refresh tokens and keys of one account, on every process at once", async () => {
    const who = await service.world.merchant();
    const other = await service.world.merchant();
    const { access_token: token, refresh_token } = await who.signIn();
    const { key } = await mintKey(service.ctx, who, ["svc-user-all"]);
    const live = await mintKey(service.ctx, who, ["svc-user-all"], { prefix: "live" });
    const kept = await other.signIn();
    const statuses = async () =>
      Promise.all(
        [service, sibling].flatMap((at) => [
          whoami(at, { token }).then(({ status }) => status),
          whoami(at, { key }).then(({ status }) => status),
          whoami(at, { key: live.key }).then(({ status }) => status),
        ]),
      );
    assert.deepEqual(await statuses(), Array(6).fill(200));
    const done = await operatorJson(service, ["end-credentials", who.email, ...SIGNED]);
    assert.deepEqual(
      { ...done, audit_entry: 0 },
      {
        action: "credentials_ended",
        account_number: who.accountNumber,
        sign_ins: 1,
        api_keys: 2,
        audit_entry: 0,
      },
    );
    assert.deepEqual(await statuses(), Array(6).fill(401));
    assert.equal((await refresh(sibling, refresh_token)).text, REFRESH_INVALID);
    for (const at of [service, sibling])
      assert.equal((await whoami(at, { token: kept.access_token })).status, 200);
    assert.deepEqual((await operatorEntries(service)).at(-1), {
      action: "credentials_ended",
      account_number: who.accountNumber,
      actor: "operator D. Joseph",
      detail: { why: "ticket 4711", sign_ins: 1, api_keys: 2 },
    });
    // The password is the owner's still.
    assert.equal((await attempt(service, who)).status, 200);
    const again = await operatorJson(service, ["end-credentials", who.accountNumber, ...SIGNED]);
    assert.deepEqual([again.sign_ins, again.api_keys], [1, 0]);
  });

  test("also ends those of a frozen account, which stay ended when it goes on", async () => {
    const who = await service.world.merchant();
    const { access_token: token } = await who.signIn();
    for (const name of ["freeze-account", "end-credentials", "unfreeze-account"])
      await operatorJson(service, [name, who.accountNumber, ...SIGNED]);
    assert.equal((await whoami(service, { token })).status, 401);
    assert.equal((await attempt(service, who)).status, 200);
  });
});

test("commands that take an account refuse an unknown, a closed and a frozen one in words", async () => {
  const frozen = await service.world.merchant();
  await operatorJson(service, ["freeze-account", frozen.accountNumber, ...SIGNED]);
  const closed = await service.world.merchant();
  await service.ctx.db.run(sql`
    update accounts set status = 'closed', closed_at = app_now()
    where account_number = ${closed.accountNumber}`);
  const isClosed = `Account ${closed.accountNumber} is closed for good.`;
  await expectRefusals(service, [
    ...["reset-password", "end-credentials"].flatMap((name) => [
      [[name, "9999999999", ...SIGNED], "There is no account 9999999999."] as const,
      [[name, "no@example.com", ...SIGNED], "There is no account no@example.com."] as const,
      [[name, closed.email, ...SIGNED], isClosed] as const,
      [
        [name, "nobody", ...SIGNED],
        "The account must be an account number or an email address.",
      ] as const,
    ]),
    [
      ["reset-password", frozen.accountNumber, ...SIGNED],
      `Account ${frozen.accountNumber} is frozen: unfreeze-account comes first.`,
    ],
  ]);
});

test("end-signing-keys refuses at once what a retired key signed, and nothing else", async () => {
  const who = await service.world.merchant();
  const { access_token: old, refresh_token } = await who.signIn();
  await operatorJson(service, ["rotate-signing-keys", ...SIGNED]);
  const { access_token: fresh } = await who.signIn();
  for (const token of [old, fresh]) assert.equal((await whoami(sibling, { token })).status, 200);
  const done = await operatorJson(service, ["end-signing-keys", ...SIGNED]);
  assert.deepEqual([done.action, done.kids.length], ["signing_keys_ended", 1]);
  for (const at of [service, sibling]) {
    assert.equal((await whoami(at, { token: old })).status, 401);
    assert.equal((await whoami(at, { token: fresh })).status, 200);
  }
  const { body } = await service.request("/.well-known/jwks.json");
  assert(!body.keys.some(({ kid }: { kid: string }) => done.kids.includes(kid)));
  assert.equal((await refresh(service, refresh_token)).status, 200);
  const again = await operatorJson(service, ["end-signing-keys", ...SIGNED]);
  assert.deepEqual(again.kids, []);
});

test("peppers counts what each digests, by setting", async () => {
  const who = await service.world.merchant();
  await who.signIn();
  await mintKey(service.ctx, who, ["svc-user-all"]);
  const { peppers } = await operatorJson(service, ["peppers"]);
  const seen = peppers.map(({ setting, what }: Record<string, string>) => `${setting} ${what}`);
  assert.deepEqual(
    new Set(seen),
    new Set([
      "PASSWORD_PEPPERS passwords",
      "TOKEN_PEPPERS API keys",
      "TOKEN_PEPPERS refresh tokens",
    ]),
  );
  const before = peppers.find(({ what }: { what: string }) => what === "passwords");
  await service.ctx.db.run(sql`
    update accounts set pepper_id = 'older' where account_number = ${who.accountNumber}`);
  const after = (await operatorJson(service, ["peppers"])).peppers;
  const older = after.find(({ pepper }: { pepper: string }) => pepper === "older");
  assert.deepEqual([older.what, older.count], ["passwords", 1]);
  assert(before.count > 1);
});
