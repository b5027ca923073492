/**
 * Values mean the same in JSON, in form data and in a query: the first field that fails is
 * reported, nothing is guessed, and what is stored is what was sent.
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import { SCOPES } from "../../../src/kit/scopes.ts";
import { mintToken } from "../../../testkit/credentials.ts";
import { createNoteTable, createProbes, NOTE } from "../../../testkit/probe-routes.ts";
import { startService, type TestAnswer } from "../../../testkit/service.ts";

const probes = createProbes();
const service = await startService({ extraRoutes: probes.routes });
await createNoteTable(service.ctx.db);
after(() => service.stop());
const shop = await service.world.mainMerchant();
const { token } = await mintToken(service.ctx, shop, SCOPES);

const JSON_TYPE = "application/json";
const FORM_TYPE = "application/x-www-form-urlencoded";
const NOTE_FORM = "title=Rent&copies=2&mood=calm&email=a%40example.com";

interface Row {
  account_number: string;
  title: string;
  copies: number;
  email: string;
  remark: string | null;
}

function post(type: string, body: string): Promise<TestAnswer> {
  return service.request("/probe/notes", { method: "POST", token, raw: { type, body } });
}

/** The rows written since the last call, which also forgets them. */
function writtenRows(): Promise<Row[]> {
  return service.ctx.db.rows<Row>(sql`
    delete from probe_notes returning account_number, title, copies, email, remark`);
}

async function expectRefused(answer: TestAnswer, message: string): Promise<void> {
  assert.deepEqual([answer.status, answer.body], [400, { message }]);
  assert.deepEqual(await writtenRows(), [], "a refused request wrote a row");
}

async function expectWritten(answer: TestAnswer, fields: Partial<Row> = {}): Promise<void> {
  assert.equal(answer.status, 201, answer.text);
  const expected = {
    account_number: shop.accountNumber,
    title: "Rent",
    copies: 2,
    email: "a@example.com",
    remark: null,
    ...fields,
  };
  assert.deepEqual(await writtenRows(), [expected]);
}

describe("a whole number", () => {
  const REFUSAL = "The copies must be a whole number from 1 to 99.";
  const json = (copies: string) =>
    post(JSON_TYPE, JSON.stringify(NOTE).replace(":2,", `:${copies},`));
  const form = (copies: string) =>
    post(FORM_TYPE, NOTE_FORM.replace("copies=2", `copies=${encodeURIComponent(copies)}`));

  for (const good of ["2", '"2"', "2.0", "2e0", '"02"'])
    test(`may be ${good} in JSON`, async () => expectWritten(await json(good)));

  for (const good of ["2", "02"])
    test(`may be ${good} in form data`, async () => expectWritten(await form(good)));

  const BAD_TEXTS = ["0", "100", "-2", "2.0", "2.5", "1e1", "0x2", " 2", "2 ", "+2", "２", "NaN"];
  for (const bad of [...BAD_TEXTS, "2,0", "two", "9".repeat(400), "true", "null"])
    test(`may not be the text ${JSON.stringify(bad.slice(0, 20))} in either`, async () => {
      await expectRefused(await json(JSON.stringify(bad)), REFUSAL);
      await expectRefused(await form(bad), REFUSAL);
    });

  for (const bad of ["0", "100", "-2", "2.5", "1e15", "9007199254740993", "true", "[2]", "{}"])
    test(`may not be ${bad} in JSON`, async () => expectRefused(await json(bad), REFUSAL));

  test("may not be beyond all numbers", async () => {
    await expectRefused(await json("1e400"), "The body holds a number that is too large.");
  });
});

describe("a text", () => {
  for (const bad of [1, true, ["Rent"], { a: "Rent" }])
    test(`may not be ${JSON.stringify(bad)}`, async () => {
      const refusal = "The title must be a string.";
      await expectRefused(await post(JSON_TYPE, JSON.stringify({ ...NOTE, title: bad })), refusal);
    });

  const PROBES = [
    "' or 1=1; drop table probe_notes; --",
    `{{7*7}} ${"$"}{7*7} <%= 7*7 %> #{7*7}`,
    "</script><script>alert(1)</script>",
    "%s%n%x %00 \\0 \\u0000",
    "a\r\nSet-Cookie: x=1",
    "*)(uid=*))(|(uid=*",
    '{"$gt": ""}',
    "\u202Eevil\u202C \u200B\u2066x\u2069",
    "👩‍👩‍👧‍👦 שלום e\u0301\u0301\u0301 ﷽",
    " leading and trailing ",
    "\uFEFFmark\uFFFD",
  ];
  for (const probe of PROBES)
    test(`${JSON.stringify(probe)} is stored as it was sent, by either`, async () => {
      const json = JSON.stringify({ ...NOTE, remark: probe });
      await expectWritten(await post(JSON_TYPE, json), { remark: probe });
      const form = `${NOTE_FORM}&${new URLSearchParams({ remark: probe })}`;
      await expectWritten(await post(FORM_TYPE, form), { remark: probe });
    });

  test("is as long as its characters, not its bytes", async () => {
    const remark = "👍".repeat(255);
    await expectWritten(await post(JSON_TYPE, JSON.stringify({ ...NOTE, remark })), { remark });
    const longer = JSON.stringify({ ...NOTE, remark: `${remark}👍` });
    const refusal = "The remark must not be longer than 255 characters.";
    await expectRefused(await post(JSON_TYPE, longer), refusal);
  });
});

