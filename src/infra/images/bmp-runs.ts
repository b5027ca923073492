/**
 * The run lengths of a BMP (RLE4, RLE8), as one palette index for each pixel.
 *
 * Nothing is written but inside the row it belongs to, and every step uses
 * up bytes of the file, so a small file cannot ask for much work. Pixels that no run covers stay
 * `UNTOUCHED`. What a run has too much is dropped: ImageMagick writes the padding of rows, too.
 */

import { type BmpHeader, damaged } from "./bmp-header.ts";

/** Above every palette index. */
export const UNTOUCHED = 0x100;

const END_OF_ROW = 0;
const END_OF_PICTURE = 1;
const MOVE = 2;

/** Rows in the order of the file: from the bottom up. */
export function expandRuns(file: Buffer, header: BmpHeader): Uint16Array {
  const { width, height } = header;
  const nibbles = header.compression === "rle4";
  const pixels = new Uint16Array(width * height).fill(UNTOUCHED);
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
    const start = y * width + x;
    const fitting = Math.min(count, width - x);
    for (let i = 0; i < fitting; i++) {
      const byte = byteOf(nibbles ? i >> 1 : i);
      const half = i % 2 === 0 ? byte >> 4 : byte & 15;
      pixels[start + i] = nibbles ? half : byte;
    }
    x += fitting;
  };
  const writeLiteral = (count: number): void => {
    const bytes = nibbles ? Math.ceil(count / 2) : count;
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
    else if (value === END_OF_PICTURE) return pixels;
    else if (value === END_OF_ROW) {
      x = 0;
      move(0, 1);
    } else if (value === MOVE) {
      const dx = next();
      move(dx, next());
    } else writeLiteral(value);
  }
}
