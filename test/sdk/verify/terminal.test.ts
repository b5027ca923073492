/**
 * The guarantee: `windward verify` runs on a clone as it is, says at a terminal what the SDK says,
 * ends with a code that scripts can trust, and never prints a key.
 */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, describe, test } from "node:test";
import { REQUEST_VECTORS, VECTOR_SECRET } from "./request-vectors.ts";
import {
  BODY,
  changedRedirect,
  deliveryHeaders,
  HASH_KEY,
  redirectOf,
  SECRET,
  SENT_AT,
  SIGNING_SECRET,
} from "./support.ts";

const folder = await mkdtemp(path.join(tmpdir(), "windward-verify-"));
after(() => rm(folder, { recursive: true }));

interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Around {
  readonly env?: Record<string, string>;
  readonly stdin?: string;
  /** How Node itself is told to run, and where the command stands. */
  readonly node?: readonly string[];
  readonly bin?: string;
}

async function windward(args: readonly string[], around: Around = {}) {
  const { env = {}, stdin = "", node = [], bin = "sdk/bin/windward.mjs" } = around;
  const child = spawn(process.execPath, [...node, bin, ...args], {
    env: { PATH: process.env.PATH ?? "", ...env },
  });
  const ran = { code: null as number | null, stdout: "", stderr: "" };
  child.stdout.on("data", (part) => {
    ran.stdout += part;
  });
  child.stderr.on("data", (part) => {
    ran.stderr += part;
  });
  child.stdin.end(stdin);
  ran.code = await new Promise((resolve) => child.on("close", resolve));
  for (const secret of [SIGNING_SECRET, HASH_KEY, SECRET])
    assert(!`${ran.stdout}${ran.stderr}`.includes(secret), "it prints a secret");
  assert(!ran.stdout.includes("\u001b"), "it colours what is no terminal");
  return ran as Ran;
}

async function file(name: string, content: string): Promise<string> {
  const at = path.join(folder, name);
  await writeFile(at, content);
  return at;
}

describe("windward verify redirect", () => {
  const PIPED = { stdin: `${SIGNING_SECRET}\n` };
  const BESIDE_KEY = { WINDWARD_KEY: "svc_test_a_b", WINDWARD_SIGNING_SECRET: SIGNING_SECRET };
  const ways: [string, string[], Around][] = [
    ["typed", ["--secret", SIGNING_SECRET], {}],
    ["typed as before 1.1", ["--key", SIGNING_SECRET], {}],
    ["in the environment", [], { env: { WINDWARD_SIGNING_SECRET: SIGNING_SECRET } }],
    ["beside an API key", [], { env: BESIDE_KEY }],
    ["in the environment as before 1.1", [], { env: { WINDWARD_KEY: SIGNING_SECRET } }],
    ["piped in", [], { stdin: `${SIGNING_SECRET}\n` }],
    ["piped in beside an API key", [], { ...PIPED, env: { WINDWARD_KEY: "svc_test_a_b" } }],
    ["asked for by -", ["--secret", "-"], { stdin: `${SIGNING_SECRET}\n` }],
  ];
  for (const [name, args, around] of ways)
    test(`ends with 0 when it verifies, by a key ${name}`, async () => {
      const { code, stdout } = await windward(
        ["verify", "redirect", redirectOf(), ...args],
        around,
      );
      assert.equal(code, 0, stdout);
      assert.match(stdout, /^✔ It verifies\./);
    });

  test("ends with 1 and the mistake when it does not", async () => {
    const args = ["--hash-key", HASH_KEY, "--total", "1000", "--key", SIGNING_SECRET];
    const { code, stdout } = await windward(["verify", "redirect", redirectOf(), ...args]);
    assert.equal(code, 1);
    assert.match(stdout, /^✘ It does not verify\. The total was hashed as 1000\.00, not as 1000\./);
    assert.match(stdout, /total_not_two_decimals/);
  });

  test("never says that it verifies by the hash alone, which a forger can leave as it is", async () => {
    const forged = changedRedirect({ order_id: "NOT-MINE", currency: "USD", signature: "00" });
    for (const total of [["--total", "1000.00"], []]) {
      const args = ["verify", "redirect", forged, "--hash-key", HASH_KEY, ...total];
      const { code, stdout } = await windward(args, { env: { WINDWARD_KEY: "" } });
      assert.equal(code, 1);
      assert.match(stdout, /^✘ It does not verify\. Only the hash was checked/);
      assert.match(stdout, /signature_not_checked/);
    }
  });

  test("tells the same as data with --json, of a value that is known", async () => {
    const url = changedRedirect({ currency: "USD" });
    const args = ["--key", SIGNING_SECRET, "--known", "currency=TTD", "--json"];
    const { code, stdout } = await windward(["verify", "redirect", url, ...args]);
    assert.equal(code, 1);
    const { mistakes } = JSON.parse(stdout);
    assert.equal(mistakes[0].code, "parameter_changed");
    assert.deepEqual(
      [mistakes[0].difference.expected.character, mistakes[0].difference.given.character],
      ["T", "U"],
    );
  });
});

