/**
 * The guarantee: what is saved as the address of an endpoint names a public host over https, in
 * one spelling; nothing that a parser mends into something else is taken for what it became.
 */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { FieldRefused } from "../../kit/errors.ts";
import { readConfig } from "../config.ts";
import { readTargetUrl, targetRulesOf } from "./target-url.ts";

const STRICT = targetRulesOf(
  readConfig({
    WEBHOOK_PRIVATE_TARGETS: "refuse",
    PUBLIC_URL: "https://api.windward.test.org",
    PAYMENTS_PUBLIC_URL: "https://pay.windward.test.org",
    ALLOWED_HOSTS: "Other.windward.test.org",
  }),
);
const PERMISSIVE = targetRulesOf(readConfig({}));

const BEGINS = "The url must begin with https://.";
const INVALID = "The url must be a valid URL.";
const NO_USER = "The url must not contain a user name or password.";
const NO_FRAGMENT = "The url must not contain a fragment.";
const PORT = "The url must use port 443 or 8443.";
const NO_ADDRESS = "The url must name a host, not an address.";
const PUBLIC = "The url must name a public host.";
const LONG = "The url must not be longer than 2048 characters.";

function refusal(text: string, rules = STRICT): string {
  try {
    return `taken as ${readTargetUrl(text, rules).href}`;
  } catch (error) {
    assert(error instanceof FieldRefused, String(error));
    return error.message;
  }
}

describe("a url that events may be sent to", () => {
  const taken: [text: string, normal: string][] = [
    ["https://shop.example.com", "https://shop.example.com/"],
    ["https://shop.example.com:443/a?b=c", "https://shop.example.com/a?b=c"],
    ["https://shop.example.com:8443/", "https://shop.example.com:8443/"],
    ["HTTPS://Shop.Example.COM./a", "https://shop.example.com/a"],
    ["https://bücher.example.com/ü", "https://xn--bcher-kva.example.com/%C3%BC"],
    ["https://a_b.example.com/?at=a@b.c", "https://a_b.example.com/?at=a@b.c"],
    ["https://localhost.example.com/", "https://localhost.example.com/"],
    ["https://svc.example.com//a", "https://svc.example.com//a"],
    [`https://a.bc/${"x".repeat(2048 - 13)}`, `https://a.bc/${"x".repeat(2048 - 13)}`],
  ];
  for (const [text, normal] of taken)
    test(`${text.slice(0, 60)} is taken`, () => {
      assert.equal(readTargetUrl(text, STRICT).href, normal);
    });

  const refused: [text: string, sentence: string][] = [
    ["http://shop.example.com/", BEGINS],
    ["ftp://shop.example.com/", BEGINS],
    ["JaVaScRiPt:alert(1)", BEGINS],
    ["https:shop.example.com", BEGINS],
    ["https:/shop.example.com", BEGINS],
    [" https://shop.example.com/", BEGINS],
    ["//shop.example.com/", BEGINS],
    ["shop.example.com", BEGINS],
    ["https://", INVALID],
    ["https:///shop.example.com", INVALID],
    ["https:////shop.example.com/", INVALID],
    ["https://?shop.example.com", INVALID],
    ["https://shop.example.com/ a", INVALID],
    ["https://shop.exa\nmple.com/", INVALID],
    ["https://shop.exa\tmple.com/", INVALID],
    ["https://shop.example.com\\@evil.com/", INVALID],
    ["https://sho\u0000p.example.com/", INVALID],
    ["https://shop..example.com/", INVALID],
    ["https://-shop.example.com/", INVALID],
    ["https://sh*op.example.com/", INVALID],
    [`https://${"a".repeat(64)}.com/`, INVALID],
    [`https://${"a.".repeat(130)}com/`, INVALID],
    ["https://shop.example.com:0/", INVALID],
    ["https://shop.example.com:99999/", INVALID],
    ["https://user@shop.example.com/", NO_USER],
    ["https://user:word@shop.example.com/", NO_USER],
    ["https://@shop.example.com/", NO_USER],
    ["https://shop.example.com/#a", NO_FRAGMENT],
    ["https://shop.example.com/#", NO_FRAGMENT],
    ["https://shop.example.com:22/", PORT],
    ["https://shop.example.com:25/", PORT],
    ["https://shop.example.com:80/", PORT],
    ["https://shop.example.com:5432/", PORT],
    ["https://shop.example.com:6379/", PORT],
    ["https://8.8.8.8/", NO_ADDRESS],
    ["https://127.0.0.1/", NO_ADDRESS],
    ["https://127.0.0.1./", NO_ADDRESS],
    ["https://127.1/", NO_ADDRESS],
    ["https://0/", NO_ADDRESS],
    ["https://0x7f.1/", NO_ADDRESS],
    ["https://2130706433/", NO_ADDRESS],
    ["https://017700000001/", NO_ADDRESS],
    ["https://①②⑦.⓪.⓪.①/", NO_ADDRESS],
    ["https://127。0。0。1/", NO_ADDRESS],
    ["https://%31%32%37.1/", NO_ADDRESS],
    ["https://[::1]/", NO_ADDRESS],
    ["https://[::]/", NO_ADDRESS],
    ["https://[::ffff:7f00:1]/", NO_ADDRESS],
    ["https://[2606:4700::1111]/", NO_ADDRESS],
    ["https://localhost/", PUBLIC],
    ["https://LOCALHOST./", PUBLIC],
    ["https://ｌocalhost/", PUBLIC],
    ["https://a.localhost/", PUBLIC],
    ["https://printer.local/", PUBLIC],
    ["https://metadata.google.internal/", PUBLIC],
    ["https://metadata.google.internal./", PUBLIC],
    ["https://intranet/", PUBLIC],
    ["https://kubernetes.default.svc/", PUBLIC],
    ["https://kubernetes.default.svc.cluster.local/", PUBLIC],
    ["https://vault.service.consul/", PUBLIC],
    ["https://host.docker/", PUBLIC],
    ["https://1.0.0.127.in-addr.arpa/", PUBLIC],
    ["https://api.windward.test.org/", PUBLIC],
    ["https://PAY.windward.test.org./", PUBLIC],
    ["https://other.windward.test.org:8443/", PUBLIC],
    [`https://a.bc/${"x".repeat(2049 - 13)}`, LONG],
    [`https://a.bc/${"ü".repeat(1000)}`, LONG],
  ];
  for (const [text, sentence] of refused)
    test(`${JSON.stringify(text).slice(0, 60)} is refused: ${sentence}`, () => {
      assert.equal(refusal(text), sentence);
    });
});

describe("a url where private targets are allowed", () => {
  const taken = [
    "http://localhost:4000/hook",
    "http://127.0.0.1:9/",
    "http://[::1]:9/",
    "https://shop.example.com:444/",
    "http://receiver/",
  ];
  for (const text of taken)
    test(`may be ${text}`, () => assert.equal(readTargetUrl(text, PERMISSIVE).href, text));

  const refused: [text: string, sentence: string][] = [
    ["ftp://localhost/", "The url must begin with https:// or http://."],
    ["http://user@localhost/", NO_USER],
    ["http://localhost/#a", NO_FRAGMENT],
    ["http://local host/", INVALID],
    ["http://localhost:0/", INVALID],
  ];
  for (const [text, sentence] of refused)
    test(`may not be ${text}`, () => assert.equal(refusal(text, PERMISSIVE), sentence));
});
