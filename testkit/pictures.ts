/**
 * Pictures for tests: those that other programs made, and small ones built byte by byte, good and
 * bad; and the forms they are sent in.
 */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import zlib from "node:zlib";
import sharp from "sharp";
import type { RequestOptions } from "./service.ts";

const FOLDER = path.resolve(import.meta.dirname, "../test/fixtures/pictures");
const BOUNDARY = "----windward-test";

export const TYPE_SENTENCE = "The picture must be a file of type: bmp, gif, jpeg, jpg, png, svg.";

export function fixtureNames(): string[] {
  return readdirSync(FOLDER).filter((name) => !name.endsWith(".md"));
}

export function fixture(name: string): Buffer {
  return readFileSync(path.join(FOLDER, name));
}

/** The colours in the middle of the four quarters, as `r,g,b,a`. */
export async function quarters(picture: Buffer): Promise<string[]> {
  const { data, info } = await sharp(picture)
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  assert.deepEqual([info.width, info.height], [200, 200]);
  const at = (x: number, y: number) => [...data.subarray((y * 200 + x) * 4).subarray(0, 4)].join();
  return [at(50, 50), at(150, 50), at(50, 150), at(150, 150)];
}

export function chunkNames(png: Buffer): string[] {
  const names: string[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at))
    names.push(png.toString("latin1", at + 4, at + 8));
  return names;
}

export function pngChunk(name: string, data: Buffer | string = ""): Buffer {
  const body = Buffer.concat([Buffer.from(name), Buffer.from(data)]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(body.length - 4);
  body.copy(framed, 4);
  framed.writeUInt32BE(zlib.crc32(body), body.length + 4);
  return framed;
}

export interface PngParts {
  readonly width: number;
  readonly height: number;
  readonly depth?: number;
  /** 0 grey, 2 colour, 6 with alpha. */
  readonly colour?: 0 | 2 | 6;
  readonly interlaced?: boolean;
  /** Between the header and the pixels. */
  readonly chunks?: readonly Buffer[];
}

/** A black picture, as small as it can be made. */
export function blackPng(parts: PngParts): Buffer {
  const { width, height, depth = 8, colour = 0, interlaced = false } = parts;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.set([depth, colour, 0, 0, interlaced ? 1 : 0], 8);
  const channels = { 0: 1, 2: 3, 6: 4 }[colour];
  const rowBytes = 1 + Math.ceil((width * channels * depth) / 8);
  // The passes of an interlaced picture have more rows; too many bytes are no harm.
  const rows = Buffer.alloc(rowBytes * height + (interlaced ? 8 * (width + height) : 0));
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    pngChunk("IHDR", header),
    ...(parts.chunks ?? []),
    pngChunk("IDAT", zlib.deflateSync(rows, { level: 9 })),
    pngChunk("IEND"),
  ]);
}

/** A good picture of exactly that many bytes. */
export function pngOfBytes(bytes: number): Buffer {
  const bare = blackPng({ width: 8, height: 8 }).length;
  const filler = pngChunk("fiLl", Buffer.alloc(bytes - bare - 12));
  return blackPng({ width: 8, height: 8, chunks: [filler] });
}

export function svg(inside: string, attributes = 'width="200" height="200"'): Buffer {
  const spaces = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';
  return Buffer.from(`<svg ${spaces} ${attributes}>${inside}</svg>`);
}

/** `wide` times itself, `deep` times over. */
export function useBomb(wide: number, deep: number): Buffer {
  const levels = Array.from({ length: deep }, (_, level) => {
    return `<g id="a${level + 1}">${`<use xlink:href="#a${level}"/>`.repeat(wide)}</g>`;
  });
  const first = '<rect id="a0" width="9" height="9"/>';
  return svg(`<defs>${first}${levels.join("")}</defs><use xlink:href="#a${deep}"/>`);
}

function filtered(primitives: string): Buffer {
  const region = 'x="0" y="0" width="1" height="1"';
  const rect = '<rect width="200" height="200" filter="url(#f)"/>';
  return svg(`<filter id="f" ${region}>${primitives}</filter>${rect}`);
}

/** Keeps the renderer busy for longer than it is given; its markup does not show it. */
export const SLOW_SVG = filtered('<feMorphology radius="1000"/>'.repeat(3));

/** So does this, and its markup shows it. */
export const NOISY_SVG = filtered('<feTurbulence baseFrequency="0.01" numOctaves="10000000"/>');

export interface FormPart {
  readonly name: string;
  readonly content: Buffer | string;
  /** Null: a field, not a file. */
  readonly fileName?: string | null;
  readonly type?: string;
}

export function multipart(parts: readonly FormPart[]): NonNullable<RequestOptions["raw"]> {
  const pieces = parts.flatMap(({ name, content, fileName = "a.png", type }) => {
    const file = fileName === null ? "" : `; filename="${fileName}"`;
    const typed = type === undefined ? "" : `Content-Type: ${type}\r\n`;
    const named = `Content-Disposition: form-data; name="${name}"${file}`;
    const head = `--${BOUNDARY}\r\n${named}\r\n${typed}\r\n`;
    return [Buffer.from(head), Buffer.from(content), Buffer.from("\r\n")];
  });
  return {
    type: `multipart/form-data; boundary=${BOUNDARY}`,
    body: Buffer.concat([...pieces, Buffer.from(`--${BOUNDARY}--\r\n`)]),
  };
}

/** The form of an upload; with `method`, one for clients that cannot send PATCH. */
export function pictureForm(file: Buffer | string, method?: string) {
  const override = { name: "_method", content: method ?? "", fileName: null };
  const picture = { name: "picture", content: file };
  return { raw: multipart(method === undefined ? [picture] : [override, picture]) };
}
