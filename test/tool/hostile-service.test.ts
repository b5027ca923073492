/**
 * The tool against a service that is none, or means no good: it ends with one sentence, and nothing
 * that was sent moves the cursor, hides a line or becomes part of a command.
 */

import assert from "node:assert/strict";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { openTerminal, type Terminal } from "../../testkit/windward-tool.ts";

const ESCAPE = "\u001b]0;owned\u0007\u001b[2J\u001b[31m";
const WHO = {
  account_number: "1234567890",
  account_type: "business",
  country_code: "TT",
  environments: ["sandbox"],
  scopes: ["svc-user-all"],
};
/** What is answered to everything but `/auth/whoami`, by the first part of the path. */
const PAGES: Readonly<Record<string, string>> = {
  null: "null",
  list: "[]",
  empty: "{}",
  text: `${ESCAPE}You are signed out.`,
  string: `{"data":[],"meta":"${ESCAPE}"}`,
  inside: `{"data":[${ESCAPE}],"meta":{"last_sequence":5,"last_number":5}}`,
  bare: `{"data":[{"id":"a"}],"meta":{"last_sequence":5,"last_number":5}}`,
};

let terminal: Terminal;
let base: string;
const server = http.createServer((request, response) => {
  const [, kind = "", ...rest] = String(request.url).split("/");
  const json = { "content-type": "application/json" };
  if (kind === "refuses") {
    const id = { "x-request-id": `$(touch\${IFS}owned)` };
    return void response.writeHead(400, { ...json, ...id }).end('{"message":"No."}');
  }
  const isWho = rest.join("/").startsWith("auth/whoami") && !["null", "list"].includes(kind);
  response.writeHead(200, json).end(isWho ? JSON.stringify({ data: WHO }) : PAGES[kind]);
});
before(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  terminal = openTerminal({ WINDWARD_KEY: "svc_test_aaaaaaaaaaaaaaaaaa_bbbbbbbbbbbbbbbbbbbb" });
});
after(() => {
  terminal.close();
  server.close();
});

for (const kind of Object.keys(PAGES))
  test(`an answer of another shape ends every command with one sentence: ${kind}`, async () => {
    for (const args of [["whoami"], ["events"], ["listen", "--from-start"]]) {
      if (args[0] === "whoami" && !["null", "list"].includes(kind)) continue;
      const { code, stdout, stderr } = await terminal.run([...args, "--url", `${base}/${kind}`]);
      assert.equal(code, 1, args.join(" "));
      assert.match(stderr, /is not .+: is --url right\?|is not Windward: it sent no JSON\./);
      const said = stdout + stderr;
      assert(!said.includes("\u001b") && !said.includes("\u0007"), said);
      assert.doesNotMatch(said, /\n {4}at |owned|undefined/);
    }
  });

test("an odd request id is no part of a command to paste", async () => {
  const { code, stderr } = await terminal.run(["whoami", "--url", `${base}/refuses`]);
  assert.equal(code, 1);
  assert.match(stderr, /^No\.\n/);
  assert.doesNotMatch(stderr, /explain|touch/);
});
