/**
 * The address of a payment link as a QR code: SVG for print, PNG for everything else. Both say the
 * same, and never change, so they may be kept for long.
 *
 * The PNG is written here: one bit for each point and Node's own deflate. An image library would be
 * started in a process of its own for it.
 */

import { crc32, deflateSync } from "node:zlib";
import encodeQR from "qr";
import type { Answer } from "../../infra/http/answer.ts";

/** Light modules around it: fewer and scanners miss it. */
const BORDER = 4;
/** Pixels of a module: 1 cm wide at 300 dpi it is still sharp. */
const PNG_SCALE = 12;
const OPTIONS = { ecc: "medium", border: BORDER } as const;
const HEADERS = {
  "cache-control": "public, max-age=604800",
  "content-security-policy": "default-src 'none'; sandbox",
  "cross-origin-resource-policy": "cross-origin",
};

export function qrAnswer(url: string, kind: "svg" | "png"): Answer {
  const isSvg = kind === "svg";
  return {
    status: 200,
    body: isSvg ? Buffer.from(encodeQR(url, "svg", OPTIONS)) : qrPng(url),
    contentType: isSvg ? "image/svg+xml" : "image/png",
    headers: HEADERS,
  };
}

function qrPng(url: string): Buffer {
  const rows = encodeQR(url, "raw", { ...OPTIONS, scale: PNG_SCALE });
  const width = rows[0]?.length ?? 0;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(rows.length, 4);
  // One bit for each point, shades of grey: 1 is white.
  header.writeUInt8(1, 8);
  const lines = rows.map((row) => pngLine(row));
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.concat(lines))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** Unfiltered: a byte that says so, then eight points to a byte. */
function pngLine(row: readonly boolean[]): Buffer {
  const line = Buffer.alloc(1 + Math.ceil(row.length / 8));
  for (const [at, isDark] of row.entries()) {
    const index = 1 + Math.floor(at / 8);
    if (!isDark) line.writeUInt8(line.readUInt8(index) | (0x80 >> (at % 8)), index);
  }
  return line;
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const around = Buffer.alloc(8);
  around.writeUInt32BE(data.length, 0);
  around.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([around.subarray(0, 4), named, around.subarray(4)]);
}
