/**
 * The guarantee: a payment request signed wrongly in one of the usual ways is explained as such,
 * and a right one verifies. Each mistake is made here by hand (Decision 0054).
 */

import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import { describe, test } from "node:test";
import { explainRequest, type RequestFacts } from "../../../sdk/src/verify/explain-request.ts";
import { explanationText } from "../../../sdk/src/verify/explanation-text.ts";
import { REQUEST_NAMES } from "../../../sdk/src/verify/names.ts";
import { startService } from "../../../testkit/service.ts";
import { REQUEST_VECTORS, VECTOR_SECRET } from "./request-vectors.ts";
import { HASH_KEY, SIGNING_SECRET } from "./support.ts";

const FIELDS: Record<string, string> = {
  order_id: "order 7",
  account_number: "2345678901",
  environment: "sandbox",
  total: "1000.00",
  response_url: "https://shop.example/paid?cart=7",
  data: "a+b~c*d é",
  version: "",
  Shop_field: "not ours",
};

const byName = (fields: Record<string, string>) =>
  Object.entries(fields).sort(([one], [other]) => (one < other ? -1 : 1));
const formOf = (fields: Record<string, string>) => new URLSearchParams(byName(fields)).toString();
const macOf = (text: string, secret = SIGNING_SECRET) =>
  createHmac("sha256", secret).update(text).digest();
const hexOf = (text: string, secret?: string) => macOf(text, secret).toString("hex");

const asForm = (signature: string, fields = FIELDS) =>
  new URLSearchParams({ ...fields, signature }).toString();
const asJson = (signature: string, fields: Record<string, unknown> = FIELDS) =>
  JSON.stringify({ ...fields, signature });

const explain = (body: string, facts: Partial<RequestFacts> = {}) =>
  explainRequest(body, { signingSecret: SIGNING_SECRET, ...facts });

describe("a right one verifies:", () => {
  test("as JSON and as a form, in capital letters too", async () => {
    const signature = hexOf(formOf(FIELDS));
    for (const body of [asForm(signature), asJson(signature), asJson(signature.toUpperCase())])
      assert.deepEqual((await explain(body)).mistakes, []);
  });

  test("with the signature given beside the body", async () => {
    const { verified } = await explain(JSON.stringify(FIELDS), {
      signature: hexOf(formOf(FIELDS)),
    });
    assert.equal(verified, true);
  });

  for (const { about, body, signature } of REQUEST_VECTORS)
    test(`the vector with ${about}`, async () => {
      const said = await explainRequest(body, { signingSecret: VECTOR_SECRET, signature });
      assert.deepEqual(said.mistakes, []);
      assert(said.verified);
    });
});

const plain = byName(FIELDS).map(([name, value]) => `${name}=${value}`);
const percent = byName(FIELDS).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
const without = (...names: string[]) =>
  Object.fromEntries(Object.entries(FIELDS).filter(([name]) => !names.includes(name)));
const python = `{${Object.entries(FIELDS)
  .map((pair) => pair.map((text) => JSON.stringify(text)).join(": "))
  .join(", ")}}`;
const digest = hexOf(formOf(FIELDS));

