/**
 * The guarantee: an upload is read strictly and within bounds. Whatever is wrong with it is one
 * sentence, never an exception, and no body is held that is larger than a good one can be.
 */

import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { describe, test } from "node:test";
import fc from "fast-check";
import { readMultipart } from "./read-multipart.ts";

const BYTES_MAX = 5_242_880;
const TYPE = "multipart/form-data; boundary=XyZ";
const REQUIRED = "The picture field is required.";
const MALFORMED = "The body is not valid multipart form data.";
const TOO_LARGE = "The picture may not be greater than 5 MB.";
const PICTURE = 'name="picture"; filename="a.png"';

function part(disposition: string, content: string | Buffer = "abc", more = ""): Buffer {
  const head = `--XyZ\r\nContent-Disposition: form-data; ${disposition}\r\n${more}\r\n`;
  return Buffer.concat([Buffer.from(head), Buffer.from(content), Buffer.from("\r\n")]);
}

const NESTED = "Content-Type: multipart/mixed; boundary=b\r\n";
const BASE64 = "Content-Transfer-Encoding: base64\r\n";
const END = Buffer.from("--XyZ--\r\n");
const form = (...parts: Buffer[]) => Buffer.concat([...parts, END]);

function read(body: Buffer | Iterable<Buffer>, contentType: string | undefined = TYPE) {
  const stream = Readable.from(Buffer.isBuffer(body) ? chunksOf(body, 65_536) : body);
  return readFrom(stream, contentType);
}

function readFrom(stream: Readable, contentType: string | undefined = TYPE, sender = "somebody") {
  const rules = { contentType, fileField: "picture", bytesMax: BYTES_MAX, sender };
  return readMultipart(stream as IncomingMessage, rules);
}

function* chunksOf(body: Buffer, size: number): Generator<Buffer> {
  for (let at = 0; at < body.length; at += size) yield body.subarray(at, at + size);
}

describe("a good upload", () => {
  const GOOD: [string, Buffer][] = [
    ["a file alone", form(part(PICTURE))],
    ["a field before it", form(part('name="_method"', "PATCH"), part(PICTURE))],
    ["a field after it", form(part(PICTURE), part('name="_method"', "PATCH"))],
    ["names as bare words", form(part("name=picture; filename=a.png"))],
    ["an odd case of its words", Buffer.from(form(part('NAME="picture"; FileName="x"')))],
    ["a name of 5 KB", form(part(`name="picture"; filename="${"a".repeat(5_000)}"`))],
    ["a name that leads elsewhere", form(part('name="picture"; filename="../../x"'))],
    ["a name with a NUL", form(part('name="picture"; filename="a.png\0.php"'))],
    ["a name with quotes and semicolons", form(part('name="picture"; filename="a\\";x=\\"b"'))],
    ["a name in another notation", form(part("name=\"picture\"; filename*=UTF-8''%e2%82%ac"))],
    ["a type and no name", form(part('name="picture"', "abc", "Content-Type: image/png\r\n"))],
    ["the wrong type", form(part(PICTURE, "abc", "Content-Type: text/plain\r\n"))],
    ["a few words before and after", Buffer.from(`hello\r\n${form(part(PICTURE))}bye`)],
    ["no line end at its end", form(part(PICTURE)).subarray(0, -2)],
    [
      "blanks behind a boundary",
      Buffer.from(form(part(PICTURE)).toString().replace("Z\r", "Z \r")),
    ],
    ["other fields, which are ignored", form(part('name="a"', "1"), part(PICTURE))],
  ];
  for (const [what, body] of GOOD)
    test(`with ${what} gives the file`, async () => {
      const { file, problem, tooLarge } = await read(body);
      assert.deepEqual([file?.toString(), problem, tooLarge], ["abc", undefined, undefined]);
    });

  test("gives its fields along, also those with odd names", async () => {
    const { fields } = await read(
      form(part('name="_method"', "PATCH"), part('name="toString"', "é"), part(PICTURE)),
    );
    assert.deepEqual({ ...fields }, { _method: "PATCH", toString: "é" });
    assert.equal(fields.constructor, undefined);
  });

  test("may have its boundary in quotes", async () => {
    const { file } = await read(form(part(PICTURE)), 'Multipart/Form-Data; boundary="XyZ"');
    assert.equal(file?.toString(), "abc");
  });

  test("holds every byte of the file, whatever it is and however it arrives", async () => {
    const bytes = fc.uint8Array({ maxLength: 400 }).map((given) => Buffer.from(given));
    const nearly = fc.constantFrom("\r\n--Xy", "\r\n--", "\r\n", "--XyZ", "\n--XyZ");
    const content = fc.tuple(bytes, nearly, bytes).map(([before, middle, after]) => {
      return Buffer.concat([Buffer.from("."), before, Buffer.from(middle), after]);
    });
    const others = content.filter((file) => !file.includes("\r\n--XyZ"));
    await fc.assert(
      fc.asyncProperty(others, fc.integer({ min: 1, max: 50 }), async (file, size) => {
        const body = form(part(PICTURE, file), part('name="_method"', "PATCH"));
        const upload = await read(chunksOf(body, size));
        assert.equal(upload.file?.equals(file), true);
        assert.equal(upload.fields._method, "PATCH");
      }),
      { numRuns: 200 },
    );
  });
});