describe("windward verify webhook", async () => {
  const body = await file("body.json", BODY);
  const lines = Object.entries(deliveryHeaders()).map(([name, value]) => `${name}: ${value}`);
  const headers = await file("headers.txt", `POST /hooks HTTP/1.1\r\n${lines.join("\r\n")}\r\n`);
  const at = ["--at", SENT_AT.toISOString()];
  const files = ["--body", body, "--headers", headers];

  // The second is its name of before 1.1.
  for (const name of ["WINDWARD_WEBHOOK_SECRET", "WINDWARD_SECRET"])
    test(`ends with 0 when it verifies, by a secret in ${name}`, async () => {
      const env = { [name]: SECRET };
      const { code, stdout } = await windward(["verify", "webhook", ...files, ...at], { env });
      assert.equal(code, 0, stdout);
    });

  test("reads bodies from standard input and headers as JSON", async () => {
    const json = await file("headers.json", JSON.stringify(deliveryHeaders()));
    const args = ["--body", "-", "--headers", json, "--secret", SECRET, ...at];
    const { code, stdout } = await windward(["verify", "webhook", ...args], { stdin: `${BODY}\n` });
    assert.equal(code, 1);
    assert.match(stdout, /White space was added around the body/);
  });

  test("ends with 1 when it is old, and says how old", async () => {
    const old = ["--at", "2026-11-15T15:03:10Z"];
    const { code, stdout } = await windward([
      ...["verify", "webhook", ...files, "--secret", SECRET, ...old],
    ]);
    assert.equal(code, 1);
    assert.match(stdout, /signed 1 hour ago by your clock/);
  });
});

describe("windward verify request", async () => {
  const { body: sent = "", signature = "" } = REQUEST_VECTORS[0] ?? {};
  const form = await file("request.txt", `${sent}&signature=${signature}\n`);
  const asked = ["verify", "request", "--body", form];

  const ways: [string, string[], Around][] = [
    ["typed", ["--key", VECTOR_SECRET], {}],
    ["in the environment", [], { env: { WINDWARD_KEY: VECTOR_SECRET } }],
    ["piped in", [], { stdin: `${VECTOR_SECRET}\n` }],
  ];
  for (const [name, args, around] of ways)
    test(`ends with 0 when it verifies, by a key ${name}`, async () => {
      const { code, stdout } = await windward([...asked, ...args], around);
      assert.equal(code, 0, stdout);
      assert.match(stdout, /^✔ It verifies\./);
    });

  test("ends with 1 and the mistake when it does not, of a body from standard input", async () => {
    const args = ["verify", "request", "--body", "-", "--key", SIGNING_SECRET];
    const other = ["--signature", signature, "--other-key", `live=${VECTOR_SECRET}`];
    const { code, stdout } = await windward([...args, ...other], { stdin: sent });
    assert.equal(code, 1);
    assert.match(stdout, /^✘ It does not verify\. It was signed with the secret of "live"/);
    assert.match(stdout, /key_of_other_environment/);
  });

  test("shows where the text that the own code signs differs, as data too", async () => {
    const own = ["--computed-text", "data=a%2Bb%20", "--signature", "00", "--json"];
    const { code, stdout } = await windward([...asked, ...own, "--key", VECTOR_SECRET]);
    assert.equal(code, 1);
    const { mistakes } = JSON.parse(stdout);
    assert.equal(mistakes[0].difference.expected.character, "%");
    assert.equal(mistakes[0].difference.given.character, "+");
  });
});