const WRONG: [name: string, code: string, signature: string, facts?: Partial<RequestFacts>][] = [
  ["not sorted", "field_order", hexOf(new URLSearchParams(FIELDS).toString())],
  [
    "sorted without a difference between A and a",
    "field_order",
    hexOf(
      new URLSearchParams(
        Object.entries(FIELDS).sort(([one], [other]) =>
          one.toLowerCase() < other.toLowerCase() ? -1 : 1,
        ),
      ).toString(),
    ),
  ],
  ["spaces as %20", "space_as_percent", hexOf(percent.join("&"))],
  ["not encoded", "not_encoded", hexOf(plain.join("&"))],
  [
    "values alone",
    "values_only",
    hexOf(
      byName(FIELDS)
        .flatMap(([, each]) => each)
        .join(""),
    ),
  ],
  ["as PHP writes a *", "star_encoded", hexOf(formOf(FIELDS).replaceAll("*", "%2A"))],
  [
    "as Python writes ~ and *",
    "tilde_not_encoded",
    hexOf(formOf(FIELDS).replaceAll("*", "%2A").replaceAll("%7E", "~")),
  ],
  [
    "bytes in small letters",
    "percent_in_small_letters",
    hexOf(formOf(FIELDS).replace(/%../g, (byte) => byte.toLowerCase())),
  ],
  ["as Latin-1", "wrong_charset", hexOf(formOf(FIELDS).replace("%C3%A9", "%E9"))],
  ["empty fields dropped", "empty_field_dropped", hexOf(formOf(without("version")))],
  ["unknown fields dropped", "unknown_field_dropped", hexOf(formOf(without("Shop_field")))],
  ["one field left out", "field_left_out", hexOf(formOf(without("order_id")))],
  ["an empty signature too", "signature_signed_too", hexOf(formOf({ ...FIELDS, signature: "" }))],
  ["the total as 1000", "total_rewritten", hexOf(formOf({ ...FIELDS, total: "1000" }))],
  ["the total as 1,000.00", "total_rewritten", hexOf(formOf({ ...FIELDS, total: "1,000.00" }))],
  [
    "values encoded before",
    "doubly_encoded",
    hexOf(
      formOf(
        Object.fromEntries(
          Object.entries(FIELDS).map(([name, value]) => [name, encodeURIComponent(value)]),
        ),
      ),
    ),
  ],
  ["the JSON", "json_signed", hexOf(JSON.stringify(FIELDS))],
  ["the JSON as PHP", "json_signed", hexOf(phpJson())],
  ["the JSON as Python", "json_signed", hexOf(python)],
  ["in base64", "digest_form", macOf(formOf(FIELDS)).toString("base64")],
  ["its hex in base64", "digest_form", Buffer.from(digest).toString("base64")],
  ["with a prefix", "digest_form", `sha256=${digest}`],
  ["text and key swapped", "hmac_swapped", hexOf(SIGNING_SECRET, formOf(FIELDS))],
  [
    "a plain hash",
    "plain_hash",
    createHash("sha256")
      .update(formOf(FIELDS) + SIGNING_SECRET)
      .digest("hex"),
  ],
  [
    "SHA-512",
    "other_hash_function",
    createHmac("sha512", SIGNING_SECRET).update(formOf(FIELDS)).digest("hex"),
  ],
  [
    "a line end behind the key",
    "key_has_white_space",
    hexOf(formOf(FIELDS), `${SIGNING_SECRET}\n`),
  ],
  ["the hash key", "keys_swapped", hexOf(formOf(FIELDS), HASH_KEY), { hashKey: HASH_KEY }],
  [
    "the secret of live",
    "key_of_other_environment",
    hexOf(formOf(FIELDS), "of live"),
    { others: [{ name: "live", environment: "live", signingSecret: "of live" }] },
  ],
  ["the demo's", "key_of_another_account", hexOf(formOf(FIELDS), "sandbox-signing-secret")],
];

function phpJson(): string {
  return JSON.stringify(FIELDS).replaceAll("/", "\\/").replaceAll("é", "\\u00e9");
}

