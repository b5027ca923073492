/**
 * The guide to signing works: its pieces of code, run by Node, PHP and Python, give every
 * vector its signature, and the service takes what they sign (Decision 0066).
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { ask, minimal } from "../../testkit/payment-requests.ts";
import { startService } from "../../testkit/service.ts";
import { setRequired, signatureOf, signingShop } from "../api/checkout/signing-support.ts";
import { GUIDE_VECTORS, type RequestVector, VECTOR_SECRET } from "../sdk/verify/request-vectors.ts";
import { openPhp } from "./php-session.ts";
import { openPython } from "./python-session.ts";
import type { Session } from "./session.ts";
import { guideText, snippetsOf } from "./snippets.ts";
import { openTypeScript } from "./typescript-session.ts";

const GUIDE = "verify.md";
const snippets = snippetsOf(GUIDE, "Sign your payment requests");

const service = await startService();
after(() => service.stop());
const shop = await signingShop(service);
await setRequired(service, shop, true);

/** Whatever encoders differ in, among fields that are taken. */
const AWKWARD = {
  data: "a+b & c=d ~*-._!'() %20 é 😀",
  name: "Zoë O'Neil",
  10: "ten",
  9: "nine",
  Basket: '{"a":[1,2]}',
  "shop field": "",
  note: null,
  avs: false,
};

function fieldsOf({ type, body }: RequestVector): object {
  return type === "json" ? JSON.parse(body) : Object.fromEntries(new URLSearchParams(body));
}

interface SignRequest {
  readonly fields: object;
  readonly secret: string;
}

/** Opens a language with the guide's piece run, and how one signature is asked of it. */
interface Opened {
  readonly session: Session;
  /** What to run for it; prints the signature. */
  code(asked: SignRequest): string;
}

const quoted = (text: string) => `'${text.replace(/[\\']/g, "\\$&")}'`;

async function inPhp(): Promise<Opened> {
  const session = await openPhp();
  await session.run(snippets.php[0] ?? "");
  return {
    session,
    code: ({ fields, secret }) =>
      `echo signedRequest(json_decode(${quoted(JSON.stringify(fields))}, true), ` +
      `${quoted(secret)})['signature'];`,
  };
}

async function inPython(): Promise<Opened> {
  const session = await openPython();
  await session.run(snippets.python[0] ?? "");
  const loaded = (value: unknown) => `json.loads(${JSON.stringify(JSON.stringify(value))})`;
  return {
    session,
    code: ({ fields, secret }) =>
      `import json\nprint(signed_request(${loaded(fields)}, ${loaded(secret)})["signature"])`,
  };
}

const all: SignRequest[] = [
  ...GUIDE_VECTORS.map((vector) => ({ fields: fieldsOf(vector), secret: VECTOR_SECRET })),
  { fields: minimal(shop.accountNumber, AWKWARD), secret: shop.secret },
];
const expected = all.map(({ fields, secret }) => signatureOf({ ...fields }, secret));

async function expectTaken(signature: string): Promise<void> {
  const answer = await ask(service, { ...all.at(-1)?.fields, signature });
  assert.equal(answer.status, 200, answer.text);
}

describe("the guide to signing", () => {
  test("has one piece in each language, and the vectors of the tests", () => {
    assert.deepEqual(
      [snippets.ts, snippets.php, snippets.python].map(({ length }) => length),
      [1, 1, 1],
    );
    const [, json = ""] = /^```json\n([\s\S]*?)^```$/m.exec(guideText(GUIDE)) ?? [];
    assert.deepEqual(
      JSON.parse(json),
      GUIDE_VECTORS.map(({ about: _, inGuide: __, ...vector }) => vector),
    );
    const signatures = GUIDE_VECTORS.map(({ signature }) => signature);
    assert.deepEqual(expected.slice(0, -1), signatures);
  });

  for (const [language, open] of [
    ["PHP", inPhp],
    ["Python", inPython],
  ] as const)
    test(`signs every vector right in ${language}, and the service takes it`, async () => {
      const { session, code } = await open();
      for (const [at, asked] of all.entries())
        assert.equal((await session.run(code(asked))).trim(), expected[at], `vector ${at}`);
      await session.close();
      await expectTaken(expected.at(-1) ?? "");
    });

  test("signs every vector right in TypeScript, and the service takes it", async () => {
    const [piece = ""] = snippets.ts;
    const [imported = "", call = ""] = piece.split("\n\n");
    const calls = all.map((_, at) =>
      [
        `{ const { fields, secret: signingSecret } = guide.facts.all[${at}];`,
        call,
        "console.log(signed.signature); }",
      ].join("\n"),
    );
    const session = await openTypeScript([imported, ...calls], { all });
    await session.run("");
    for (const signature of expected) assert.equal((await session.run("")).trim(), signature);
    await session.close();
    await expectTaken(expected.at(-1) ?? "");
  });
});