describe("an empty text counts as absent:", () => {
  for (const empty of ['""', "null"])
    test(`an optional field that is ${empty} is left out`, async () => {
      const body = JSON.stringify(NOTE).replace("{", `{"remark":${empty},`);
      await expectWritten(await post(JSON_TYPE, body));
    });

  test("an optional form field that is empty is left out", async () => {
    await expectWritten(await post(FORM_TYPE, `${NOTE_FORM}&remark=`));
    await expectWritten(await post(FORM_TYPE, `${NOTE_FORM}&remark`));
  });

  for (const name of ["title", "copies", "mood", "email"])
    test(`a required ${name} that is empty is missing`, async () => {
      const refusal = `The ${name} field is required.`;
      await expectRefused(await post(JSON_TYPE, JSON.stringify({ ...NOTE, [name]: "" })), refusal);
      const form = NOTE_FORM.replace(new RegExp(`${name}=[^&]*`), `${name}=`);
      await expectRefused(await post(FORM_TYPE, form), refusal);
    });
});

describe("the first field that fails speaks, in the order of the fields:", () => {
  const ORDER: [Record<string, unknown>, string][] = [
    [{}, "The title field is required."],
    [{ copies: 0, email: "x" }, "The title field is required."],
    [{ title: "R" }, "The title must be at least 2 characters."],
    [{ title: "Rent" }, "The copies field is required."],
    [{ title: "Rent", copies: 0, mood: "x" }, "The copies must be a whole number from 1 to 99."],
    [{ title: "Rent", copies: 1, email: "x" }, "The mood field is required."],
    [{ ...NOTE, mood: "CALM" }, "The mood must be one of: calm, slow, refused, broken."],
    [{ ...NOTE, email: "x" }, "The email must be a valid email address."],
    [{ ...NOTE, email: ["a@example.com"] }, "The email must be a string."],
  ];
  for (const [body, message] of ORDER)
    test(JSON.stringify(body), async () => {
      await expectRefused(await post(JSON_TYPE, JSON.stringify(body)), message);
    });
});

describe("form data", () => {
  test("of a repeated key the last one wins", async () => {
    await expectWritten(await post(FORM_TYPE, `copies=77&title=x&${NOTE_FORM}`));
  });

  for (const odd of ["copies[]=2", "copies[0]=2", "copies[b]=2", "COPIES=2", "copies%5B%5D=2"])
    test(`${odd} is not the field copies`, async () => {
      const form = NOTE_FORM.replace("copies=2", odd);
      await expectRefused(await post(FORM_TYPE, form), "The copies field is required.");
    });

  const UNREADABLE: [string, string][] = [
    ["remark=%zz", "The body is not valid form data."],
    ["remark=%", "The body is not valid form data."],
    ["remark=%ff", "The body is not valid form data."],
    ["remark=%c0%af", "The body is not valid form data."],
    ["remark=%ed%a0%bd", "The body is not valid form data."],
    ["remark=a%00b", "The remark must not contain a NUL character."],
    ["re%00mark=b", "The body holds a NUL character."],
    ["__proto__=x", "The body has a key that is not allowed."],
    ["__proto__[polluted]=x", "The body has a key that is not allowed."],
    ["constructor[prototype][polluted]=x", "The body has a key that is not allowed."],
    ["constructor.prototype=x", "The body has a key that is not allowed."],
    [new Array(100).fill("x=1").join("&"), "The body has too many fields."],
  ];
  for (const [odd, message] of UNREADABLE)
    test(`with ${odd.slice(0, 40)} is refused`, async () => {
      await expectRefused(await post(FORM_TYPE, `${NOTE_FORM}&${odd}`), message);
      assert.equal((Object.prototype as { polluted?: unknown }).polluted, undefined);
    });
});

describe("a query", () => {
  const list = (query: string) => service.request(`/auth/keys?${query}`, { token });

  for (const ignored of ["page[]=2", "page[b]=2", "Page=2", "x=1"])
    test(`with ${ignored} is as without it`, async () => {
      const answer = await list(ignored);
      assert.deepEqual([answer.status, answer.body.meta?.page], [200, 1]);
    });

  const BAD: [string, string][] = [
    ["page=1&page=2", "The page field is given more than once."],
    ["page=1&pag%65=2", "The page field is given more than once."],
    ["page=0", "The page must be a whole number from 1 to 1000000."],
    ["page=-1", "The page must be a whole number from 1 to 1000000."],
    ["page=1e1", "The page must be a whole number from 1 to 1000000."],
    ["page_size=101", "The page size must be a whole number from 1 to 100."],
    ["page_size=+5", "The page size must be a whole number from 1 to 100."],
    ["page=%zz", "The query is not valid."],
    ["page=%ff", "The query is not valid."],
    ["page=%00", "The page must not contain a NUL character."],
    ["__proto__[x]=1", "The query has a key that is not allowed."],
    ["constructor[prototype]=1", "The query has a key that is not allowed."],
  ];
  for (const [query, message] of BAD)
    test(`with ${query} is refused`, async () => {
      const answer = await list(query);
      assert.deepEqual([answer.status, answer.body], [400, { message }]);
    });

  test("with an empty field counts it as absent", async () => {
    assert.equal((await list("page=&page_size=")).body.meta.page_size, 20);
  });
});

test("unknown fields are ignored and never written", async () => {
  const planted = {
    account_number: "9999999999",
    note_id: 7,
    balance: "1000000.00",
    is_admin: true,
    account_id: 1,
    status: "success",
    scopes: ["svc-accounts-all"],
  };
  await expectWritten(await post(JSON_TYPE, JSON.stringify({ ...planted, ...NOTE })));
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(planted)) form.set(name, String(value));
  await expectWritten(await post(FORM_TYPE, `${form}&${NOTE_FORM}`));
});