describe("signed wrongly it says how:", () => {
  for (const [name, code, signature, facts] of WRONG)
    test(name, async () => {
      for (const body of [asForm(signature), asJson(signature)]) {
        const said = await explain(body, facts);
        assert.equal(said.verified, false);
        assert.deepEqual(
          said.mistakes.map((each) => each.code),
          [code],
          said.summary,
        );
        assert(!explanationText(said).includes(SIGNING_SECRET));
      }
    });

  test("two mistakes that hide each other are both told", async () => {
    const unsorted = Object.entries(FIELDS).map(([name, value]) => `${name}=${value}`);
    const said = await explain(asJson(hexOf(unsorted.join("&"))));
    const codes = said.mistakes.map(({ code }) => code);
    assert.deepEqual(codes.sort(), ["field_order", "not_encoded"]);
  });

  test("numbers and words of JSON that other languages print otherwise", async () => {
    const body = '{"total":100.00,"avs":true,"note":null,"order_id":"7"}';
    const cases: [code: string, fields: Record<string, string>][] = [
      ["number_rewritten", { total: "100.00", avs: "true", note: "", order_id: "7" }],
      ["boolean_rewritten", { total: "100", avs: "True", note: "", order_id: "7" }],
      ["boolean_rewritten", { total: "100", avs: "1", note: "", order_id: "7" }],
      ["null_rewritten", { total: "100", avs: "true", note: "None", order_id: "7" }],
    ];
    for (const [code, fields] of cases) {
      const said = await explain(body, { signature: hexOf(formOf(fields)) });
      assert.equal(said.mistakes[0]?.code, code, said.summary);
      assert.match(said.notes.join(), /total is the number 100\.00, signed as 100/);
    }
  });

  test("the first difference is between what was signed and what is sent", async () => {
    const said = await explain(asJson(hexOf(formOf({ ...FIELDS, total: "1000" }))));
    const { difference } = said.mistakes[0] ?? {};
    assert.deepEqual([difference?.expected.character, difference?.given.character], ["&", "."]);
  });
});

describe("what nothing explains", () => {
  test("is told so, with where to read the secret", async () => {
    const { mistakes } = await explain(asForm("0".repeat(64)));
    assert.equal(mistakes[0]?.code, "not_found");
    assert.match(mistakes[0]?.instead ?? "", /The request is of sandbox/);
  });

  test("is told by the text that the own code signs", async () => {
    const text = formOf(FIELDS).replace("order_id", "orderId");
    const other = await explain(asForm("0".repeat(64)), { own: { text } });
    assert.equal(other.mistakes[0]?.code, "other_text");
    assert.equal(other.mistakes[0]?.difference?.expected.character, "I");
    const right = await explain(asForm("0".repeat(64)), { own: { text: formOf(FIELDS) } });
    assert.equal(right.mistakes[0]?.code, "own_digest_unknown");
    const known = await explain(asForm("0".repeat(64)), { own: { text: plain.join("&") } });
    assert.equal(known.mistakes[0]?.code, "not_encoded");
  });
});

describe("what the service refuses anyway", () => {
  const cases: [name: string, code: string, body: string, facts?: Partial<RequestFacts>][] = [
    ["a list", "nested_field", JSON.stringify({ ...FIELDS, items: [1], signature: digest })],
    ["no signature", "signature_missing", JSON.stringify(FIELDS)],
    ["an empty one", "signature_missing", asJson("")],
    ["no JSON", "body_unreadable", '{"order_id":'],
    ["no object", "body_unreadable", "[1]"],
    ["no secret", "key_missing", asJson(digest), { signingSecret: "" }],
  ];
  for (const [name, code, body, facts] of cases)
    test(name, async () => {
      const said = await explain(body, facts);
      assert.equal(said.verified, false);
      assert.deepEqual(
        said.mistakes.map((each) => each.code),
        [code],
      );
    });

  test("of a repeated key the last one is signed, and a note says so", async () => {
    const said = await explain(`total=1.00&${asForm(digest)}`);
    assert.equal(said.verified, true);
    assert.deepEqual(said.notes, ["total is there more than once: the last one counts."]);
  });
});

test("the names of the interface are those of the document", async (t) => {
  const service = await startService();
  t.after(() => service.stop());
  const { body } = await service.request("/openapi.json");
  const { requestBody } = body.paths["/plugins/payments/request"].post;
  const { schema } = requestBody.content["application/json"];
  const { properties } =
    schema.$ref === undefined ? schema : body.components.schemas[nameOf(schema)];
  const names = Object.keys(properties).filter((name) => name !== "signature");
  assert.deepEqual([...REQUEST_NAMES].sort(), names.sort());
});

const nameOf = ({ $ref }: { $ref: string }) => $ref.split("/").at(-1) ?? "";
