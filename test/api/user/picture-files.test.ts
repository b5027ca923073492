/**
 * What is taken as a picture is decided by its content alone (Interface §2.2, Decision 0021), up to
 * the last byte that is allowed; what is kept is our own drawing and nothing of the file.
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import zlib from "node:zlib";
import sharp from "sharp";
import { signedIn } from "../../../testkit/banks.ts";
import {
  chunkNames,
  type FormPart,
  fixture,
  multipart,
  pictureForm,
  pngOfBytes,
  quarters,
  TYPE_SENTENCE,
} from "../../../testkit/pictures.ts";
import { startService, type TestService } from "../../../testkit/service.ts";
import { CREATED, GOOD, kept, picture, told } from "./picture-support.ts";

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.stop());

async function adding(parts: readonly FormPart[]) {
  const who = await signedIn(service);
  const answer = await picture(service, who, "POST", { raw: multipart(parts) });
  return { answer: told(answer), row: await kept(service, who) };
}

describe("whatever it is called,", () => {
  const NAMES = [
    "../../x",
    "a.php.png",
    "a.png\0.php",
    "a".repeat(5_000),
    "\u202egnp.exe",
    "con",
    "-rf",
    "a.webp",
    "no-ending",
    "",
  ];
  for (const fileName of NAMES)
    test(`a good file named ${JSON.stringify(fileName.slice(0, 20))} is taken`, async () => {
      const { answer } = await adding([{ name: "picture", content: GOOD, fileName }]);
      assert.deepEqual(answer, CREATED);
    });

  for (const type of ["text/html", "image/webp", "application/x-php", "image/svg+xml", "a"])
    test(`a good file of type ${type} is taken`, async () => {
      const { answer } = await adding([{ name: "picture", content: GOOD, type }]);
      assert.deepEqual(answer, CREATED);
    });
});

describe("of another type, though named a.png, is", async () => {
  const webp = await sharp(GOOD).webp().toBuffer();
  const tiff = await sharp(GOOD).tiff().toBuffer();
  const avif = await sharp(GOOD).avif().toBuffer();
  const OTHERS: Record<string, Buffer | string> = {
    webp,
    tiff,
    avif,
    heif: Buffer.concat([Buffer.from("\0\0\0\x18ftypheic", "latin1"), Buffer.alloc(100)]),
    ico: Buffer.concat([Buffer.from([0, 0, 1, 0, 1, 0, 16, 16]), GOOD]),
    psd: "8BPS\0\x01",
    pdf: "%PDF-1.7\n",
    html: "<!DOCTYPE html><html><script>alert(1)</script></html>",
    js: "alert(1)",
    zip: Buffer.from("PK\x03\x04"),
    exe: Buffer.from("MZ\x90\0"),
    php: "<?php system($_GET['a']); ?>",
    svgz: zlib.gzipSync(fixture("inkscape.svg")),
    "an SVG in UTF-16": Buffer.from(`\uFEFF${fixture("inkscape.svg")}`, "utf16le"),
    "an SVG in UTF-7": "+ADw-svg xmlns=+ACI-http://www.w3.org/2000/svg+ACI-/+AD4-",
    "one byte": "x",
  };
  for (const [what, content] of Object.entries(OTHERS))
    test(`${what}: refused, with the types that are taken`, async () => {
      const { answer, row } = await adding([
        { name: "picture", content, fileName: "a.png", type: "image/png" },
      ]);
      assert.deepEqual(answer, [400, { message: TYPE_SENTENCE }]);
      assert.equal(row, undefined);
    });
});

describe("the form", () => {
  const file = { name: "picture", content: GOOD };
  const field = (name: string, content = "x") => ({ name, content, fileName: null });
  const FORMS: [string, FormPart[], string][] = [
    ["a field Picture", [{ ...file, name: "Picture" }], "The picture field is required."],
    ["a field image", [{ ...file, name: "image" }], "The picture field is required."],
    ["text", [field("picture")], "The picture must be a file."],
    ["two pictures", [file, file], "The body may hold only one file."],
    ["a second file", [file, { ...file, name: "b" }], "The body may hold only one file."],
    ["a poisonous key", [field("__proto__"), file], "The body has a key that is not allowed."],
  ];
  for (const [what, parts, message] of FORMS)
    test(`with ${what} is refused: ${message}`, async () => {
      const { answer, row } = await adding(parts);
      assert.deepEqual([answer, row], [[400, { message }], undefined]);
    });

  test("may have other fields, which mean nothing", async () => {
    const { answer } = await adding([field("account_number", "1234567890"), file]);
    assert.deepEqual(answer, CREATED);
  });
});

test("5,242,880 bytes are taken, one more is not", async () => {
  const { answer } = await adding([{ name: "picture", content: pngOfBytes(5_242_880) }]);
  assert.deepEqual(answer, CREATED);
  const more = await adding([{ name: "picture", content: pngOfBytes(5_242_881) }]);
  assert.deepEqual(more.answer, [400, { message: "The picture may not be greater than 5 MB." }]);
  assert.equal(more.row, undefined);
});

describe("what is kept", () => {
  const POLYGLOTS: Record<string, Buffer> = {
    "a PNG with a script behind it": Buffer.concat([
      GOOD,
      Buffer.from("<script>Secret()</script>"),
    ]),
    "a JPEG with a page in its comment": withComment(
      fixture("baseline-libjpeg.jpg"),
      "<html><script>Secret()</script></html>",
    ),
    "a GIF with an archive behind it": Buffer.concat([
      fixture("animated-imagemagick.gif"),
      Buffer.from("PK\x03\x04Secret"),
    ]),
    "a photograph with place, author and comments": fixture("rotated-exiftool.jpg"),
    "an SVG with a script": Buffer.from(
      `${fixture("inkscape.svg")}`.replace("</svg>", "<script>Secret()</script></svg>"),
    ),
  };
  for (const [what, content] of Object.entries(POLYGLOTS))
    test(`of ${what}: pixels, upright, and nothing else`, async () => {
      assert(content.includes("Secret"));
      const { answer, row } = await adding([{ name: "picture", content }]);
      assert.deepEqual(answer, CREATED);
      const bytes = row?.bytes ?? Buffer.alloc(0);
      assert(!bytes.includes("Secret") && !bytes.includes("script"));
      assert(chunkNames(bytes).every((name) => /^(IHDR|PLTE|tRNS|IDAT|IEND)$/.test(name)));
      const [red = "", green = "", blue = ""] = await quarters(bytes);
      assert.match(`${red} ${green} ${blue}`, /^25\d,\d,\d,255 \d,25\d,\d,255 \d,\d,25\d,255$/);
    });
});

test("a slash at the end of the path makes no difference", async () => {
  const { token } = await signedIn(service);
  const sent = { token, method: "POST", ...pictureForm(GOOD) };
  assert.deepEqual(told(await service.request("/user/picture/", sent)), CREATED);
});

function withComment(jpeg: Buffer, text: string): Buffer {
  const head = Buffer.from([0xff, 0xfe, 0, text.length + 2]);
  return Buffer.concat([jpeg.subarray(0, 2), head, Buffer.from(text), jpeg.subarray(2)]);
}
