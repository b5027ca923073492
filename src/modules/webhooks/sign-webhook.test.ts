/**
 * What we sign is what the libraries of our callers verify, and nothing else is: no changed byte,
 * no old time, no other secret.
 */

import assert from "node:assert/strict";
import { createHmac, randomBytes } from "node:crypto";
import { describe, test } from "node:test";
import fc from "fast-check";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { webhookHeaders } from "./sign-webhook.ts";

const newSecret = () => `whsec_${randomBytes(32).toString("base64")}`;
const secret = newSecret();
const parts = {
  eventId: "019a86f0-c4d2-7b1e-9a3f-9c2d8e4b6a70",
  event: "payment.success",
  at: new Date(),
  body: '{"id":"019a86f0-c4d2-7b1e-9a3f-9c2d8e4b6a70","data":{"data":"ünï 😀 \\" end"}}',
  secrets: [secret],
};
const verifiers = { standardwebhooks: StandardWebhook, svix: SvixWebhook };

describe("the headers of a delivery", () => {
  const headers = webhookHeaders(parts);

  for (const [name, Verifier] of Object.entries(verifiers)) {
    const verify = (body: string, sent: Record<string, string>, by = secret) =>
      new Verifier(by).verify(body, sent);

    test(`${name} verifies them, whatever the body is`, () => {
      const property = fc.property(fc.json({ stringUnit: "binary" }), (body) => {
        verify(body, webhookHeaders({ ...parts, body }));
      });
      fc.assert(property, { numRuns: 50 });
    });

    test(`${name} refuses them when any byte of the body is another`, () => {
      // Of ASCII alone, so that a changed byte is still a text that can be handed over.
      const body = '{"id":"019a86f0-c4d2-7b1e-9a3f-9c2d8e4b6a70","data":{"total":"10.00"}}';
      const sent = webhookHeaders({ ...parts, body });
      verify(body, sent);
      for (const index of body.split("").keys()) {
        const changed = String.fromCharCode(body.charCodeAt(index) ^ 1);
        const other = body.slice(0, index) + changed + body.slice(index + 1);
        assert.throws(() => verify(other, sent), `byte ${index}`);
      }
      for (const other of [` ${parts.body}`, `${parts.body}\n`, parts.body.slice(0, -1), ""])
        assert.throws(() => verify(other, headers));
    });

    test(`${name} refuses another id, another time and a foreign secret`, () => {
      assert.throws(() => verify(parts.body, { ...headers, "webhook-id": "evt_1" }));
      const later = String(Number(headers["webhook-timestamp"]) + 1);
      assert.throws(() => verify(parts.body, { ...headers, "webhook-timestamp": later }));
      assert.throws(() => verify(parts.body, headers, newSecret()));
    });

    test(`${name} refuses what was signed ten minutes ago or ahead`, () => {
      for (const minutes of [-10, 10]) {
        const at = new Date(parts.at.getTime() + minutes * 60_000);
        assert.throws(() => verify(parts.body, webhookHeaders({ ...parts, at })), /timestamp/i);
      }
    });

    test(`${name} verifies with the new and the old secret while both sign`, () => {
      const newest = newSecret();
      const both = webhookHeaders({ ...parts, secrets: [newest, secret] });
      verify(parts.body, both);
      verify(parts.body, both, newest);
      assert.throws(() => verify(parts.body, both, newSecret()));
    });
  }

  test("are these and no others", () => {
    const timestamp = String(Math.floor(parts.at.getTime() / 1000));
    const { "webhook-signature": standard, "X-SVC-Webhook-Signature": older, ...others } = headers;
    assert.deepEqual(others, {
      "content-type": "application/json",
      "user-agent": "Windward-Webhooks/1",
      "webhook-id": parts.eventId,
      "webhook-timestamp": timestamp,
      "X-SVC-Webhook-Event": "payment.success",
      "X-SVC-Webhook-Id": parts.eventId,
      "X-SVC-Webhook-Timestamp": timestamp,
      "X-SVC-Webhook-Version": "v1",
    });
    assert.match(standard ?? "", /^v1,[A-Za-z0-9+/]{43}=$/);
    const digest = createHmac("sha256", secret).update(parts.body).digest("hex");
    assert.equal(older, `sha256=${digest}`);
  });

  test("of older clients carry one signature during a rotation, by the newest secret", () => {
    const newest = newSecret();
    const both = webhookHeaders({ ...parts, secrets: [newest, secret] });
    const digest = createHmac("sha256", newest).update(parts.body).digest("hex");
    assert.equal(both["X-SVC-Webhook-Signature"], `sha256=${digest}`);
    assert.match(both["webhook-signature"] ?? "", /^v1,\S+ v1,\S+$/);
  });

  test("are never made with an id that has a dot, or without a secret", () => {
    assert.throws(() => webhookHeaders({ ...parts, eventId: "evt_1.2" }), /no dot/);
    assert.throws(() => webhookHeaders({ ...parts, secrets: [] }), /has a secret/);
  });
});
