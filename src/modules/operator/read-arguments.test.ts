/** What must hold of a command line before anything is looked at; every action is signed. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { FieldRefused } from "../../kit/errors.ts";
import { COMMANDS } from "./commands.ts";
import { readArguments, WrongUsage } from "./read-arguments.ts";

const SIGNED = ["--by", "D. Joseph", "--why", "ticket 4711"];
const NUMBER = "1234567890";
const ID = "TT-01KGWQ6Y7RN5C0P8V3T2M4X9ZD";

function read(name: string, ...args: string[]) {
  const command = COMMANDS.find((one) => one.name === name);
  assert(command !== undefined, name);
  return readArguments(command, args);
}

describe("calling a command wrongly is told in one sentence", () => {
  const NEEDS_ONE = "main-merchant needs one of --mark and --unmark.";
  const wrong: [string[], string][] = [
    [["freeze-account", NUMBER], "freeze-account needs --by, --why."],
    [["freeze-account", NUMBER, "--by", "D", "--why", ""], "freeze-account needs --why."],
    [["freeze-account", ...SIGNED], "freeze-account needs <account_number>."],
    [["freeze-account", NUMBER, "2", ...SIGNED], 'freeze-account does not take "2".'],
    [["freeze-account", NUMBER, "--force", ...SIGNED], "Unknown option '--force'."],
    [["freeze-account", NUMBER, ...SIGNED, ...SIGNED], "--by is given twice."],
    [["main-merchant", NUMBER, ...SIGNED], NEEDS_ONE],
    [["main-merchant", NUMBER, "--mark", "--unmark", ...SIGNED], NEEDS_ONE],
    [
      ["open-account", ...SIGNED],
      "open-account needs --email, --first-name, --last-name, --type, --country.",
    ],
    [["audit", "--limit"], "Option '--limit <value>' argument missing."],
    [["reconcile", "--by", "D"], "Unknown option '--by'."],
    [["open-chargeback", ID, "--amount", "", ...SIGNED], "--amount has no value."],
    [
      ["freeze-account", NUMBER, "--by", "D", "--why", "-5"],
      "Write a value that begins with a dash with =, as in --why=-5.",
    ],
  ];
  for (const [[name = "", ...args], sentence] of wrong)
    test(`${name} ${args.join(" ")}`, () => {
      assert.throws(() => read(name, ...args), new WrongUsage(sentence));
    });
});

test("a value that breaks its rule is refused as in a request", () => {
  const cases: [string[], string][] = [
    [["freeze-account", "12", ...SIGNED], "The account number must have ten digits"],
    [["freeze-account", "owner@example.com", ...SIGNED], "The account number must have ten digits"],
    [["freeze-account", NUMBER, "--by", "a\u001bb", "--why", "x"], "The --by format is invalid."],
    [
      ["freeze-account", NUMBER, "--by", "D", "--why", "x".repeat(256)],
      "The --why must not be longer",
    ],
    [["audit", "--since", "yesterday"], "The --since must be a day such as"],
    [["audit", "--limit", "1001"], "The --limit must be a whole number from 1 to 1000."],
  ];
  for (const [[name = "", ...args], begin] of cases)
    assert.throws(
      () => read(name, ...args),
      (error) => error instanceof FieldRefused && error.message.startsWith(begin),
      begin,
    );
});

test("no action is read without a name and a reason, and no read asks for them", () => {
  for (const { name, kind, example } of COMMANDS) {
    const given = example.given.split(" ").filter((word) => word !== "");
    if (kind === "read") assert.equal(read(name, ...given).json, false);
    else assert.throws(() => read(name, ...given), new WrongUsage(`${name} needs --by, --why.`));
  }
});

test("options may stand before or after what they are about, with a space or an equals sign", () => {
  const { input, signature, json } = read(
    "freeze-account",
    "--by=D. Joseph",
    "--json",
    NUMBER,
    "--why",
    "ticket",
  );
  assert.deepEqual(input, { account_number: NUMBER });
  assert.deepEqual(signature, { by: "D. Joseph", why: "ticket" });
  assert.equal(json, true);
});
