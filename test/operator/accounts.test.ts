/**
 * The guarantee: what an operator does to an account happens whole, signed and at once, beside a
 * running service; and a refusal changes nothing.
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import {
  expectRefusal,
  expectRefusals,
  operator,
  operatorEntries,
  operatorJson,
  operatorProcess,
  SIGNED,
} from "../../testkit/operator.ts";
import { startService, type TestService } from "../../testkit/service.ts";
import { until } from "../../testkit/until.ts";
import type { Person } from "../../testkit/world.ts";

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.stop());

const NEW = [
  ...["--first-name", "Anika", "--last-name", "Mohammed"],
  ...["--type", "BUSINESS", "--country", "TT", ...SIGNED],
];
const opening = (email: string) => ["open-account", "--email", email, ...NEW];

async function lastEntry() {
  const { detail, ...rest } =
    (await operatorEntries(service)).at(-1) ?? assert.fail("nobody did anything");
  return { ...rest, ...detail };
}

const signIn = (email: string, password: string) =>
  service.request("/auth/tokens", {
    method: "POST",
    json: { email, password, scopes: "svc-user-all" },
  });

async function hasFailed({ accountNumber }: Person): Promise<boolean> {
  const rows = await service.ctx.db.rows(sql`
    select from audit_entries
    where account_number = ${accountNumber} and action = 'sign_in_failed'`);
  return rows.length === 1;
}

/** How many connections to this database wait for a lock. */
async function waiting(): Promise<number> {
  const { count } = await service.ctx.db.one<{ count: number }>(sql`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`);
  return count;
}

async function stateOf({ accountNumber }: Pick<Person, "accountNumber">) {
  return service.ctx.db.one<{ is_verified: boolean }>(sql`
    select status, is_main_merchant, verified_at is not null as is_verified
    from accounts where account_number = ${accountNumber}`);
}

describe("opening an account", () => {
  test("with a made password shows it once, its owner signs in, and the trail has no secret", async () => {
    const opened = await operatorJson(service, opening("first@example.com"));
    const { account_number: accountNumber, password, audit_entry: entry, ...rest } = opened;
    assert.deepEqual(rest, { action: "account_opened" });
    assert.match(password, /^[0-9A-Za-z]{6}(-[0-9A-Za-z]{6}){3}$/);
    assert.equal(typeof entry, "number");
    assert.equal((await signIn("first@example.com", password)).status, 200);
    assert.deepEqual(await lastEntry(), {
      action: "account_opened",
      account_number: accountNumber,
      actor: "operator D. Joseph",
      why: "ticket 4711",
      account_type: "BUSINESS",
      country_code: "TT",
    });
    const state = await stateOf({ accountNumber });
    assert.deepEqual(state, { status: "active", is_main_merchant: false, is_verified: false });
  });

  test("with a piped password takes its first line and does not show it", async () => {
    const args = [...opening("Piped@Example.com"), "--password-stdin", "--phone", "+18686235555"];
    const said = await operatorProcess(service, args, { stdin: "Correct-Horse-9\nmore\n" });
    assert.equal(said.code, 0, said.stderr);
    assert.match(said.stdout, /^Account \d{10} is open\.\nAudit entry \d+\.\n$/);
    assert.equal((await signIn("piped@example.com", "Correct-Horse-9")).status, 200);
  });

  test("a made password is good enough for production", async () => {
    const settings = { PASSWORD_COMPLEXITY: "true" };
    const args = opening("complex@example.com");
    const { password } = await operatorJson(service, args, { settings });
    for (const kind of [/[a-z]/, /[A-Z]/, /\d/, /-/]) assert.match(password, kind);
  });

  test("is refused for a taken e-mail, a weak or missing password and a foreign phone", async () => {
    await operatorJson(service, opening("taken@example.com"));
    const fresh = opening("fresh@example.com");
    const cases: [string[], string, string?][] = [
      [opening("taken@example.com"), "The email has already been taken."],
      [opening("no address"), "The --email must be a valid email address."],
      [opening("4242424242424242@shop.example"), "The --email must not contain a card number."],
      [
        fresh.map((word) => (word === "Anika" ? "4242 4242 4242 4242" : word)),
        "The --first-name must not contain a card number.",
      ],
      [
        [...fresh, "--phone", "+14155550100"],
        "The phone must be a valid phone number of Trinidad and Tobago.",
      ],
      [[...fresh, "--password-stdin"], "No password was piped in."],
      [[...fresh, "--password-stdin"], "The password must be at least 8 characters.", "short"],
      [
        [...fresh, "--password-stdin"],
        "The password must not be the account's email.",
        "fresh@example.com",
      ],
    ];
    await expectRefusals(service, cases);
  });
});

