/**
 * The guarantee: a command that is called wrongly says so, with exit code 2, before anything is
 * looked at; and what an operator does cannot stay unsigned.
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { openDatabase } from "../../src/infra/db/database.ts";
import { sql } from "../../src/infra/db/query.ts";
import { createLog } from "../../src/infra/log.ts";
import { createAct } from "../../src/modules/operator/act.ts";
import { startCuttingProxy } from "../../testkit/cutting-proxy.ts";
import {
  auditOf,
  expectRefusal,
  operatorJson,
  operatorProcess,
  SIGNED,
} from "../../testkit/operator.ts";
import { startService, type TestService } from "../../testkit/service.ts";
import { until } from "../../testkit/until.ts";

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.stop());

describe("calling a command wrongly", () => {
  test("is told in one sentence, with exit code 2 and no database", async () => {
    const stderr =
      "freeze-account needs --by, --why.\nSee: npm run operator -- freeze-account --help\n";
    const said = await operatorProcess(undefined, ["freeze-account", "1234567890"]);
    assert.deepEqual(said, { code: 2, stdout: "", stderr });
  });

  test("an unknown command is told with the list of those there are", async () => {
    const { code, stdout, stderr } = await operatorProcess(undefined, ["frieze-account"]);
    assert.deepEqual([code, stdout], [2, ""]);
    assert.match(stderr, /^There is no command "frieze-account"\.\n\nUsage: /);
  });
});

test("where no Windward runs and no DATABASE_URL is set, it says what to do, with exit code 1", async () => {
  const { code, stderr } = await operatorProcess(undefined, ["reconcile"]);
  assert.equal(code, 1);
  assert.match(stderr, /No Windward is running on .*\. Start it first, or set DATABASE_URL\./);
});

test("a database that does not answer is told in words, with exit code 1", async () => {
  const settings = { DATABASE_URL: "postgres://nobody@127.0.0.1:1/nothing" };
  const { code, stderr } = await operatorProcess(undefined, ["reconcile"], { settings });
  assert.equal(code, 1);
  assert.match(stderr, /PostgreSQL at DATABASE_URL does not answer\./);
});

test("rotate-signing-keys signs with the next key, keeps tokens good and names the key", async () => {
  const who = await service.world.merchant();
  const { access_token: token } = await who.signIn();
  const next = await service.ctx.db.one<{ kid: string }>(
    sql`select kid from signing_keys where state = 'next'`,
  );
  const done = await operatorJson(service, ["rotate-signing-keys", ...SIGNED]);
  assert.deepEqual([done.action, done.kid], ["signing_keys_rotated", next.kid]);
  assert.equal((await service.request("/auth/whoami", { token })).status, 200);
  assert.deepEqual((await auditOf(service)).at(-1), {
    action: "signing_keys_rotated",
    account_number: null,
    actor: "operator D. Joseph",
    detail: { why: "ticket 4711", kid: next.kid },
  });
});

test("rotate-signing-keys is refused before the first start has made keys", async () => {
  const own = await startService();
  await own.ctx.db.run(sql`delete from signing_keys`);
  const sentence = "There are no signing keys yet: the first start of the service makes them.";
  await expectRefusal(own, ["rotate-signing-keys", ...SIGNED], sentence);
  await own.stop();
});

describe("when the answer to COMMIT is lost", () => {
  for (const [when, isDone] of [
    ["before", false],
    ["after", true],
  ] as const)
    test(`${when} the database received it: ${isDone ? "reported as done" : "one sentence says so"}`, async () => {
      const who = await service.world.merchant();
      const proxy = await startCuttingProxy(service.database.url);
      proxy.cutNextCommit(when);
      const database = { url: proxy.url, drop: async () => {} };
      const said = await operatorProcess({ database }, [
        "freeze-account",
        who.accountNumber,
        ...SIGNED,
      ]);
      await proxy.close();
      assert.equal(proxy.hasCut(), true);
      const trouble =
        "The database is in trouble or too busy: Whether it was committed is not known.\n" +
        "Look with audit whether an action was done before you repeat it.\n";
      const stderr = said.stderr.replace(/^\{.*\}\n/gm, "");
      assert.deepEqual([said.code, stderr], isDone ? [0, ""] : [1, trouble]);
      const { status } = await service.ctx.db.one<{ status: string }>(
        sql`select status from accounts where account_number = ${who.accountNumber}`,
      );
      assert.equal(status, isDone ? "frozen" : "active");
    });

  test("an entry of the same number that somebody else wrote is not taken for one's own", async () => {
    const who = await service.world.merchant();
    const proxy = await startCuttingProxy(service.database.url);
    const log = createLog({ level: "silent" });
    const db = openDatabase({ url: proxy.url, connectionsMax: 2, log });
    const act = createAct(db, { by: "D. Joseph", why: "ticket 4711" });
    let number: bigint | undefined;
    proxy.cutNextCommit("before");
    const acting = act(async (tx) => {
      const { next } = await tx.one<{ next: bigint }>(
        sql`select coalesce(max(entry_id), 0) + 1 as next from audit_entries`,
      );
      number = (
        await tx.one<{ at: bigint }>(sql`
        select setval(pg_get_serial_sequence('audit_entries', 'entry_id'), ${next}) + 1 as at`)
      ).at;
      const { accountNumber } = who;
      return { entry: { action: "account_frozen", accountNumber }, data: {}, text: "Frozen." };
    });
    const refused = assert.rejects(acting, { status: 503 });
    await until(() => proxy.hasCut(), "the COMMIT was cut");
    await service.ctx.db.run(sql`
      insert into audit_entries (entry_id, action, actor, detail) overriding system value
      values (${number}, 'account_frozen', 'operator E', '{"why": "another ticket"}')`);
    await refused;
    await db.close();
    await proxy.close();
  });
});

describe("the audit trail", () => {
  test("is listed by account and time, newest first, at most as many as asked for", async () => {
    const who = await service.world.merchant();
    const entries = async (...args: string[]) =>
      (await operatorJson(service, ["audit", "--account", who.accountNumber, ...args])).entries;
    await operatorJson(service, ["freeze-account", who.accountNumber, ...SIGNED]);
    await service.clock.advance({ hours: 1 });
    await operatorJson(service, ["unfreeze-account", who.accountNumber, ...SIGNED]);
    const [later, earlier, ...others] = await entries();
    assert.deepEqual(others, []);
    assert.deepEqual([later.action, earlier.action], ["account_unfrozen", "account_frozen"]);
    assert.deepEqual(Object.keys(later), [
      "entry_id",
      "happened_at",
      "action",
      "account_number",
      "actor",
      "detail",
    ]);
    const middle = new Date(new Date(later.happened_at).getTime() - 60_000).toISOString();
    assert.deepEqual(await entries("--since", middle), [later]);
    assert.deepEqual(await entries("--until", middle), [earlier]);
    assert.deepEqual(await entries("--limit", "1"), [later]);
  });

  test("keeps no card number or key that somebody typed as a reason", async () => {
    const who = await service.world.merchant();
    const why = "asked by svc_live_abcdef0123456789 about 4111 1111 1111 1111";
    await operatorJson(service, ["freeze-account", who.accountNumber, "--by", "D", "--why", why]);
    const kept = (await auditOf(service)).at(-1)?.detail.why;
    assert.match(String(kept), /^asked by svc_live_\[masked\] about /);
    assert.doesNotMatch(String(kept), /4111/);
  });

  test("takes no entry of an operator without a reason, even by direct SQL", async () => {
    for (const detail of ["{}", '{"why": ""}', '{"why": null}'])
      await assert.rejects(
        service.ctx.db.run(sql`
          insert into audit_entries (action, actor, detail)
          values ('account_frozen', 'operator D', ${detail}::jsonb)`),
        { constraint: "an_operator_says_why" },
      );
  });
});
