/**
 * The guarantee: of a delivery that does not verify the verifier names the mistake that was made,
 * that one and no other, and the delivery as it was sent verifies (Decision 0054).
 */

import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import { explainWebhook, type WebhookFacts } from "../../../sdk/src/verify/explain-webhook.ts";
import {
  BODY,
  deliveryHeaders,
  newSecret,
  SECRET,
  SENT_AT,
  type Values,
  webhookSignature,
} from "./support.ts";

const HEADERS = deliveryHeaders();
const TIMESTAMP = HEADERS["webhook-timestamp"] ?? "";
const SIGNATURE = HEADERS["webhook-signature"] ?? "";
const DIGEST = Buffer.from(SIGNATURE.slice(3), "base64");
const KEY = Buffer.from(SECRET.slice(6), "base64");

interface Planted {
  readonly body?: string | Uint8Array;
  readonly headers?: Values;
  readonly secret?: string;
  readonly facts?: WebhookFacts;
}

const later = (seconds: number) => ({ now: new Date(SENT_AT.getTime() + seconds * 1000) });
const withHeader = (name: string, value: string | undefined): Values => {
  const { [name]: _, ...others } = HEADERS;
  return value === undefined ? others : { ...others, [name]: value };
};
const signature = (value: string) => ({ headers: withHeader("webhook-signature", value) });

/** As other languages sort. */
function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, each]) => [name, sorted(each)]));
}

