/**
 * The guarantee: every command explains itself, what is typed wrongly ends with 2 and a hint, and
 * `--json` and options are understood before and behind a command.
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { EVENT_NAMES } from "../../sdk/src/api-operations.ts";
import { EVENT_NAMES as CATALOGUE } from "../../src/modules/events/catalogue.ts";
import { openTerminal, type Terminal } from "../../testkit/windward-tool.ts";

let terminal: Terminal;
before(() => {
  terminal = openTerminal();
});
after(() => terminal.close());

const COMMANDS = [
  ...["login", "logout", "whoami", "listen", "trigger", "events", "requests", "explain"],
  ...["simulate", "clock", "snapshot", "verify", "exam"],
];

test("the program names its commands, and nothing else", async () => {
  const { code, stdout } = await terminal.run(["--help"]);
  assert.equal(code, 0);
  const listed = [...stdout.matchAll(/^ {2}(\w+) {2,}/gm)].map(([, name]) => name);
  assert.deepEqual(
    listed.filter((name) => name !== "help"),
    COMMANDS,
  );
});

for (const command of COMMANDS)
  test(`${command} has a help, with examples or options`, async () => {
    const { code, stdout, stderr } = await terminal.run([command, "--help"]);
    assert.deepEqual([code, stderr], [0, ""]);
    assert.match(stdout, new RegExp(`^Usage: windward ${command}`));
    assert(!stdout.includes("\u001b"), "no colour outside of a terminal");
  });

describe("what is typed wrongly ends with 2 and a hint:", () => {
  const calls: [string[], RegExp][] = [
    [["nonsense"], /unknown command 'nonsense'\nSee: npx windward --help$/m],
    [["lisen"], /Did you mean listen/],
    [["whoami", "--nope"], /unknown option '--nope'/],
    [["trigger"], /missing required argument 'event'\nSee: npx windward trigger --help$/m],
    [["verify", "redirect", "--nope"], /'--nope'\nSee: npx windward verify redirect --help$/m],
    [["trigger", "payment.sucess"], /Did you mean payment\.success or/],
    [["trigger", "payment.paid"], /Did you mean payment\.success\?/],
    [["trigger", "charge.refund.created"], /Did you mean payment\.refunded\?/],
    [["trigger", "dispute"], /Did you mean payment\.chargeback_pending\?/],
    [["trigger", "withdrawal.paid"], /Did you mean withdrawal\./],
    [["trigger", "payment.created", "--on", "SB-TT-1"], /Leave --on away/],
    [["simulate", "SB-TT-1", "aprove"], /Did you mean approve or/],
    [["simulate", "0190a1b2", "error", "--seconds", "abc"], /--seconds is a whole number from 0/],
    [["clock", "advance"], /clock advance 3m/],
    [["clock", "advance", "3"], /90s, 3m, 24h, 5d or 1mo/],
    [["clock", "set", "soon"], /2026-12-01T09:00:00Z/],
    [["snapshot", "restore"], /needs a name/],
    [["listen", "--events", "refund.*"], /payment\.\*/],
    [["listen", "--secret", "hush"], /begins with whsec_/],
    [["listen", "--forward-to", "http://"], /http:\/\/localhost:8000\/webhooks/],
    [["whoami", "--url", "localhost"], /Write it like http:\/\/localhost:3000/],
    [["events", "--limit", "many"], /whole number/],
    [["whoami", "--url", "http://me:hush@localhost:3000"], /^--url or WINDWARD_URL takes no user/],
    [["whoami", "--url", "me:hush@localhost:3000"], /no user name and no password/],
    [["listen", "--forward-to", "me:hush@localhost:8000"], /^--forward-to takes no user name/],
  ];
  for (const [args, hint] of calls)
    test(args.join(" "), async () => {
      const env = { WINDWARD_KEY: "svc_test_a_b" };
      const { code, stdout, stderr } = await terminal.run(args, { env });
      assert.deepEqual([code, stdout], [2, ""]);
      assert.match(stderr, hint);
      assert(stderr.trimEnd().split("\n").length <= 3, `a line, and what to do next: ${stderr}`);
      assert(!stderr.includes("hush"), "a password is not printed");
    });
});

test("options count before a command as well as behind it, and errors are data, too", async () => {
  const env = { WINDWARD_KEY: "svc_test_a_b" };
  for (const args of [
    ["--json", "--url", "http://localhost:1", "whoami"],
    ["whoami", "--json", "--url", "http://localhost:1"],
  ]) {
    const { code, stderr } = await terminal.run(args, { env });
    assert.equal(code, 1);
    assert.match(JSON.parse(stderr).next, /npm start/);
  }
});

test("the tool knows the events of the catalogue", () => {
  assert.deepEqual([...EVENT_NAMES], [...CATALOGUE]);
});
