/** Who sends mail follows from the settings, and a wrong one is reported without its password. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { BadSettings, readConfig } from "../../src/infra/config.ts";

const key = (letter: string) => `a:${Buffer.alloc(32, letter).toString("base64")}`;
const PRODUCTION = {
  STAGE: "production",
  PUBLIC_URL: "https://pay.example.com:8443",
  DATABASE_URL: "postgres://db.example.com/windward",
  PASSWORD_PEPPERS: key("p"),
  TOKEN_PEPPERS: key("t"),
  WRAPPING_KEYS: key("w"),
};
const mailOf = (settings: Record<string, string>) =>
  readConfig({ ...PRODUCTION, ...settings }).mail;

function mistakesOf(settings: Record<string, string>): string {
  try {
    mailOf(settings);
  } catch (error) {
    if (error instanceof BadSettings) return error.message;
  }
  throw new Error("these settings were taken");
}

test("in development mail stays in the mailbox, whatever is set", () => {
  for (const settings of [{}, { SMTP_URL: "smtp://mail.example.com" }])
    assert.deepEqual(readConfig(settings).mail.transport, { kind: "mailbox" });
});

test("without a server nobody sends it", () => {
  assert.deepEqual(mailOf({}).transport, { kind: "none" });
  assert.deepEqual(mailOf({}).from, { name: "Windward", address: "no-reply@pay.example.com" });
  assert.equal(mailOf({}).host, "pay.example.com");
});

const SERVERS: [string, object][] = [
  ["smtps://mail.example.com", { port: 465, isSecure: true, demandsTls: false }],
  ["smtp://mail.example.com", { port: 587, isSecure: false, demandsTls: true }],
  ["smtp://mail.example.com:25?requireTLS=false", { port: 25, isSecure: false, demandsTls: false }],
  ["smtp://127.0.0.1:1025", { host: "127.0.0.1", port: 1025, isSecure: false, demandsTls: false }],
  ["smtp://[::1]:25", { host: "::1", port: 25, isSecure: false, demandsTls: false }],
];
for (const [url, expected] of SERVERS)
  test(`${url} is a server`, () => {
    const server = { host: "mail.example.com", credentials: undefined, ...expected };
    assert.deepEqual(mailOf({ SMTP_URL: url }).transport, { kind: "smtp", server });
  });

test("its credentials may have any character", () => {
  const { transport } = mailOf({ SMTP_URL: "smtps://me%40example.com:a%2Fb%25@mail.example.com" });
  assert(transport.kind === "smtp");
  assert.deepEqual(transport.server.credentials, { user: "me@example.com", pass: "a/b%" });
});

for (const url of [
  "https://me:s3cret@mail.example.com",
  "smtp://me:s3cret@mail.example.com?logger=true",
  "smtp://me:s3cret%@mail.example.com",
  "smtp:",
  "mail.example.com",
])
  test(`SMTP_URL ${url} is refused, and what is said has no password`, () => {
    const message = mistakesOf({ SMTP_URL: url });
    assert.match(message, /SMTP_URL (must|has)/);
    assert.doesNotMatch(message, /s3cret/);
  });

test("the sender is an address, with a name or without", () => {
  const from = (MAIL_FROM: string) => mailOf({ MAIL_FROM }).from;
  const address = "post@example.com";
  assert.deepEqual(from("post@example.com"), { name: "", address });
  assert.deepEqual(from("Sea & Sand, Ltd. <Post@example.com>"), {
    name: "Sea & Sand, Ltd.",
    address,
  });
  for (const wrong of ["Windward", "a@example.com, b@example.com", "A\r\nBcc: <b@example.com>"])
    assert.match(mistakesOf({ MAIL_FROM: wrong }), /MAIL_FROM must be an address/);
});
