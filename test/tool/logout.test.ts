/**
 * The guarantee: signing out forgets a key on this machine only when it is revoked, or when nothing
 * on this machine can revoke it any more, and says which of the two it was.
 */

import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { after, before, beforeEach, test } from "node:test";
import { freePort } from "../../testkit/free-port.ts";
import { openTerminal, type Terminal } from "../../testkit/windward-tool.ts";

interface Answers {
  readonly key: number;
  readonly token: number;
}

let terminal: Terminal;
let server: http.Server;
let url: string;
let answers: Answers;

/** A service that answers as it is told to. */
before(async () => {
  terminal = openTerminal();
  server = http.createServer((request, response) => {
    const status = request.url?.startsWith("/auth/keys/") ? answers.key : answers.token;
    const headers = { "content-type": "application/json", "retry-after": "0" };
    response.writeHead(status, headers).end(JSON.stringify({ message: `Answered ${status}.` }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(() => {
  terminal.close();
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  answers = { key: 200, token: 200 };
});

const HOUR_MS = 60 * 60 * 1000;
const file = () => path.join(terminal.folder, "config/windward/logins.json");

function signIn(service: string, access_until = new Date(Date.now() + HOUR_MS)): void {
  const made = { kid: "kid-1", access_token: "a", access_until, refresh_token: "" };
  const login = { key: "svc_test_a_b", account_number: "1234567890", made };
  mkdirSync(path.dirname(file()), { recursive: true });
  writeFileSync(file(), JSON.stringify({ [service]: login }));
}

const keptLogins = () => Object.keys(JSON.parse(readFileSync(file(), "utf8")));
const logout = (service = url) => terminal.run(["logout", "--url", service]);

const revoked: [string, Answers][] = [
  ["and the sign-in could not be ended", { key: 200, token: 500 }],
  ["that was gone already", { key: 404, token: 200 }],
];
for (const [name, told] of revoked)
  test(`a key ${name} counts as revoked`, async () => {
    answers = told;
    signIn(url);
    const { code, stdout, stderr } = await logout();
    assert.equal(code, 0, stderr);
    assert.match(stdout, /the key is revoked/);
    assert.deepEqual(keptLogins(), []);
  });

for (const key of [401, 403])
  test(`a sign-in that is refused with ${key} cannot revoke the key, which is said`, async () => {
    answers = { key, token: 200 };
    signIn(url);
    const { code, stdout } = await logout();
    assert.equal(code, 0);
    assert.match(stdout, /kid-1 could not be revoked from here: the sign-in/);
    assert.deepEqual(keptLogins(), []);
  });

test("a sign-in that has ended cannot revoke the key, which is said", async () => {
  signIn(url, new Date(Date.now() - HOUR_MS));
  const { code, stdout } = await logout();
  assert.equal(code, 0);
  assert.match(stdout, /kid-1 could not be revoked from here: the sign-in/);
  assert.deepEqual(keptLogins(), []);
});

test("a service that is away leaves the login as it is, with exit code 1", async () => {
  const away = `http://127.0.0.1:${await freePort()}`;
  signIn(away);
  const { code, stderr } = await logout(away);
  assert.equal(code, 1);
  assert.match(stderr, /No answer from/);
  assert.deepEqual(keptLogins(), [away]);
});

test("a service that is busy leaves the login as it is, too", async () => {
  answers = { key: 503, token: 200 };
  signIn(url);
  const { code, stderr } = await logout();
  assert.equal(code, 1);
  assert.match(stderr, /Answered 503/);
  assert.deepEqual(keptLogins(), [url]);
});
