/**
 * The guarantee: every form of BMP that programs write is read to the pixel, and no other bytes
 * make the decoder read or write where it should not: it gives a picture of the size it says, or
 * refuses.
 */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { decodeBmp } from "../../src/infra/images/decode-bmp.ts";
import { PictureRefused } from "../../src/infra/images/picture-refused.ts";
import { fixture, fixtureNames } from "../../testkit/pictures.ts";

interface BmpParts {
  readonly headerBytes?: number;
  readonly width?: number;
  readonly height?: number;
  readonly bits?: number;
  readonly compression?: number;
  readonly palette?: readonly number[][];
  readonly colours?: number;
  readonly masks?: readonly number[];
  readonly pixels: readonly number[];
  readonly offset?: number;
}

const PALETTE = [
  [0, 0, 255],
  [0, 255, 0],
  [255, 0, 0],
  [255, 255, 255],
];

/** Two by two, unless said otherwise. */
function bmp(parts: BmpParts): Buffer {
  const { headerBytes = 40, bits = 24, palette = [], masks = [] } = parts;
  const header = Buffer.alloc(headerBytes);
  header.writeUInt32LE(headerBytes);
  const entryBytes = headerBytes === 12 ? 3 : 4;
  if (headerBytes === 12) {
    header.writeUInt16LE(parts.width ?? 2, 4);
    header.writeUInt16LE(parts.height ?? 2, 6);
    header.writeUInt16LE(bits, 10);
  } else {
    header.writeInt32LE(parts.width ?? 2, 4);
    header.writeInt32LE(parts.height ?? 2, 8);
    header.writeUInt16LE(bits, 14);
    if (headerBytes >= 40) header.writeUInt32LE(parts.compression ?? 0, 16);
    if (headerBytes >= 40) header.writeUInt32LE(parts.colours ?? 0, 32);
  }
  const masked = Buffer.alloc(masks.length * 4);
  for (const [index, mask] of masks.entries()) masked.writeUInt32LE(mask, index * 4);
  if (headerBytes > 40) masked.copy(header, 40);
  const behind = headerBytes > 40 ? Buffer.alloc(0) : masked;
  const colours = Buffer.from(palette.flatMap((entry) => [...entry, 0].slice(0, entryBytes)));
  const file = Buffer.alloc(14);
  file.write("BM");
  file.writeUInt32LE(parts.offset ?? 14 + headerBytes + behind.length + colours.length, 10);
  return Buffer.concat([file, header, behind, colours, Buffer.from(parts.pixels)]);
}

/** Pixels from the top left on: r, g, b, w for white, k for black, . for nothing. */
function shown(file: Buffer): string {
  const { rgba } = decodeBmp(file);
  const names: Record<string, string> = {
    "255,0,0,255": "r",
    "0,255,0,255": "g",
    "0,0,255,255": "b",
    "255,255,255,255": "w",
    "0,0,0,255": "k",
    "0,0,0,0": ".",
  };
  return Array.from({ length: rgba.length / 4 }, (_, index) => {
    const colour = [...rgba.subarray(index * 4, index * 4 + 4)].join();
    return names[colour] ?? `(${colour})`;
  }).join("");
}

const B = [255, 0, 0];
const G = [0, 255, 0];
const R = [0, 0, 255];
const W = [255, 255, 255];
const rows24 = [...B, ...W, 0, 0, ...R, ...G, 0, 0];

describe("legal forms", () => {
  const indexed = { palette: PALETTE };
  const masks565 = [0xf800, 0x7e0, 0x1f];
  const rows16 = (blue: number, white: number, red: number, green: number) =>
    [blue, white, red, green].flatMap((pixel) => [pixel & 255, pixel >> 8]);
  const rows32 = [...B, 0, ...W, 0, ...R, 0, ...G, 0];
  const rle = (pixels: number[], bits: 4 | 8 = 8) =>
    bmp({ ...indexed, bits, compression: bits === 8 ? 1 : 2, pixels });
  const LEGAL: [string, Buffer, string][] = [
    ["24 bits", bmp({ pixels: rows24 }), "rgbw"],
    ["24 bits from the top down", bmp({ height: -2, pixels: rows24 }), "bwrg"],
    ["24 bits without the last padding", bmp({ pixels: rows24.slice(0, -2) }), "rgbw"],
    ["24 bits of OS/2", bmp({ headerBytes: 12, pixels: rows24 }), "rgbw"],
    ["24 bits of OS/2, second form", bmp({ headerBytes: 64, pixels: rows24 }), "rgbw"],
    ["24 bits of OS/2, its short form", bmp({ headerBytes: 16, pixels: rows24 }), "rgbw"],
    ["1 bit", bmp({ ...indexed, bits: 1, pixels: [0x80, 0, 0, 0, 0x40, 0, 0, 0] }), "rggr"],
    ["4 bits", bmp({ ...indexed, bits: 4, pixels: [0x23, 0, 0, 0, 0x01, 0, 0, 0] }), "rgbw"],
    ["8 bits", bmp({ ...indexed, bits: 8, pixels: [2, 3, 0, 0, 0, 1, 0, 0] }), "rgbw"],
    [
      "8 bits with a stated palette of OS/2",
      bmp({ ...indexed, headerBytes: 12, bits: 8, pixels: [2, 3, 0, 0, 0, 1, 0, 0] }),
      "rgbw",
    ],
    ["16 bits", bmp({ bits: 16, pixels: rows16(0x1f, 0x7fff, 0x7c00, 0x3e0) }), "rgbw"],
    [
      "16 bits with masks",
      bmp({
        bits: 16,
        compression: 3,
        masks: masks565,
        pixels: rows16(0x1f, 0xffff, 0xf800, 0x7e0),
      }),
      "rgbw",
    ],
    ["32 bits, the fourth byte nothing", bmp({ bits: 32, pixels: rows32 }), "rgbw"],
    [
      "32 bits with masks in a longer header",
      bmp({
        headerBytes: 108,
        bits: 32,
        compression: 3,
        masks: [0xff000000, 0xff0000, 0xff00, 0xff],
        pixels: [255, 255, 0, 0, 0, 255, 255, 255, 255, 0, 0, 255, 255, 0, 255, 0],
      }),
      "rgb(255,255,255,0)",
    ],
    ["runs", rle([1, 2, 1, 3, 0, 0, 1, 0, 1, 1, 0, 1]), "rgbw"],
    ["runs of 4 bits", rle([2, 0x23, 0, 0, 2, 0x01, 0, 1], 4), "rgbw"],
    ["literal runs", rle([0, 3, 2, 3, 0, 0, 0, 0, 2, 0, 0, 1]), "rrbw"],
    ["runs that leave pixels out", rle([1, 2, 0, 0, 0, 1]), "..b."],
    ["runs that move", rle([0, 2, 1, 1, 1, 1, 0, 1]), ".g.."],
    ["runs with more than a row holds", rle([9, 2, 0, 0, 9, 1, 0, 1]), "ggbb"],
  ];
  for (const [what, file, expected] of LEGAL)
    test(`${what} is read`, () => assert.equal(shown(file), expected));
});

