/**
 * Passwords are kept as argon2id at the stated costs, with a pepper the database does not have, and
 * nobody can make the service hash more than a few at a time.
 */

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { describe, test } from "node:test";
import { verify } from "@node-rs/argon2";
import { readConfig } from "../../infra/config.ts";
import { createLog } from "../../infra/log.ts";
import { Unavailable } from "../../kit/errors.ts";
import { parseKeyring } from "../../kit/secrets.ts";
import { createPasswords, HASHES_AT_ONCE, newPasswordField, passwordField } from "./passwords.ts";

const silent = createLog({ level: "silent" });
const secret = () => randomBytes(32).toString("base64");
const RINGS = { old: `old:${secret()}`, new: `new:${secret()}` };

function settings(hashing: "standard" | "floor", ...rings: string[]) {
  const peppers = parseKeyring(rings.join(","));
  assert(peppers !== undefined);
  return { peppers, hashing, complexity: false, failuresMax: 0 };
}

describe("a stored digest", () => {
  test("is argon2id with 64 MiB, two passes, one lane, a salt of 16 and a tag of 32", async () => {
    const { digest, pepperId } = await createPasswords(
      settings("standard", RINGS.new),
      silent,
    ).digest("correct horse");
    const [, algorithm, version, costs, salt = "", tag = ""] = digest.split("$");
    assert.deepEqual([algorithm, version, costs], ["argon2id", "v=19", "m=65536,t=2,p=1"]);
    assert.equal(Buffer.from(salt, "base64").length, 16);
    assert.equal(Buffer.from(tag, "base64").length, 32);
    assert.equal(pepperId, "new");
  });

  test("of the floor for tests is the least that is acceptable", async () => {
    const passwords = createPasswords(settings("floor", RINGS.new), silent);
    const { digest } = await passwords.digest("correct horse");
    assert.match(digest, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  test("is another one each time, because the salt is", async () => {
    const passwords = createPasswords(settings("floor", RINGS.new), silent);
    const [one, other] = [await passwords.digest("same"), await passwords.digest("same")];
    assert.notEqual(one.digest, other.digest);
    assert.notEqual(one.digest.split("$")[4], other.digest.split("$")[4]);
  });

  test("cannot be checked without the pepper", async () => {
    const config = settings("floor", RINGS.new);
    const { digest } = await createPasswords(config, silent).digest("correct horse");
    assert.equal(await verify(digest, "correct horse"), false);
    const secretOfOurs = config.peppers.current.bytes;
    assert.equal(await verify(digest, "correct horse", { secret: secretOfOurs }), true);
  });

  test("made under an older pepper or with other costs still matches and is outdated", async () => {
    const past = createPasswords(settings("floor", RINGS.old), silent);
    const stored = await past.digest("correct horse");
    const today = createPasswords(settings("floor", RINGS.new, RINGS.old), silent);
    assert.equal(await today.matches("correct horse", stored), true);
    assert.equal(await today.matches("wrong horse", stored), false);
    assert.equal(today.isOutdated(stored), true);
    assert.equal(past.isOutdated(stored), false);
    const costlier = createPasswords(settings("standard", RINGS.old), silent);
    assert.equal(await costlier.matches("correct horse", stored), true);
    assert.equal(costlier.isOutdated(stored), true);
  });

  test("made under a pepper that is gone matches nothing, as if there were no such account", async () => {
    const stored = await createPasswords(settings("floor", RINGS.old), silent).digest("any");
    const today = createPasswords(settings("floor", RINGS.new), silent);
    assert.equal(await today.matches("any", stored), false);
  });

  test("of nobody never matches", async () => {
    const passwords = createPasswords(settings("floor", RINGS.new), silent);
    assert.equal(await passwords.matches("correct horse", undefined), false);
  });
});

test("of thirty at once those under way and twenty more are hashed, the others come back", async (t) => {
  // No time limit: this is about the number of waiting calls.
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const passwords = createPasswords(settings("floor", RINGS.new), silent);
  const results = await Promise.allSettled(
    Array.from({ length: 30 }, () => passwords.matches("any", undefined)),
  );
  const refused = results.filter((result) => result.status === "rejected");
  assert.equal(refused.length, 30 - 20 - HASHES_AT_ONCE);
  for (const { reason } of refused) assert(reason instanceof Unavailable);
  assert.equal(await passwords.matches("any", undefined), false, "and the semaphore is free again");
});

describe("settings", () => {
  const key = () => `k:${secret()}`;
  const production = () => ({
    STAGE: "production",
    DATABASE_URL: "postgres://localhost/x",
    PUBLIC_URL: "https://api.example.com",
    PASSWORD_PEPPERS: key(),
    TOKEN_PEPPERS: key(),
    WRAPPING_KEYS: key(),
  });

  test("of production hash at the standard costs, ask for complexity and throttle", () => {
    const { passwords } = readConfig(production());
    assert.deepEqual(
      [passwords.hashing, passwords.complexity, passwords.failuresMax],
      ["standard", true, 10],
    );
  });

  test("of production refuse the floor", () => {
    assert.throws(
      () => readConfig({ ...production(), PASSWORD_HASHING: "floor" }),
      /PASSWORD_HASHING must be standard\./,
    );
  });

  test("of production refuse to start without a pepper, or with a short one", () => {
    for (const PASSWORD_PEPPERS of ["", "k:c2hvcnQ=", "nonsense"])
      assert.throws(() => readConfig({ ...production(), PASSWORD_PEPPERS }), /PASSWORD_PEPPERS/);
  });
});

describe("the fields", () => {
  test("a password to sign in with is 8 to 256 characters, taken as it is", () => {
    for (const good of ["12345678", "x".repeat(256), "🌴".repeat(256), "  spaces  "])
      assert.equal(passwordField.read(good, "password"), good);
    for (const bad of ["1234567", "🌴".repeat(7), "x".repeat(257), 12345678, ["12345678"]])
      assert.throws(() => passwordField.read(bad, "password"));
  });

  const CHOSEN: readonly [password: string, isComplex: boolean][] = [
    ["Sandbox-2026", true],
    ["aA1!aaaa", true],
    ["Ünïcode-1", true],
    ["éÉ1!éééé", true],
    ["aA1 aaaa", false],
    ["sandbox-2026", false],
    ["SANDBOX-2026", false],
    ["Sandbox-year", false],
    ["Sandbox2026", false],
    ["aA1!aaa", false],
  ];
  for (const [password, isComplex] of CHOSEN)
    test(`${password} is ${isComplex ? "" : "not "}complex enough`, () => {
      const read = () => newPasswordField({ complexity: true }).read(password, "password");
      if (isComplex) assert.equal(read(), password);
      else assert.throws(read);
    });

  test("where no complexity is asked for, eight characters of any kind will do", () => {
    const plain = newPasswordField({ complexity: false });
    assert.equal(plain.read("aaaaaaaa", "password"), "aaaaaaaa");
    assert.throws(() => plain.read("aaaaaaa", "password"));
  });
});
