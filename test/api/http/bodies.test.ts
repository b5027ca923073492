/**
 * A body is read or refused as a whole: its size, its type, its bytes.
 *
 * Every refusal is one sentence, closes nothing that was open and writes nothing; and whatever a
 * body claims to be, it is never let past the fields.
 */

import assert from "node:assert/strict";
import { after, afterEach, describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import { sql } from "../../../src/infra/db/query.ts";
import { SCOPES } from "../../../src/kit/scopes.ts";
import { mintToken } from "../../../testkit/credentials.ts";
import { createNoteTable, createProbes, NOTE } from "../../../testkit/probe-routes.ts";
import { ask, converse, expectRefusal, rawRequest } from "../../../testkit/raw-http.ts";
import { startService } from "../../../testkit/service.ts";

const BODY_BYTES_MAX = 65_536;

const probes = createProbes();
const service = await startService({ extraRoutes: probes.routes });
await createNoteTable(service.ctx.db);
after(() => service.stop());
const shop = await service.world.mainMerchant();
const { token } = await mintToken(service.ctx, shop, SCOPES);
const authorization = `Authorization: Bearer ${token}`;

/** How many notes were written since the last test. */
async function writtenNotes(): Promise<number> {
  return service.ctx.db.run(sql`delete from probe_notes`);
}
afterEach(async () => assert.equal(await writtenNotes(), 0, "a refused body wrote a row"));

function post(type: string | undefined, body: string | Buffer, lines: string[] = []) {
  const typed = type === undefined ? [] : [`Content-Type: ${type}`];
  return ask(service.url, {
    method: "POST",
    target: "/probe/notes",
    lines: [authorization, ...typed, ...lines],
    body,
  });
}
const postJson = (body: string | Buffer) => post("application/json", body);

const good = JSON.stringify(NOTE);
const bad = JSON.stringify({ ...NOTE, copies: 0 });
const goodForm = new URLSearchParams({ ...NOTE, copies: String(NOTE.copies) });

describe("the size of a body", () => {
  const padded = (bytes: number) => {
    const empty = JSON.stringify({ ...NOTE, padding: "" }).length;
    return JSON.stringify({ ...NOTE, padding: "x".repeat(bytes - empty) });
  };

  test("may be 65,536 bytes", async () => {
    const answer = await postJson(padded(BODY_BYTES_MAX));
    assert.equal(answer.status, 201);
    assert.equal(await writtenNotes(), 1);
  });

  test("may not be one byte more", async () => {
    expectRefusal(await postJson(padded(BODY_BYTES_MAX + 1)), 413);
    expectRefusal(await post("text/plain", "x".repeat(BODY_BYTES_MAX + 1)), 413);
  });

  test("is counted, not believed, when it is sent in chunks", async () => {
    const body = padded(BODY_BYTES_MAX + 1);
    const half = Math.floor(body.length / 2);
    const chunks = [body.slice(0, half), body.slice(half), ""];
    const text = chunks.map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join("");
    const lines = [authorization, "Content-Type: application/json", "Transfer-Encoding: chunked"];
    const head = rawRequest(service.url, { method: "POST", target: "/probe/notes", lines });
    const { answers } = await converse(service.url, Buffer.concat([head, Buffer.from(text)]));
    expectRefusal(answers[0], 413);
  });

  test("is refused by its announcement, before it is sent", async () => {
    const lines = [authorization, "Content-Type: application/json", "Content-Length: 99999999999"];
    const head = rawRequest(service.url, { method: "POST", target: "/probe/notes", lines });
    const { answers } = await converse(service.url, head);
    expectRefusal(answers[0], 413);
  });

  test("is not read at all from a caller who is not admitted", async () => {
    const answer = await ask(service.url, {
      method: "POST",
      target: "/probe/notes",
      lines: ["Content-Type: application/json"],
      body: "x".repeat(BODY_BYTES_MAX + 1),
    });
    expectRefusal(answer, 401);
  });

  test("of a password may not be a megabyte", async () => {
    const body = JSON.stringify({ email: shop.email, password: "x".repeat(1e6), scopes: "x" });
    const lines = ["Content-Type: application/json"];
    const target = "/auth/tokens";
    expectRefusal(await ask(service.url, { method: "POST", target, lines, body }), 413);
  });
});

describe("a body is refused with 415 when its type is", () => {
  const TYPES = [
    undefined,
    "",
    "text/plain",
    "application/xml",
    "application/jsonx",
    "xapplication/json",
    "application/json-patch+json",
    "application/vnd.api+json",
    "application/json, text/plain",
    "application/json text/plain",
    "application/json/x",
    "json",
    "multipart/form-data; boundary=x",
    "application/json; charset=utf-7",
    "application/json; charset=utf-16",
    'application/json; charset="utf-16le"',
    "application/json;charset=utf-8;charset=utf-16",
    "application/json; x=y; CHARSET=iso-8859-1",
    "application/x-www-form-urlencoded; charset=utf-7",
    "application/x-www-form-urlencodedx",
  ];
  for (const type of TYPES)
    test(JSON.stringify(type ?? "missing"), async () => {
      expectRefusal(await post(type, type?.includes("urlenc") ? `${goodForm}` : good), 415);
    });

  test("good but its encoding is compressed, even when it is a bomb", async () => {
    const bomb = gzipSync(Buffer.alloc(10_000_000, "["));
    for (const encoding of ["gzip", "br", "deflate", "x-gzip", "gzip, identity", "GZIP"])
      expectRefusal(await post("application/json", bomb, [`Content-Encoding: ${encoding}`]), 415);
  });
});

describe("the fields are judged under", () => {
  const SPELLINGS = [
    "application/json",
    "Application/JSON",
    "application/json;",
    "application/json\t;x",
    "application/json ;charset=utf-8",
    'application/json; charset="UTF-8"',
    "application/json; charset=utf8; x=y",
    "application/json;;;",
  ];
  for (const type of SPELLINGS)
    test(`JSON spelled ${JSON.stringify(type)}`, async () => {
      expectRefusal(await post(type, bad), 400, 415);
      assert.equal(await writtenNotes(), 0);
      const answer = await post(type, good);
      assert([201, 415].includes(answer.status), answer.body);
      assert.equal(await writtenNotes(), answer.status === 201 ? 1 : 0);
    });

  test("form data in any case, with a charset of UTF-8", async () => {
    for (const type of [
      "application/x-www-form-urlencoded",
      "Application/X-WWW-Form-URLencoded; charset=UTF-8",
    ]) {
      assert.equal((await post(type, `${goodForm}`)).status, 201);
      expectRefusal(await post(type, `${goodForm}`.replace("copies=2", "copies=0")), 400);
    }
    assert.equal(await writtenNotes(), 2);
  });

  test("Content-Encoding: identity, which means none", async () => {
    const answer = await post("application/json", good, ["Content-Encoding: identity"]);
    assert.equal(answer.status, 201);
    assert.equal(await writtenNotes(), 1);
  });
});

describe("JSON is refused with 400 when it", () => {
  const withExtra = (extra: string) => good.replace(/\}$/, `,${extra}}`);
  const CASES: Record<string, string | Buffer> = {
    "is empty": "",
    "is only white space": "  \n ",
    "is null": "null",
    "is an array": "[]",
    "is an array of one good object": `[${good}]`,
    "is a text": '"x"',
    "is a number": "1",
    "is true": "true",
    "has a trailing comma": good.replace(/\}$/, ",}"),
    "has a comment": good.replace("{", "{/* x */"),
    "has a line comment": `${good}// x`,
    "has single quotes": good.replaceAll('"', "'"),
    "has NaN": withExtra('"x":NaN'),
    "has Infinity": withExtra('"x":Infinity'),
    "has a hexadecimal number": withExtra('"x":0x10'),
    "has a number beyond all numbers": withExtra('"x":1e999'),
    "begins with a byte order mark": `\uFEFF${good}`,
    "is cut short": good.slice(0, -1),
    "is followed by more": `${good}{}`,
    "has a key twice": withExtra('"copies":2'),
    "has a key twice, once in escapes": withExtra('"\\u0063opies":2'),
    "has a key twice in a part that nobody reads": withExtra('"x":{"a":1,"a":1}'),
    "has __proto__": withExtra('"__proto__":{"polluted":true}'),
    "has __proto__ in escapes": withExtra('"\\u005f_proto__":{"polluted":true}'),
    "has __proto__ inside": withExtra('"x":[{"__proto__":{"polluted":true}}]'),
    "has constructor.prototype": withExtra('"constructor":{"prototype":{"polluted":true}}'),
    "has an escaped NUL": withExtra('"remark":"a\\u0000b"'),
    "has a raw NUL": withExtra('"remark":"a\0b"'),
    "has a NUL in a key": withExtra('"a\\u0000b":1'),
    "has a lone high surrogate": withExtra('"remark":"\\ud83d"'),
    "has a lone low surrogate": withExtra('"remark":"\\ude00x"'),
    "has surrogates in the wrong order": withExtra('"remark":"\\ude00\\ud83d"'),
    "has a lone surrogate in a part that nobody reads": withExtra('"x":["\\ud83d"]'),
    "has overlong UTF-8": Buffer.from(withExtra('"remark":"\xc0\xaf"'), "latin1"),
    "has bytes that are not UTF-8": Buffer.from(withExtra('"remark":"\xff\xfe"'), "latin1"),
    "has a surrogate in UTF-8": Buffer.from(withExtra('"remark":"\xed\xa0\xbd"'), "latin1"),
    "ends within a character": Buffer.from(`${good.slice(0, -2)}\xe2\x82`, "latin1"),
    "is UTF-16": Buffer.from(good, "utf16le"),
    "is nested 33 deep": withExtra(`"x":${"[".repeat(33)}${"]".repeat(33)}`),
    "is nested 32,000 deep": `${"[".repeat(32_000)}${"]".repeat(32_000)}`,
    "is nested 10,000 objects deep": `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`,
    "opens 65,000 brackets": "[".repeat(65_000),
    "has 10,000 parts": withExtra(`"x":[${"1,".repeat(10_000)}1]`),
  };
  for (const [what, body] of Object.entries(CASES))
    test(what, async () => {
      expectRefusal(await postJson(body), 400);
      assert.equal((Object.prototype as { polluted?: unknown }).polluted, undefined);
    });

  test("is nested 100,000 deep, by its size already", async () => {
    expectRefusal(await postJson(`${"[".repeat(100_000)}${"]".repeat(100_000)}`), 413);
  });
});

test("keys that only look dangerous are unknown fields, and unknown fields are ignored", async () => {
  const odd = { hasOwnProperty: 1, toString: "x", valueOf: null, constructor: "x", "": 1 };
  const answer = await postJson(JSON.stringify({ ...NOTE, ...odd }));
  assert.equal(answer.status, 201);
  const form = new URLSearchParams(goodForm);
  for (const [name, value] of Object.entries(odd)) form.set(name, String(value));
  assert.equal((await post("application/x-www-form-urlencoded", `${form}`)).status, 201);
  assert.equal(await writtenNotes(), 2);
});

test("a body that a route does not take is not asked for, and one on GET is ignored", async () => {
  const lines = [authorization, "Content-Type: application/json"];
  const answer = await ask(service.url, { target: "/auth/whoami", lines, body: "{" });
  assert.equal(answer.status, 200);
});