describe("what is refused", () => {
  const sized = (bytes: number) => form(part(PICTURE, Buffer.alloc(bytes)));
  const twice = "The method field is given more than once.";
  const REFUSED: [string, Buffer, string][] = [
    ["no parts at all", form(), REQUIRED],
    ["nothing", Buffer.alloc(0), MALFORMED],
    ["an empty file", form(part(PICTURE, "")), REQUIRED],
    ["no file chosen in a browser", form(part('name="picture"; filename=""', "")), REQUIRED],
    ["a field of another case", form(part('name="Picture"; filename="a"')), REQUIRED],
    ["a field of another name", form(part('name="image"; filename="a"')), REQUIRED],
    ["text instead of a file", form(part('name="picture"')), "The picture must be a file."],
    ["no text instead of a file", form(part('name="picture"', "")), REQUIRED],
    ["two pictures", form(part(PICTURE), part(PICTURE)), "The body may hold only one file."],
    [
      "a file beside the picture",
      form(part(PICTURE), part('name="b"; filename="b"')),
      "The body may hold only one file.",
    ],
    ["a field twice", form(part('name="_method"'), part('name="_method"'), part(PICTURE)), twice],
    [
      "a long field",
      form(part('name="note"', "x".repeat(1_025)), part(PICTURE)),
      "The note field must not be longer than 1024 bytes.",
    ],
    [
      "a key that reaches for prototypes",
      form(part('name="__proto__"'), part(PICTURE)),
      "The body has a key that is not allowed.",
    ],
    [
      "a field with a NUL",
      form(part('name="note_two"', "a\0b"), part(PICTURE)),
      "The note two must not contain a NUL character.",
    ],
    [
      "a field that is not UTF-8",
      form(part('name="note"', Buffer.from([0xc3, 0x28])), part(PICTURE)),
      MALFORMED,
    ],
    ["one byte too many", sized(BYTES_MAX + 1), TOO_LARGE],
    ["garbage", Buffer.from("garbage"), MALFORMED],
    [
      "another boundary",
      Buffer.from(form(part(PICTURE)).toString().replaceAll("X", "Q")),
      MALFORMED,
    ],
    ["no final boundary", part(PICTURE), MALFORMED],
    ["a boundary that goes on", Buffer.from(`${part(PICTURE)}--XyZa`), MALFORMED],
    ["a file that is cut short", form(part(PICTURE)).subarray(0, -14), MALFORMED],
    [
      "bare line feeds",
      Buffer.from(form(part(PICTURE)).toString().replaceAll("\r", "")),
      MALFORMED,
    ],
    ["11 parts", form(...Array(11).fill(part(PICTURE))), "The body may hold only one file."],
    ["11 fields", form(...namedFields(11)), MALFORMED],
    ["a head of 200 KB", form(part(PICTURE, "abc", `X: ${"a".repeat(200_000)}\r\n`)), MALFORMED],
    ["21 lines of head", form(part(PICTURE, "abc", headLines(20))), MALFORMED],
    ["a folded line", form(part('name="picture";\r\n filename="a"')), MALFORMED],
    ["a line twice", form(part(PICTURE, "abc", "A: 1\r\nA: 2\r\n")), MALFORMED],
    ["a name twice", form(part('name="picture"; name="a"; filename="a"')), MALFORMED],
    ["no name", form(part('filename="a"')), MALFORMED],
    ["a quote without its end", form(part('name="picture"; filename="a')), MALFORMED],
    ["a part that is multipart", form(part(PICTURE, "abc", NESTED)), MALFORMED],
    ["a part in base64", form(part(PICTURE, "YWJj", BASE64)), MALFORMED],
    [
      "words for a page before it",
      Buffer.from(`${"x".repeat(1_100)}\r\n${form(part(PICTURE))}`),
      MALFORMED,
    ],
    [
      "words for a page after it",
      Buffer.from(`${form(part(PICTURE))}${"x".repeat(1_100)}`),
      MALFORMED,
    ],
  ];
  for (const [what, body, sentence] of REFUSED)
    test(`${what}: ${sentence}`, async () => {
      const { file, problem } = await read(body);
      assert.deepEqual([file, problem], [undefined, sentence]);
    });

  test("is told with the fields, also those behind it", async () => {
    const { fields, problem } = await read(
      form(part('name="picture"', "text"), part('name="_method"', "PATCH")),
    );
    assert.deepEqual([fields._method, problem], ["PATCH", "The picture must be a file."]);
  });

  const NO_FORM: [string | undefined, string][] = [
    [undefined, REQUIRED],
    ["application/json", REQUIRED],
    ["image/png", REQUIRED],
    ["multipart/form-data", MALFORMED],
    ["multipart/form-data; boundary=", MALFORMED],
    [`multipart/form-data; boundary=${"a".repeat(71)}`, MALFORMED],
    ['multipart/form-data; boundary="a\\"b"', MALFORMED],
    ["multipart/form-data; boundary=a; boundary=b", MALFORMED],
    ["multipart/mixed; boundary=XyZ", MALFORMED],
  ];
  for (const [type, sentence] of NO_FORM)
    test(`a body called ${type}: ${sentence}`, async () => {
      const raw = Readable.from([form(part(PICTURE))]) as IncomingMessage;
      const rules = {
        contentType: type,
        fileField: "picture",
        bytesMax: BYTES_MAX,
        sender: "somebody",
      };
      const { problem, file } = await readMultipart(raw, rules);
      assert.deepEqual([file, problem], [undefined, sentence]);
    });

  test("nothing that anybody could send is an exception", async () => {
    const piece = fc.oneof(
      fc.constantFrom("--XyZ", "--XyZ--", "\r\n", "--", '"', ";", ": ", "\r\n\r\n"),
      fc.constantFrom("Content-Disposition: form-data", ' name="picture"', ' filename="a"'),
      fc.string(),
    );
    const bodies = fc.array(piece, { maxLength: 20 }).map((given) => Buffer.from(given.join("")));
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        const { file, problem } = await read(body);
        assert.notEqual(file === undefined, problem === undefined);
      }),
      { numRuns: 500 },
    );
  });
});

