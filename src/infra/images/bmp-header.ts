/**
 * The head of a BMP: which of its many forms it is in, and where its parts lie.
 *
 * Read are Windows' headers (40 to 124 bytes) and both of OS/2. What a BMP may hold but no browser
 * shows (embedded JPEG and PNG, Huffman, 24-bit RLE) is refused.
 */

import { PictureRefused } from "./picture-refused.ts";
import { demandDimensions } from "./picture-size.ts";

const FILE_HEADER_BYTES = 14;
const OS2_V1_BYTES = 12;
const OS2_V2_BYTES: readonly number[] = [16, 64];
const WINDOWS_BYTES: readonly number[] = [40, 52, 56, 108, 124];
const COMPRESSIONS = { 0: "none", 1: "rle8", 2: "rle4", 3: "bitfields", 6: "bitfields" } as const;
const DEPTHS: Readonly<Record<BmpHeader["compression"], readonly number[]>> = {
  none: [1, 4, 8, 16, 24, 32],
  rle8: [8],
  rle4: [4],
  bitfields: [16, 32],
};

export interface BmpHeader {
  readonly width: number;
  readonly height: number;
  readonly isTopDown: boolean;
  readonly bitsPerPixel: number;
  readonly compression: "none" | "rle8" | "rle4" | "bitfields";
  /** Red, green, blue, alpha; only with 16 and 32 bits per pixel. */
  readonly masks: readonly number[];
  readonly paletteStart: number;
  readonly paletteEntryBytes: 3 | 4;
  readonly paletteEntries: number;
  readonly pixelStart: number;
}

export function readBmpHeader(file: Buffer): BmpHeader {
  if (file.length < FILE_HEADER_BYTES + OS2_V1_BYTES) throw damaged("no room for a header");
  const headerBytes = file.readUInt32LE(14);
  const end = FILE_HEADER_BYTES + headerBytes;
  if (end > file.length) throw damaged("the header is cut short");
  const header = readForm(file, headerBytes);
  demandDimensions(header.width, header.height);
  demandDepth(header);
  const { pixelStart, paletteStart, paletteEntryBytes, paletteEntries } = header;
  if (pixelStart > file.length || pixelStart < end) throw damaged("pixels lie outside the file");
  if (paletteStart + paletteEntries * paletteEntryBytes > pixelStart)
    throw damaged("the palette runs into the pixels");
  return header;
}

function readForm(file: Buffer, headerBytes: number): BmpHeader {
  const isFirst = headerBytes === OS2_V1_BYTES;
  const isOs2 = isFirst || OS2_V2_BYTES.includes(headerBytes);
  if (!isOs2 && !WINDOWS_BYTES.includes(headerBytes)) throw damaged("an unknown header");
  // The short forms of OS/2 end after the depth; what they leave out is 0.
  const field = (at: number) =>
    at + 4 <= FILE_HEADER_BYTES + headerBytes ? file.readUInt32LE(at) : 0;
  const bitsPerPixel = file.readUInt16LE(isFirst ? 24 : 28);
  const code = field(30);
  const compression = compressionOf(code, isOs2);
  // A plain Windows header has its masks behind it, a longer one within: the same place.
  const hasMasksBehind = headerBytes === 40 && compression === "bitfields";
  const maskBytes = hasMasksBehind ? (code === 6 ? 16 : 12) : 0;
  const paletteStart = FILE_HEADER_BYTES + headerBytes + maskBytes;
  if (paletteStart > file.length) throw damaged("the masks are cut short");
  const height = isFirst ? file.readUInt16LE(20) : file.readInt32LE(22);
  const paletteEntryBytes = isFirst ? 3 : 4;
  const pixelStart = file.readUInt32LE(10);
  const paletteRoom = Math.floor((pixelStart - paletteStart) / paletteEntryBytes);
  return {
    width: isFirst ? file.readUInt16LE(18) : file.readInt32LE(18),
    height: Math.abs(height),
    isTopDown: height < 0,
    bitsPerPixel,
    compression,
    masks:
      compression === "bitfields"
        ? readMasks(file, headerBytes >= 56 || maskBytes === 16)
        : defaultMasks(bitsPerPixel),
    paletteStart,
    paletteEntryBytes,
    paletteEntries: entriesOf(bitsPerPixel, field(46), Math.max(0, paletteRoom)),
    pixelStart,
  };
}

function compressionOf(code: number, isOs2: boolean): BmpHeader["compression"] {
  const known = isOs2 && code > 2 ? undefined : COMPRESSIONS[code as keyof typeof COMPRESSIONS];
  if (known === undefined) throw damaged(`compression ${code}`);
  return known;
}

function readMasks(file: Buffer, hasAlpha: boolean): number[] {
  const mask = (index: number) => file.readUInt32LE(54 + 4 * index);
  return [mask(0), mask(1), mask(2), hasAlpha ? mask(3) : 0];
}

/** The fourth byte of a plain 32-bit pixel is not alpha: most programs leave 0 there. */
function defaultMasks(bitsPerPixel: number): number[] {
  return bitsPerPixel === 16 ? [0x7c00, 0x3e0, 0x1f, 0] : [0xff0000, 0xff00, 0xff, 0];
}

/** A palette is as long as it says, as its depth allows, and as there is room for it. */
function entriesOf(bitsPerPixel: number, stated: number, room: number): number {
  if (bitsPerPixel > 8) return 0;
  return Math.min(2 ** bitsPerPixel, stated > 0 ? stated : room);
}

function demandDepth({ bitsPerPixel, compression, isTopDown }: BmpHeader): void {
  if (!DEPTHS[compression].includes(bitsPerPixel))
    throw damaged(`${bitsPerPixel} bits with ${compression}`);
  if (isTopDown && compression.startsWith("rle")) throw damaged("run lengths from the top down");
}

export function damaged(cause: string): PictureRefused {
  return new PictureRefused("damaged", `bmp: ${cause}`);
}
