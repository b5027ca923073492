/**
 * A deployment learns everything that is wrong with its settings at once, and no secret by
 * accident.
 */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { BadSettings, readConfig } from "./config.ts";
import { SETTINGS } from "./settings.ts";

const keyring = (byte: number) => `2026a:${Buffer.alloc(32, byte).toString("base64")}`;
const KEYRING = keyring(7);
const PRODUCTION = {
  STAGE: "production",
  DATABASE_URL: "postgres://windward@db.example.com/windward",
  PUBLIC_URL: "https://api.example.com/",
  PASSWORD_PEPPERS: keyring(1),
  TOKEN_PEPPERS: keyring(2),
  WRAPPING_KEYS: keyring(3),
};

function mistakesOf(env: Record<string, string>): string {
  try {
    readConfig(env);
  } catch (error) {
    assert(error instanceof BadSettings);
    return error.message;
  }
  return "";
}

describe("settings", () => {
  test("nothing set gives a development world on loopback with an embedded database", () => {
    const config = readConfig({});
    assert.equal(config.http.publicUrl, "http://localhost:3000");
    assert.equal(config.database.url, undefined);
    assert.equal(config.demoWorld, true);
    assert.equal(config.passwords.complexity, false);
    assert.equal(config.limitsPerMinute.signIn, 5);
  });

  test("production without its secrets names every one that is missing, at once", () => {
    const message = mistakesOf({ STAGE: "production" });
    for (const name of Object.keys(PRODUCTION).slice(1)) assert.match(message, new RegExp(name));
  });

  test("production with its secrets is stricter: complexity, throttle, metrics apart, no demo", () => {
    const config = readConfig(PRODUCTION);
    assert.equal(config.http.publicUrl, "https://api.example.com");
    assert.equal(config.passwords.complexity, true);
    assert.equal(config.passwords.failuresMax, 10);
    assert.equal(config.http.metricsPort, 9464);
    assert.equal(config.demoWorld, false);
  });

  test("production answers on https alone, also for payments", () => {
    for (const name of ["PUBLIC_URL", "PAYMENTS_PUBLIC_URL"])
      for (const address of [
        "http://pay.example.com",
        "https://u:p@pay.example.com",
        "https://a/?b",
      ])
        assert.match(
          mistakesOf({ ...PRODUCTION, [name]: address }),
          new RegExp(`- ${name} must begin with https:// in production`),
        );
    assert.equal(mistakesOf({ PAYMENTS_PUBLIC_URL: "http://pay.example.com" }), "");
    const apart = { ...PRODUCTION, PAYMENTS_PUBLIC_URL: "https://pay.example.com" };
    assert.equal(readConfig(apart).http.paymentsPublicUrl, "https://pay.example.com");
  });

  test("a number is taken up to the limit that its sentence names", () => {
    const most = { SECOND_PERSON_FROM_TTD: "1000000000" };
    assert.equal(readConfig(most).secondPersonFromTtd, 1_000_000_000);
    for (const wrong of ["1000000001", "9999999999", "1e9", "-1", "0x10", "00000000001"])
      assert.match(
        mistakesOf({ SECOND_PERSON_FROM_TTD: wrong }),
        /SECOND_PERSON_FROM_TTD must be a whole number from 0 to 1000000000\./,
      );
  });

  test("a host that would match nothing is refused", () => {
    for (const wrong of ["*.example.com", "https://a.example.com", "a.example.com:8443"])
      assert.match(
        mistakesOf({ ALLOWED_HOSTS: `b.example.com,${wrong}` }),
        /ALLOWED_HOSTS: \S+ is no host name\. Write each of them, or \* alone/,
      );
    for (const right of ["*", "a.example.com, b.example.com", "[::1]"])
      assert.equal(mistakesOf({ ALLOWED_HOSTS: right }), "");
  });

  test("a forgotten STAGE is not taken for development where production is meant", () => {
    const { STAGE: _, DATABASE_URL, ...rest } = PRODUCTION;
    const { PUBLIC_URL, ...keyrings } = rest;
    const missing = /- STAGE is missing, and DATABASE_URL with \w+ looks like production\./;
    for (const STAGE of [undefined, ""]) {
      const forgotten = { DATABASE_URL, ...(STAGE === undefined ? {} : { STAGE }) };
      for (const [name, value] of Object.entries(keyrings))
        assert.match(mistakesOf({ ...forgotten, [name]: value }), missing);
      for (const address of [{ PUBLIC_URL }, { PAYMENTS_PUBLIC_URL: PUBLIC_URL }])
        assert.match(mistakesOf({ ...forgotten, ...address }), missing);
      // What a developer sets.
      assert.equal(mistakesOf(forgotten), "");
      assert.equal(mistakesOf({ ...forgotten, PUBLIC_URL: "http://laptop.example" }), "");
    }
    assert.equal(mistakesOf(rest), "");
    assert.equal(mistakesOf({ ...PRODUCTION, STAGE: "development" }), "");
  });

  test("accounts to pay from are read, one for a platform and currency, or named as wrong", () => {
    const right = "TT:TTD:0012345678:FCTTTTPS:Windward Limited";
    assert.deepEqual(readConfig({ PAYOUT_ACCOUNTS: right }).payoutAccounts, [
      {
        countryCode: "TT",
        currency: "TTD",
        account: "0012345678",
        bank: "FCTTTTPS",
        name: "Windward Limited",
      },
    ]);
    assert.deepEqual(readConfig(PRODUCTION).payoutAccounts, []);
    assert.equal(readConfig({}).payoutAccounts.length, 30);
    for (const wrong of ["TT:TTD:1:FCTTTTPS:W", "TT:EUR:12345:FCTTTTPS:W", "FR:TTD:12345:X:W"])
      assert.match(mistakesOf({ PAYOUT_ACCOUNTS: wrong }), /PAYOUT_ACCOUNTS must be platform:/);
    assert.match(
      mistakesOf({ PAYOUT_ACCOUNTS: `${right},${right}` }),
      /two accounts for TTD of TT/,
    );
  });

  test("production refuses password hashing at the floor", () => {
    const message = mistakesOf({ ...PRODUCTION, PASSWORD_HASHING: "floor" });
    assert.match(message, /PASSWORD_HASHING must be standard/);
  });

  test("private webhook targets are allowed in development and can be refused there", () => {
    assert.equal(readConfig({}).webhooks.privateTargets, "allow");
    const settings = { WEBHOOK_PRIVATE_TARGETS: "refuse" };
    assert.equal(readConfig(settings).webhooks.privateTargets, "refuse");
  });

  test("production refuses private webhook targets, and takes no other word for it", () => {
    assert.equal(readConfig(PRODUCTION).webhooks.privateTargets, "refuse");
    const message = mistakesOf({ ...PRODUCTION, WEBHOOK_PRIVATE_TARGETS: "allow" });
    assert.match(message, /WEBHOOK_PRIVATE_TARGETS must be refuse/);
  });

  test("of an address that is missing in production one line is said", () => {
    const { PUBLIC_URL: _, ...others } = PRODUCTION;
    assert.equal(mistakesOf(others).match(/PUBLIC_URL/g)?.length, 1);
  });

  const unsafe: [settings: Record<string, string>, says: RegExp][] = [
    [{ PUBLIC_URL: "http://api.example.com" }, /PUBLIC_URL must begin with https/],
    [{ PUBLIC_URL: "https://a:b@api.example.com" }, /PUBLIC_URL must begin with https/],
    [{ TOKEN_PEPPERS: keyring(1) }, /must not share a key/],
    [{ TRUSTED_PROXIES: "0.0.0.0/0" }, /0\.0\.0\.0\/0 is not an address range/],
  ];
  for (const [settings, says] of unsafe)
    test(`production refuses ${JSON.stringify(settings)}`, () => {
      assert.match(mistakesOf({ ...PRODUCTION, ...settings }), says);
    });

  test("production refuses the key that stands in the example", () => {
    const example = SETTINGS.find((setting) => setting.name === "PASSWORD_PEPPERS")?.example ?? "";
    const mistakes = mistakesOf({ ...PRODUCTION, PASSWORD_PEPPERS: example });
    assert.match(mistakes, /holds the key of the example/);
  });

  test("the secrets of development differ from each other and are used nowhere in production", () => {
    const { passwords, tokenPeppers, wrappingKeys } = readConfig({});
    const keys = [passwords.peppers, tokenPeppers, wrappingKeys].map((ring) => ring.current);
    assert.equal(new Set(keys.map((key) => key.bytes.toString("hex"))).size, 3);
    assert.equal(readConfig(PRODUCTION).tokenPeppers.byId("development"), undefined);
  });

  const mistakes: [name: string, value: string, says: RegExp][] = [
    ["STAGE", "staging", /STAGE must be development or production/],
    ["PORT", "70000", /PORT must be a whole number from 0 to 65535/],
    ["PORT", "3e3", /PORT must be a whole number/],
    ["PUBLIC_URL", "ftp://x", /PUBLIC_URL must be an address beginning with http:\/\/ or https/],
    ["DATABASE_URL", "mysql://x/y", /DATABASE_URL must be an address beginning with postgres/],
    ["DATABASE_URL", "postgres://x/y?sslrootcert=/none", /cannot be read: sslrootcert=\/none/],
    ["TRUSTED_PROXIES", "10.0.0.0/33", /10\.0\.0\.0\/33 is not an address range/],
    ["TOKEN_PEPPERS", "short", /TOKEN_PEPPERS must be id:key/],
    ["TOKEN_PEPPERS", `${KEYRING},${KEYRING}`, /TOKEN_PEPPERS must be id:key/],
    ["LOG_LEVEL", "loud", /LOG_LEVEL must be/],
    ["PASSWORD_COMPLEXITY", "maybe", /PASSWORD_COMPLEXITY must be true or false/],
    ["ROLE", "boss", /ROLE must be all or web or worker/],
    ["WORKERS", "0", /WORKERS must be a whole number from 1 to 64/],
  ];
  for (const [name, value, says] of mistakes)
    test(`${name}=${value} is refused in words`, () => {
      assert.match(mistakesOf({ [name]: value }), says);
    });

  test("several mistakes are told together", () => {
    const message = mistakesOf({ PORT: "x", ROLE: "x", WORKERS: "x" });
    assert.equal(message.split("\n").length, 4);
  });

  test("an empty variable counts as absent", () => {
    assert.equal(readConfig({ PORT: "", DATABASE_URL: "" }).http.port, 3000);
  });
});