describe("freezing", () => {
  test("stops tokens, keys, refreshing and sign-ins of a running service at once, until it ends", async () => {
    const neighbour = await startService({ database: service.database });
    const who = await service.world.merchant();
    const { access_token: token, refresh_token } = await who.signIn();
    const { key } = await who.makeKey();
    const statuses = async () => [
      (await service.request("/auth/whoami", { token })).status,
      (await neighbour.request("/auth/whoami", { token })).status,
      (await neighbour.request("/auth/whoami", { key })).status,
      (await signIn(who.email, who.password)).status,
    ];
    try {
      assert.deepEqual(await statuses(), [200, 200, 200, 200]);
      const frozen = await operatorJson(service, ["freeze-account", who.accountNumber, ...SIGNED]);
      assert.deepEqual(
        { ...frozen, audit_entry: 0 },
        {
          action: "account_frozen",
          account_number: who.accountNumber,
          status: "frozen",
          audit_entry: 0,
        },
      );
      assert.deepEqual(await statuses(), [401, 401, 401, 401]);
      const refreshed = { method: "POST", json: { refresh_token } };
      assert.equal((await service.request("/auth/tokens/refresh", refreshed)).status, 401);
      assert.deepEqual(await lastEntry(), {
        action: "account_frozen",
        account_number: who.accountNumber,
        actor: "operator D. Joseph",
        why: "ticket 4711",
      });
      await until(() => hasFailed(who), "the trail of the refused sign-in, behind its answer");
      await expectRefusal(
        service,
        ["freeze-account", who.accountNumber, ...SIGNED],
        `Account ${who.accountNumber} is frozen already.`,
      );

      const active = await operatorJson(service, [
        "unfreeze-account",
        who.accountNumber,
        ...SIGNED,
      ]);
      assert.equal(active.status, "active");
      assert.deepEqual(await statuses(), [200, 200, 200, 200]);
      assert.equal((await lastEntry()).action, "account_unfrozen");
      await expectRefusal(
        service,
        ["unfreeze-account", who.accountNumber, ...SIGNED],
        `Account ${who.accountNumber} is not frozen.`,
      );
    } finally {
      await neighbour.stop();
    }
  });

  test("of one account by two operators at once happens once, and one of them is told", async () => {
    const who = await service.world.merchant();
    const earlier = (await operatorEntries(service)).length;
    const args = ["freeze-account", who.accountNumber, ...SIGNED];
    // Held until both stand before the row: neither can have seen what the other did.
    const said = await service.ctx.db.transaction(async (tx) => {
      await tx.run(sql`
        select 1 from accounts where account_number = ${who.accountNumber} for update`);
      const both = Promise.all([operator(service, args), operator(service, args)]);
      await until(async () => (await waiting()) === 2, "both wait for the account");
      return { both };
    });
    const codes = (await said.both).map(({ code }) => code).sort();
    assert.deepEqual(codes, [0, 1]);
    assert.equal((await operatorEntries(service)).length, earlier + 1);
  });
});