const event = JSON.parse(BODY);
const escaped = (text: string) =>
  text.replace(/[\u0080-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
const other = newSecret();

const CASES: [mistake: string, code: string, planted: Planted][] = [
  ["pretty-printed JSON", "body_spaces", { body: JSON.stringify(event, null, 2) }],
  ["sorted fields", "body_key_order", { body: JSON.stringify(sorted(event)) }],
  ["\\u escapes", "body_escapes", { body: escaped(BODY) }],
  ["PHP's slashes", "body_escapes", { body: BODY.replaceAll("/", "\\/") }],
  [
    "sorted, spaced and escaped",
    "body_reserialised",
    { body: escaped(JSON.stringify(sorted(event), null, 1)) },
  ],
  ["a line feed at the end", "body_white_space", { body: `${BODY}\n` }],
  ["a byte order mark", "body_bom", { body: `\ufeff${BODY}` }],
  ["gzip", "body_gzip", { body: gzipSync(BODY) }],
  ["base64", "body_base64", { body: Buffer.from(BODY).toString("base64") }],
  ["a JSON string", "body_quoted", { body: JSON.stringify(BODY) }],
  ["UTF-8 read as Latin-1", "wrong_charset", { body: Buffer.from(BODY).toString("latin1") }],
  ["bytes of Latin-1", "wrong_charset", { body: Buffer.from(BODY, "latin1") }],
  ["bytes of UTF-16", "wrong_charset", { body: Buffer.from(BODY, "utf16le") }],
  ["accents taken apart", "unicode_normalised", { body: BODY.normalize("NFD") }],
  ["URL encoding", "body_url_encoded", { body: encodeURIComponent(BODY) }],
  ["a + that became a space", "plus_became_space", { body: BODY.replaceAll("+", " ") }],
  ["escaping for a page", "body_html_escaped", { body: BODY.replaceAll('"', "&quot;") }],
  ["an empty body", "body_empty", { body: "" }],
  ["a parsed body", "body_is_object", { body: String(event) }],
  ["a secret without prefix", "secret_without_prefix", { secret: SECRET.slice(6) }],
  ["a prefix twice", "secret_prefix", { secret: `whsec_${SECRET}` }],
  ["a secret with its line's end", "secret_has_white_space", { secret: `${SECRET}\n` }],
  ["a secret decoded to hex", "secret_decoded", { secret: KEY.toString("hex") }],
  ["a secret decoded to bytes", "secret_decoded", { secret: KEY.toString("latin1") }],
  [
    "a secret encoded again",
    "secret_encoded_again",
    { secret: Buffer.from(SECRET).toString("base64") },
  ],
  ["a secret in base64url", "secret_base64url", { secret: `whsec_${KEY.toString("base64url")}` }],
  ["a + lost from the secret", "plus_became_space", { secret: SECRET.replaceAll("+", " ") }],
  [
    "the live secret in the sandbox",
    "secret_of_other_environment",
    {
      secret: other,
      facts: { others: [{ name: "sandbox", environment: "sandbox", secret: SECRET }] },
    },
  ],
  [
    "another endpoint's secret",
    "secret_of_another_endpoint",
    { secret: other, facts: { others: [{ name: "hooks/2", secret: SECRET }] } },
  ],
  ["no timestamp", "timestamp_changed", { headers: withHeader("webhook-timestamp", undefined) }],
  [
    "a timestamp in milliseconds",
    "timestamp_in_milliseconds",
    { headers: withHeader("webhook-timestamp", `${TIMESTAMP}000`) },
  ],
  [
    "a timestamp as a date",
    "timestamp_rewritten",
    { headers: withHeader("webhook-timestamp", SENT_AT.toUTCString()) },
  ],
  ["another id", "id_changed", { headers: withHeader("webhook-id", "evt_1") }],
  ["a clock ahead by ten minutes", "too_old", { facts: later(600) }],
  ["a clock behind by ten minutes", "too_new", { facts: later(-600) }],
  ["a signature in hex", "signature_in_hex", signature(`v1,${DIGEST.toString("hex")}`)],
  [
    "a signature in base64url",
    "signature_base64url",
    signature(`v1,${DIGEST.toString("base64url")}`),
  ],
  ["no version", "signature_version_missing", signature(SIGNATURE.slice(3))],
  ["another version", "signature_version", signature(`v2,${SIGNATURE.slice(3)}`)],
  ["an equals sign after the version", "signature_version", signature(`v1=${SIGNATURE.slice(3)}`)],
  ["a list with commas", "signature_list", signature(`v1,${"A".repeat(43)}=,${SIGNATURE}`)],
  ["an encoded signature", "doubly_encoded", signature(encodeURIComponent(SIGNATURE))],
  ["no signature", "header_missing", { headers: withHeader("webhook-signature", undefined) }],
  [
    "headers as CGI calls them",
    "header_names",
    {
      headers: Object.fromEntries(
        Object.entries(HEADERS).map(([name, value]) => [
          `HTTP_${name.toUpperCase().replaceAll("-", "_")}`,
          value,
        ]),
      ),
    },
  ],
];

function explain({ body = BODY, headers = HEADERS, secret = SECRET, facts = {} }: Planted) {
  return explainWebhook(body, headers, secret, { now: SENT_AT, ...facts });
}

describe("a delivery as it was sent", () => {
  const capital = Object.entries(HEADERS).map(([name, value]) => [name.toUpperCase(), value]);
  const ways: [string, Planted][] = [
    ["as a text", {}],
    ["as bytes", { body: Buffer.from(BODY) }],
    ["with header names in capitals", { headers: Object.fromEntries(capital) }],
    ["five minutes later", { facts: later(300) }],
    ["beside headers of a proxy", { headers: { ...HEADERS, http_x_proxy: "1", a_b: "2" } }],
  ];
  for (const [name, planted] of ways)
    test(`verifies ${name}, with nothing to say against it`, async () => {
      const said = await explain(planted);
      assert.deepEqual([said.verified, said.mistakes, said.tried], [true, [], 1]);
    });

  test("verifies during a rotation by either secret, and the older one is told apart", async () => {
    const headers = deliveryHeaders([other, SECRET]);
    for (const [secret, number] of [
      [other, "number 1."],
      [SECRET, "number 2: your secret is the one from before it"],
    ] as const) {
      const said = await explain({ headers, secret });
      assert.equal(said.verified, true);
      assert(said.notes.join().includes(number), said.notes.join());
    }
  });
});

describe("of a planted mistake the verifier names just that one:", () => {
  for (const [name, code, planted] of CASES)
    test(name, async () => {
      const said = await explain(planted);
      assert.deepEqual(
        { verified: said.verified, codes: said.mistakes.map((each) => each.code) },
        { verified: false, codes: [code] },
        said.summary,
      );
      const words = JSON.stringify(said);
      for (const secret of [SECRET, SECRET.slice(6), KEY.toString("hex"), other])
        assert(!words.includes(secret), "it shows a secret");
    });

  test("two at once, when they hide each other", async () => {
    const said = await explain({ body: `${BODY}\n`, secret: SECRET.slice(6) });
    const codes = said.mistakes.map((each) => each.code).sort();
    assert.deepEqual(codes, ["body_white_space", "secret_without_prefix"]);
  });

  test("how far and which way a clock is off", async () => {
    const { summary } = await explain({ facts: later(423) });
    assert.match(summary, /signed 7 minutes 3 seconds ago by your clock; 5 minutes are allowed/);
  });

  test("the first byte of a body that was written anew", async () => {
    const said = await explain({ body: BODY.replace('"sequence":18', '"sequence": 18') });
    const difference = said.mistakes[0]?.difference ?? assert.fail("it shows none");
    const start = `${HEADERS["webhook-id"]}.${TIMESTAMP}.`.length;
    assert.equal(difference.byte, start + BODY.indexOf("18"));
    assert.deepEqual([difference.expected.character, difference.given.character], ["1", " "]);
  });

  test("nothing, when nobody can know: it says what is sure", async () => {
    const body = BODY.replace("Anika", "Maria");
    const said = await explain({ body });
    assert.deepEqual(
      [said.verified, said.mistakes.map(({ code }) => code)],
      [false, ["not_found"]],
    );
    const stale = { ...HEADERS, "webhook-id": "x", "X-SVC-Webhook-Id": "y" };
    const older = await explain({ headers: { ...stale, "webhook-timestamp": "1763215391" } });
    assert.match(older.notes.join(), /body and secret are right/);
  });
});

describe("of a merchant's own code it says what that did otherwise:", () => {
  const id = HEADERS["webhook-id"] ?? "";
  const signed = `${id}.${TIMESTAMP}.${BODY}`;
  const sign = (text: string, key: string | Buffer = KEY) => createHmac("sha256", key).update(text);
  const ways: [string, string, NonNullable<WebhookFacts["own"]>][] = [
    ["wrote hex", "signature_in_hex", { signature: sign(signed).digest("hex") }],
    [
      "did not decode the secret",
      "secret_not_decoded",
      { signature: sign(signed, SECRET).digest("base64") },
    ],
    [
      "took only the prefix off",
      "secret_not_decoded",
      { signature: sign(signed, SECRET.slice(6)).digest("base64") },
    ],
    ["signed the body alone", "body_only", { signature: sign(BODY).digest("base64") }],
    [
      "put the time first",
      "signed_order",
      { signature: sign(`${TIMESTAMP}.${id}.${BODY}`).digest("base64") },
    ],
    [
      "signed milliseconds",
      "timestamp_in_milliseconds",
      { signature: webhookSignature(BODY, `${TIMESTAMP}000`) },
    ],
    [
      "signed JSON of its own",
      "body_reserialised",
      { signature: webhookSignature(JSON.stringify(event, null, 2), TIMESTAMP) },
    ],
    ["signed another text", "other_text", { text: signed.replace("payment", "Payment") }],
  ];
  for (const [name, code, own] of ways)
    test(`it ${name}`, async () => {
      const said = await explain({ facts: { own } });
      assert.deepEqual([said.verified, said.mistakes.map((each) => each.code)], [true, [code]]);
    });

  test("nothing, when it did as we do", async () => {
    const said = await explain({ facts: { own: { signature: SIGNATURE, text: signed } } });
    assert.deepEqual([said.verified, said.mistakes], [true, []]);
  });
});