describe("the bounds", () => {
  test("a file of exactly 5 MB is whole", async () => {
    const upload = await read(form(part(PICTURE, Buffer.alloc(BYTES_MAX, 7))));
    assert.deepEqual([upload.file?.length, upload.problem], [BYTES_MAX, undefined]);
  });

  const endless = (start: Buffer) => {
    let taken = 0;
    const body = (function* () {
      yield start;
      for (; taken < 800; taken++) yield Buffer.alloc(65_536, "x");
    })();
    return { body, taken: () => taken * 65_536 };
  };
  const ENDLESS: [string, Buffer, string][] = [
    ["a file", Buffer.from(part(PICTURE).subarray(0, -2)), TOO_LARGE],
    ["what stands before the first part", Buffer.from("x"), MALFORMED],
    ["what stands after the last", form(part(PICTURE)), MALFORMED],
    [
      "a field",
      part('name="note"').subarray(0, -2),
      "The note field must not be longer than 1024 bytes.",
    ],
  ];
  for (const [what, start, sentence] of ENDLESS)
    test(`50 MB of ${what} are not read: ${sentence}`, async () => {
      const { body, taken } = endless(start);
      const { problem, tooLarge } = await read(body);
      assert.deepEqual([problem, tooLarge], [sentence, true]);
      assert(taken() < 7 * 1024 * 1024, `${taken()} bytes were taken`);
    });

  test("of 10,000 parts ten are read, and the form is refused", async () => {
    const { fields, problem } = await read(form(...namedFields(10_000)));
    assert.deepEqual([Object.keys(fields).length, problem], [10, MALFORMED]);
  });

  test("a client that goes away rejects, with an answer that nobody reads", async () => {
    const stream = new Readable({ read() {} });
    const reading = readFrom(stream);
    stream.push(part(PICTURE));
    stream.destroy(new Error("aborted"));
    await assert.rejects(reading, { status: 400, cause: "the client went away in mid-body" });
    await assert.rejects(readFrom(stream), { status: 400 });
  });
});

function headLines(count: number): string {
  return Array.from({ length: count }, (_, index) => `X-${index}: 1\r\n`).join("");
}

function namedFields(count: number): Buffer[] {
  return Array.from({ length: count }, (_, index) => part(`name="f${index}"`));
}
