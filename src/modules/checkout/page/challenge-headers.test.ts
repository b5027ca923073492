// The guarantee: of all pages only the two documents of a real card's challenge lead to other
// origins, and those are the gateway's and the configured ones (Decision 0083).

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readConfig } from "../../../infra/config.ts";
import { bankSources, documentHeaders, frameHeaders } from "./challenge-headers.ts";

const LIVE = {
  PAYMENTS_PUBLIC_URL: "https://pay.example.com",
  POWERTRANZ_URL: "https://gateway.example/api/",
  POWERTRANZ_ID: "88800001",
  POWERTRANZ_PASSWORD: "secret",
};
const config = readConfig(LIVE);
const SOURCES = ["https://gateway.example", "https://*.bank.example"];

function policyOf(headers: Record<string, string>): Map<string, string> {
  const rules = (headers["content-security-policy"] ?? "").split("; ");
  return new Map(rules.map((rule) => [rule.split(" ", 1).join(), rule]));
}

describe("the gateway and its banks", () => {
  test("are the gateway's origin and any https address, unless others are named", () => {
    assert.deepEqual(bankSources(config, "live"), ["https://gateway.example", "https:"]);
    const POWERTRANZ_CHALLENGE_ORIGINS = "https://*.bank.example, https://acs.example:8443";
    const named = readConfig({ ...LIVE, POWERTRANZ_CHALLENGE_ORIGINS });
    assert.deepEqual(bankSources(named, "live"), [
      "https://gateway.example",
      "https://*.bank.example",
      "https://acs.example:8443",
    ]);
  });

  test("are none in the sandbox, and none where live is simulated", () => {
    assert.equal(bankSources(config, "sandbox"), undefined);
    assert.equal(bankSources(readConfig({}), "live"), undefined);
  });

  test("cannot bring another rule into the policy", () => {
    for (const origins of [
      "https:; script-src *",
      "'unsafe-inline'",
      "*",
      "data:",
      "http://bank.example",
    ])
      assert.throws(
        () => readConfig({ ...LIVE, POWERTRANZ_CHALLENGE_ORIGINS: origins }),
        /POWERTRANZ_CHALLENGE_ORIGINS/,
        origins,
      );
  });
});

describe("the document around the gateway's", () => {
  test("frames the banks and is framed by our page alone; the rest is as on our page", () => {
    const policy = policyOf(frameHeaders(config, { layout: "full", sources: SOURCES }, "N"));
    assert.equal(
      policy.get("frame-src"),
      "frame-src 'self' https://gateway.example https://*.bank.example",
    );
    assert.equal(policy.get("form-action"), "form-action 'self'");
    assert.equal(policy.get("frame-ancestors"), "frame-ancestors 'self'");
    assert.equal(policy.get("script-src"), "script-src 'self' 'nonce-N'");
  });

  test("of the simple page stands in the merchant's frame, too", () => {
    const policy = policyOf(frameHeaders(config, { layout: "simple", sources: SOURCES }, "N"));
    assert.equal(policy.has("frame-ancestors"), false);
  });
});

describe("the gateway's document", () => {
  test("has no origin and leads to the banks", () => {
    const policy = policyOf(documentHeaders(config, { layout: "full", sources: SOURCES }));
    const leadsTo = "https://pay.example.com https://gateway.example https://*.bank.example";
    assert.equal(policy.get("sandbox"), "sandbox allow-forms allow-scripts");
    assert.equal(policy.get("default-src"), "default-src 'none'");
    assert.equal(policy.get("frame-src"), `frame-src ${leadsTo}`);
    assert.equal(policy.get("form-action"), `form-action ${leadsTo}`);
    assert.equal(policy.get("frame-ancestors"), "frame-ancestors 'self'");
  });

  test("of the simulator leads to our own pages only", () => {
    const policy = policyOf(documentHeaders(config, { layout: "simple", sources: undefined }));
    assert.equal(policy.get("form-action"), "form-action https://pay.example.com");
    assert.equal(policy.get("frame-src"), "frame-src https://pay.example.com");
    assert.equal(policy.has("frame-ancestors"), false);
  });
});
