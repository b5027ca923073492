/**
 * The guarantee: of several commands that find the owner's sign-in ended, one renews it and the
 * others use what it brought; a refresh token is sent once, and a lost one never again.
 */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, beforeEach, test } from "node:test";

const ENDED = "2026-01-01T00:00:00.000Z";
const OWNER_API = new URL("../../sdk/src/tool/owner-api.ts", import.meta.url).href;
/** What every command does that takes no key, as a process of its own. */
const COMMAND = `
  const { ownerApi } = await import(process.argv[1]);
  await (await ownerApi(process.argv[2])).call("GET", "/user/payment-key");
`;

/** A service that takes its time to renew, and counts. */
let service: http.Server;
let url: string;
let renewedWith: string[];
let isRefusing: boolean;
const folder = mkdtempSync(path.join(tmpdir(), "windward-renewal-"));
const file = path.join(folder, "windward/logins.json");

before(async () => {
  mkdirSync(path.dirname(file), { mode: 0o700 });
  service = http.createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const answer = (status: number, data: object) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(data));
    if (request.url === "/auth/tokens/refresh") {
      renewedWith.push(JSON.parse(body).refresh_token);
      await new Promise((resolve) => setTimeout(resolve, 500));
      const tokens = { access_token: "new", refresh_token: "second", expires_in: 3_600 };
      return isRefusing ? answer(401, { message: "Unauthorized" }) : answer(200, tokens);
    }
    const isRenewed = request.headers.authorization === "Bearer new";
    if (!isRenewed) return answer(401, { message: "Unauthorized" });
    return answer(200, { message: "OK", data: { hash_key: "123" } });
  });
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
});
after(() => {
  service.closeAllConnections();
  service.close();
  rmSync(folder, { recursive: true });
});

beforeEach(() => {
  renewedWith = [];
  isRefusing = false;
  const made = { kid: "k", access_token: "old", access_until: ENDED, refresh_token: "first" };
  writeFileSync(
    file,
    JSON.stringify({ [url]: { key: "svc_test_a_b", account_number: "1", made } }),
  );
});

function command(): Promise<{ failed: boolean; stderr: string }> {
  const args = ["--input-type=module", "--eval", COMMAND, OWNER_API, url];
  const env = { ...process.env, XDG_CONFIG_HOME: folder };
  return new Promise((resolve) => {
    execFile(process.execPath, args, { env }, (error, _stdout, stderr) => {
      resolve({ failed: error !== null, stderr });
    });
  });
}

const kept = () => JSON.parse(readFileSync(file, "utf8"))[url].made;

test("several at once send the refresh token once, and all go on", async () => {
  const ran = await Promise.all(Array.from({ length: 5 }, command));
  for (const { failed, stderr } of ran) assert(!failed, stderr);
  assert.deepEqual(renewedWith, ["first"]);
  assert.deepEqual([kept().access_token, kept().refresh_token], ["new", "second"]);
});

test("a lock that a killed process left behind is no hindrance", async () => {
  writeFileSync(`${file}.lock`, "999999999 1\n");
  const { failed, stderr } = await command();
  assert(!failed, stderr);
});

test("a token that was refused is not sent again: only a sign-in helps", async () => {
  isRefusing = true;
  for (const { stderr } of [await command(), await command()])
    assert.match(stderr, /Your sign-in has ended/);
  assert.deepEqual(renewedWith, ["first"]);
});