describe("verifying and marking", () => {
  test("verify-account verifies once", async () => {
    const { account_number: accountNumber } = await operatorJson(
      service,
      opening("verify@example.com"),
    );
    const args = ["verify-account", accountNumber, ...SIGNED];
    const done = await operatorJson(service, args);
    assert.equal(done.verified, true);
    assert.equal((await stateOf({ accountNumber })).is_verified, true);
    assert.equal((await lastEntry()).action, "account_verified");
    await expectRefusal(service, args, `Account ${accountNumber} is verified already.`);
  });

  test("main-merchant gives the scopes of accounts to a business and takes them away", async () => {
    const who = await service.world.merchant();
    const change = (how: string) => ["main-merchant", who.accountNumber, how, ...SIGNED];
    const scopes = `${who.allScopes} svc-accounts-all`;
    const marked = await operatorJson(service, change("--mark"));
    assert.equal(marked.main_merchant, true);
    const { access_token: token } = await who.signIn(scopes);
    const mine = `/accounts/${who.accountNumber}`;
    assert.equal((await service.request(mine, { token })).status, 200);
    await expectRefusal(
      service,
      change("--mark"),
      `Account ${who.accountNumber} is a main merchant already.`,
    );

    await operatorJson(service, change("--unmark"));
    assert.equal((await service.request(mine, { token })).status, 403);
    assert.equal((await lastEntry()).action, "main_merchant_unmarked");
    await expectRefusal(
      service,
      change("--unmark"),
      `Account ${who.accountNumber} is no main merchant already.`,
    );
  });

  test("a person cannot be a main merchant", async () => {
    const { accountNumber } = await service.world.person();
    await expectRefusal(
      service,
      ["main-merchant", accountNumber, "--mark", ...SIGNED],
      `Account ${accountNumber} is PERSONAL: only a BUSINESS account can be a main merchant.`,
    );
  });
});

describe("an account that is not there", () => {
  const actions = [["verify-account"], ["freeze-account"], ["unfreeze-account"], ["main-merchant"]];
  for (const [name = ""] of actions) {
    const how = name === "main-merchant" ? ["--mark"] : [];
    test(`${name} refuses an unknown, a closed and a misspelt number`, async () => {
      const { accountNumber } = await service.world.merchant();
      await service.ctx.db.run(sql`
        update accounts set status = 'closed', closed_at = app_now()
        where account_number = ${accountNumber}`);
      const cases: [string, string][] = [
        ["9999999999", "There is no account 9999999999."],
        [accountNumber, `Account ${accountNumber} is closed for good.`],
        ["12345", "The account number must have ten digits and not begin with 0."],
      ];
      await expectRefusals(
        service,
        cases.map(([number, sentence]) => [[name, number, ...how, ...SIGNED], sentence]),
      );
    });
  }

  test("show-account says so", async () => {
    await expectRefusals(service, [
      [["show-account", "9999999999"], "There is no account 9999999999."],
      [["show-account", "Nobody@example.com"], "There is no account nobody@example.com."],
      [["show-account", "nobody"], "The account must be an account number or an email address."],
    ]);
  });
});

test("show-account tells state, credentials and balances, and writes nothing", async () => {
  const who = await service.world.merchant();
  await who.signIn();
  await who.makeKey();
  const before = (await operatorEntries(service)).length;
  const shown = await operatorJson(service, ["show-account", who.email.toUpperCase()]);
  assert.equal(shown.account_number, who.accountNumber);
  // Two sign-ins: one of its own, and one that made the key.
  const counts = { sign_ins: 2, active_keys: 1, accounts_made: 0 };
  const expected = { status: "active", ...counts, main_merchant: false, balances: [] };
  for (const [name, value] of Object.entries(expected)) assert.deepEqual(shown[name], value, name);
  assert.doesNotMatch(JSON.stringify(shown), /digest|argon2|pepper/);
  assert.equal((await operatorEntries(service)).length, before);
});