describe("the command", () => {
  const asked = ["verify", "redirect", redirectOf(), "--key", SIGNING_SECRET];
  const PLAIN = "--no-experimental-strip-types";

  test("hands over to the Node that came along, when its own reads no TypeScript", async () => {
    const { code, stdout, stderr } = await windward(asked, { node: [PLAIN] });
    assert.deepEqual([code, stderr], [0, ""]);
    assert.match(stdout, /^✔ It verifies\./);
  });

  test("of a published package runs what was built there, by any Node", async () => {
    const built = path.join(folder, "package");
    await cp("sdk/bin", path.join(built, "bin"), { recursive: true });
    await cp("sdk/package.json", path.join(built, "package.json"));
    for (const name of await readdir("sdk/src", { recursive: true })) {
      if (!name.endsWith(".ts")) continue;
      const source = await readFile(path.join("sdk/src", name), "utf8");
      const text = stripTypeScriptTypes(source).replace(/(from "\.[^"]*)\.ts"/g, '$1.js"');
      const target = path.join(built, "dist", name.replace(".ts", ".js"));
      await mkdir(path.dirname(target), { recursive: true });
      await writeFile(target, text);
    }
    await mkdir(path.join(built, "node_modules"));
    for (const from of ["sdk/node_modules/commander", "node_modules/openapi-fetch"])
      await cp(from, path.join(built, "node_modules", path.basename(from)), { recursive: true });
    const bin = path.join(built, "bin/windward.mjs");
    const { code, stdout } = await windward(asked, { node: [PLAIN], bin });
    assert.equal(code, 0);
    assert.match(stdout, /^✔ It verifies\./);
  });

  test("says what to do where neither is there", async () => {
    const bare = path.join(folder, "bare");
    await cp("sdk/bin", path.join(bare, "bin"), { recursive: true });
    const { code, stderr } = await windward(asked, { bin: path.join(bare, "bin/windward.mjs") });
    assert.equal(code, 1);
    assert.match(stderr, /npm ci/);
  });
});

describe("called wrongly it ends with 2, says how, and prints nothing else:", () => {
  const calls: string[][] = [
    [],
    ["verify"],
    ["verify", "nothing"],
    ["verify", "toString", "x"],
    ["verify", "redirect"],
    ["verify", "redirect", redirectOf()],
    ["verify", "redirect", redirectOf(), "--no-such-option"],
    ["verify", "webhook", "--body", "x"],
    ["verify", "request"],
    ["verify", "request", "--body", "/none"],
    ["verify", "request", "--body", "/none", "--key", "x"],
    ["verify", "webhook", "--body", "/none", "--headers", "/none", "--secret", "whsec_AA=="],
  ];
  for (const call of calls)
    test(call.join(" ").slice(0, 60) || "nothing at all", async () => {
      const { code, stdout, stderr } = await windward(call);
      assert.deepEqual([code, stdout], [2, ""]);
      assert.match(
        stderr,
        /windward verify redirect '<url>'|See: npx windward verify( \w+)? --help/,
      );
    });
});
