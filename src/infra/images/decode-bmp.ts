/**
 * BMP to plain pixels. Written by hand because libvips has no loader for it and the interface
 * demands the format (§2.2); it is the one format simple enough for that.
 *
 * Every size is checked against the file before anything is read by it. Of run lengths (RLE4, RLE8)
 * nothing is written but inside the row it belongs to, and every step uses up bytes of the file, so
 * a small file cannot ask for much work. Pixels that no run covers stay transparent, as browsers
 * show them. What a run has too much is dropped: ImageMagick writes the padding of rows, too.
 */

import { type BmpHeader, damaged, readBmpHeader } from "./bmp-header.ts";

const END_OF_ROW = 0;
const END_OF_PICTURE = 1;
const MOVE = 2;

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Four bytes each, rows from the top down. */
  readonly rgba: Buffer;
}

export function decodeBmp(file: Buffer): Pixels {
  const header = readBmpHeader(file);
  const { width, height } = header;
  const rgba = Buffer.alloc(width * height * 4);
  // A view of the same memory, in which one pixel is one number, whatever the byte order.
  const pixels = new Uint32Array(rgba.buffer, rgba.byteOffset, width * height);
  if (header.compression.startsWith("rle")) paintRuns(pixels, file, header);
  else if (header.bitsPerPixel <= 8) paintIndexed(pixels, file, header);
  else paintDirect(rgba, file, header);
  return { width, height, rgba };
}

function paintRuns(pixels: Uint32Array, file: Buffer, header: BmpHeader): void {
  const { width, height } = header;
  const colourAt = readPalette(file, header);
  const hasNibbles = header.compression === "rle4";
  let at = header.pixelStart;
  let x = 0;
  let y = 0;

  const next = (): number => {
    const byte = file[at++];
    if (byte === undefined) throw damaged("the runs are cut short");
    return byte;
  };
  const write = (count: number, byteOf: (index: number) => number): void => {
    if (y >= height) throw damaged("a run below the last row");
    const start = (height - 1 - y) * width + x;
    const fitting = Math.min(count, width - x);
    for (let i = 0; i < fitting; i++) {
      const byte = byteOf(hasNibbles ? i >> 1 : i);
      const half = i % 2 === 0 ? byte >> 4 : byte & 15;
      pixels[start + i] = colourAt(hasNibbles ? half : byte);
    }
    x += fitting;
  };
  const writeLiteral = (count: number): void => {
    const bytes = hasNibbles ? Math.ceil(count / 2) : count;
    if (at + bytes > file.length) throw damaged("a literal run is cut short");
    write(count, (index) => file[at + index] ?? 0);
    at += bytes + (bytes % 2);
  };
  const move = (dx: number, dy: number): void => {
    x += dx;
    y += dy;
    if (x > width || y > height) throw damaged("a move leaves the picture");
  };

  for (;;) {
    const count = next();
    const value = next();
    // The two halves of a run's byte take turns, which is what a literal of that byte does.
    if (count > 0) write(count, () => value);
    else if (value === END_OF_PICTURE) return;
    else if (value === END_OF_ROW) {
      x = 0;
      move(0, 1);
    } else if (value === MOVE) {
      const dx = next();
      move(dx, next());
    } else writeLiteral(value);
  }
}

function paintIndexed(pixels: Uint32Array, file: Buffer, header: BmpHeader): void {
  const { width, bitsPerPixel } = header;
  const colourAt = readPalette(file, header);
  const perByte = 8 / bitsPerPixel;
  const mask = 2 ** bitsPerPixel - 1;
  for (const { start, y } of rowsOf(file, header)) {
    for (let x = 0; x < width; x++) {
      const byte = file[start + Math.floor(x / perByte)] as number;
      const shift = 8 - bitsPerPixel * ((x % perByte) + 1);
      pixels[y * width + x] = colourAt((byte >> shift) & mask);
    }
  }
}

function paintDirect(rgba: Buffer, file: Buffer, header: BmpHeader): void {
  const { width, bitsPerPixel } = header;
  const bytes = bitsPerPixel / 8;
  const channels = header.masks.map(channelOf);
  for (const { start, y } of rowsOf(file, header)) {
    for (let x = 0; x < width; x++) {
      const pixel = file.readUIntLE(start + x * bytes, bytes);
      const to = (y * width + x) * 4;
      for (let i = 0; i < 4; i++) rgba[to + i] = channels[i]?.(pixel) ?? 0;
    }
  }
}

/** Where each row begins in the file, and where it goes. All lie inside, or none is read. */
function* rowsOf(file: Buffer, header: BmpHeader): Generator<{ start: number; y: number }> {
  const { width, height, bitsPerPixel, pixelStart, isTopDown } = header;
  const stride = Math.ceil((width * bitsPerPixel) / 32) * 4;
  // The padding of the last row is often left out.
  const lastRowBytes = Math.ceil((width * bitsPerPixel) / 8);
  if (pixelStart + stride * (height - 1) + lastRowBytes > file.length)
    throw damaged("the rows are cut short");
  for (let row = 0; row < height; row++)
    yield { start: pixelStart + row * stride, y: isTopDown ? row : height - 1 - row };
}

function readPalette(file: Buffer, header: BmpHeader): (index: number) => number {
  const { paletteStart, paletteEntryBytes, paletteEntries } = header;
  const bytes = new Uint8Array(paletteEntries * 4);
  for (let i = 0; i < paletteEntries; i++) {
    const from = paletteStart + i * paletteEntryBytes;
    const [blue = 0, green = 0, red = 0] = file.subarray(from, from + 3);
    bytes.set([red, green, blue, 255], i * 4);
  }
  const palette = new Uint32Array(bytes.buffer);
  return (index) => {
    const colour = palette[index];
    if (colour === undefined) throw damaged("a colour outside the palette");
    return colour;
  };
}

/** Takes one channel out of a pixel, stretched to 8 bits. Alpha without a mask is opaque. */
function channelOf(mask: number, index: number): (pixel: number) => number {
  if (mask === 0) return index === 3 ? () => 255 : () => 0;
  const low = 31 - Math.clz32(mask & -mask);
  const max = mask >>> low;
  if ((max & (max + 1)) !== 0) throw damaged("a mask with gaps");
  return (pixel) => Math.round((((pixel & mask) >>> low) * 255) / max);
}
