/**
 * The guarantee: signing in leaves one key of the sandbox on this machine, readable by its user
 * alone; signing out revokes it; no command prints a password, key or token, and every failure says
 * what to do next.
 */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { text } from "node:stream/consumers";
import { after, before, describe, test } from "node:test";
import { stripVTControlCharacters } from "node:util";
import { findPython } from "../../testkit/python.ts";
import { startService, type TestService } from "../../testkit/service.ts";
import { openTerminal, type Ran, type Terminal, WINDWARD } from "../../testkit/windward-tool.ts";
import type { Person } from "../../testkit/world.ts";

let service: TestService;
let terminal: Terminal;
let merchant: Person;
before(async () => {
  service = await startService();
  merchant = await service.world.merchant();
  terminal = openTerminal({ WINDWARD_URL: service.url });
});
after(async () => {
  terminal.close();
  await service.stop();
});

const file = () => path.join(terminal.folder, "config/windward/logins.json");

function secretsOf(): string[] {
  const text = readFileSync(file(), "utf8");
  return [...text.matchAll(/"(svc_\w+|eyJ[\w.-]+)"/g)].map(([, secret]) => secret ?? "");
}

async function windward(args: readonly string[], stdin = ""): Promise<Ran> {
  const ran = await terminal.run(args, { stdin });
  const secrets = [merchant.password, ...secretsOf()];
  for (const secret of secrets)
    assert(!`${ran.stdout}${ran.stderr}`.includes(secret), "it prints a secret");
  return ran;
}

describe("signing in", () => {
  test("with e-mail and password makes a key of the sandbox, in a file of mode 600", async () => {
    const typed = `${merchant.email}\n${merchant.password}\n`;
    const { code, stderr } = await terminal.run(["login"], { stdin: typed });
    assert.equal(code, 0, stderr);
    assert.match(stderr, /^E-mail: \nPassword: \n/);
    assert.equal(statSync(file()).mode & 0o777, 0o600);
    assert.equal(statSync(path.dirname(file())).mode & 0o777, 0o700);
    assert.equal(secretsOf().length, 3, "a key, an access token, a refresh token");
    const { stdout } = await windward(["whoami", "--json"]);
    const who = JSON.parse(stdout);
    assert.deepEqual([who.account_number, who.credential], [merchant.accountNumber, "api_key"]);
    assert.deepEqual(who.environments, ["sandbox"]);
  });

  test("is for one service, and a command for another one says which", async () => {
    const env = { WINDWARD_URL: "" };
    const { code, stderr } = await terminal.run(["whoami"], { env });
    assert.equal(code, 1);
    const lines = stderr.split("\n");
    assert.equal(lines[0], "You are not signed in to http://localhost:3000.");
    const next = `add --url ${service.url}, or set WINDWARD_URL to it.`;
    assert.equal(lines[1], `You are signed in to ${service.url}: ${next}`);
  });

  test("to a service that is not there is said before anything is asked", async () => {
    const { code, stderr } = await terminal.run(["login", "--url", "http://localhost:1"]);
    assert.equal(code, 1);
    assert.match(stderr, /^No answer from http:\/\/localhost:1: .+\nStart the service/);
  });

  test("lasts until signing out, which revokes the key", async () => {
    const [key = ""] = secretsOf();
    const { code, stdout } = await windward(["logout"]);
    assert.equal(code, 0);
    assert.match(stdout, /the key is revoked/);
    const answer = await service.request("/auth/whoami", { key });
    assert.equal(answer.status, 401);
    assert.deepEqual(secretsOf(), []);
    const { code: later, stderr } = await windward(["whoami"]);
    assert.equal(later, 1);
    assert.match(stderr, /not signed in.*\nRun npx windward login/);
  });

  test("with a wrong password says what to try, and keeps nothing", async () => {
    const { code, stderr } = await windward(
      ["login", "--email", merchant.email],
      "Not-the-Password-1\n",
    );
    assert.equal(code, 1);
    assert.match(stderr, /Check e-mail and password/);
    assert.deepEqual(secretsOf(), []);
  });
});

/** Types one key at the first question of a real terminal, and prints what was shown there. */
const AT_TERMINAL = `
import os, pty, sys
pid, terminal = pty.fork()
if pid == 0:
    os.execv(sys.argv[2], sys.argv[2:])
said = b""
while b"E-mail" not in said:
    said += os.read(terminal, 1024)
os.write(terminal, bytes([int(sys.argv[1])]))
try:
    while part := os.read(terminal, 1024):
        said += part
except OSError:
    pass
sys.stdout.write(said.decode())
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`;

describe("a person who ends the questions", () => {
  for (const [key, code] of [
    ["Ctrl-C", "3"],
    ["Ctrl-D", "4"],
  ] as const)
    test(`with ${key} is answered with a line, and exit code 1`, async () => {
      const typing = ["-c", AT_TERMINAL, code, process.execPath, WINDWARD, "login"];
      const child = spawn(await findPython(), typing, { env: terminal.env });
      const [shown, [exitCode]] = await Promise.all([text(child.stdout), once(child, "close")]);
      assert.equal(exitCode, 1, shown);
      const lines = stripVTControlCharacters(shown);
      assert.match(lines, /^E-mail: \s*Cancelled\.\s+Run the command again [^\n]+\n$/);
    });
});

describe("a key", () => {
  test("that is no key is refused before anything is sent, with the right variable", async () => {
    const env = { WINDWARD_KEY: "sandbox-signing-secret" };
    const { code, stderr } = await terminal.run(["whoami"], { env });
    assert.equal(code, 2);
    assert.match(stderr, /not an API key.*\n.*WINDWARD_SIGNING_SECRET/);
    assert(!stderr.includes("sandbox-signing-secret"));
  });

  test("that is not good is told apart from one that lacks a scope", async () => {
    const env = { WINDWARD_KEY: `svc_test_${"0".repeat(18)}_${"0".repeat(64)}` };
    const { code, stderr } = await terminal.run(["events"], { env });
    assert.equal(code, 1);
    assert.match(stderr, /Sign in with npx windward login/);
  });
});

test("a service that is not running is said to be started, with exit code 1", async () => {
  const env = { WINDWARD_KEY: "svc_test_a_b" };
  const args = ["whoami", "--url", "http://localhost:1"];
  const { code, stderr } = await terminal.run(args, { env });
  assert.equal(code, 1);
  assert.match(stderr, /No answer from http:\/\/localhost:1.*\nStart the service with npm start/);
});

test("a configuration folder that cannot be used is named, without a stack trace", async () => {
  const XDG_CONFIG_HOME = path.join(terminal.folder, "a-file");
  writeFileSync(XDG_CONFIG_HOME, "");
  const { code, stderr } = await terminal.run(["whoami"], { env: { XDG_CONFIG_HOME } });
  assert.equal(code, 1);
  const file = path.join(XDG_CONFIG_HOME, "windward/logins.json");
  const next = "Make it readable and writable for you, with room on the disk.";
  assert.equal(stderr, `${file}: ENOTDIR.\n${next}\n`);
});