describe("what is refused", () => {
  const indexed = { palette: PALETTE, bits: 8 };
  const rle = (pixels: number[]) => bmp({ ...indexed, compression: 1, pixels });
  const damaged = /^The picture is damaged/;
  const dimensions = /^The picture must have at most 25 million pixels/;
  const BAD: [string, Buffer, RegExp][] = [
    ["two bytes", Buffer.from("BM"), damaged],
    ["a header that is cut short", bmp({ pixels: [] }).subarray(0, 40), damaged],
    ["a header of unknown length", bmp({ headerBytes: 44, pixels: rows24 }), damaged],
    ["rows that are cut short", bmp({ pixels: rows24.slice(0, -3) }), damaged],
    ["no width", bmp({ width: 0, pixels: rows24 }), damaged],
    ["no height", bmp({ height: 0, pixels: rows24 }), damaged],
    ["a negative width", bmp({ width: -2, pixels: rows24 }), damaged],
    ["the least height there is", bmp({ height: -(2 ** 31), pixels: rows24 }), dimensions],
    ["a product beyond 32 bits", bmp({ width: 65_536, height: 65_537, pixels: [] }), dimensions],
    ["a side of 12,001", bmp({ width: 12_001, height: 1, pixels: [] }), dimensions],
    ["more than 25 million pixels", bmp({ width: 5_001, height: 5_000, pixels: [] }), dimensions],
    ["an embedded JPEG", bmp({ compression: 4, pixels: rows24 }), damaged],
    ["an embedded PNG", bmp({ compression: 5, pixels: rows24 }), damaged],
    ["an unknown compression", bmp({ compression: 11, pixels: rows24 }), damaged],
    ["Huffman codes of OS/2", bmp({ headerBytes: 64, compression: 3, pixels: rows24 }), damaged],
    ["2 bits", bmp({ bits: 2, pixels: rows24 }), damaged],
    ["runs of 24 bits", bmp({ compression: 1, pixels: rows24 }), damaged],
    [
      "runs from the top down",
      bmp({ ...indexed, compression: 1, height: -2, pixels: [0, 1] }),
      damaged,
    ],
    ["pixels inside the header", bmp({ pixels: rows24, offset: 20 }), damaged],
    ["pixels beyond the file", bmp({ pixels: rows24, offset: 10_000 }), damaged],
    ["a palette beyond its pixels", bmp({ ...indexed, colours: 200, pixels: [] }), damaged],
    [
      "a colour outside the palette",
      bmp({ ...indexed, pixels: [4, 0, 0, 0, 0, 0, 0, 0] }),
      damaged,
    ],
    ["a mask with gaps", bmp({ bits: 32, compression: 3, masks: [5, 0, 0], pixels: [] }), damaged],
    ["masks that are cut short", bmp({ bits: 32, compression: 3, pixels: [] }), damaged],
    ["runs without an end", rle([2, 1, 0, 0, 2, 1]), damaged],
    ["a literal run that is cut short", rle([0, 200, 1, 1]), damaged],
    ["a run below the last row", rle([0, 0, 0, 0, 1, 1, 0, 1]), damaged],
    ["a move to the right of the picture", rle([0, 2, 9, 0, 0, 1]), damaged],
    ["a move below the picture", rle([0, 2, 0, 9, 0, 1]), damaged],
    ["rows without end", rle(Array(100).fill(0)), damaged],
  ];
  for (const [what, file, sentence] of BAD)
    test(what, () => {
      assert.throws(
        () => decodeBmp(file),
        (error) => error instanceof PictureRefused && sentence.test(error.message),
      );
    });

  test("any change to any good file gives a picture of its size, or a refusal", () => {
    const files = fixtureNames()
      .filter((name) => name.endsWith(".bmp"))
      .map(fixture);
    const changes = fc.array(fc.tuple(fc.nat(150), fc.nat(255)), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.constantFrom(...files), changes, fc.nat(40), (good, edits, cut) => {
        const file = Buffer.from(good.subarray(0, good.length - (cut > 30 ? cut * 10 : 0)));
        for (const [at, value] of edits) if (at < file.length && at > 1) file[at] = value;
        try {
          const { width, height, rgba } = decodeBmp(file);
          assert.equal(rgba.length, width * height * 4);
        } catch (error) {
          assert(error instanceof PictureRefused, String(error));
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
