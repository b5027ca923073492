/**
 * What a file is, told by its first bytes alone: neither its name nor what its sender calls it is
 * asked. Only these five are ever handed to a decoder.
 */

export const PICTURE_TYPES = ["bmp", "gif", "jpeg", "png", "svg"] as const;
export type PictureType = (typeof PICTURE_TYPES)[number];

const MAGIC: readonly [PictureType, Buffer][] = [
  ["png", Buffer.from("\x89PNG\r\n\x1a\n", "latin1")],
  ["jpeg", Buffer.from("\xff\xd8\xff", "latin1")],
  ["gif", Buffer.from("GIF87a")],
  ["gif", Buffer.from("GIF89a")],
  ["bmp", Buffer.from("BM")],
];

export function pictureType(bytes: Buffer): PictureType | undefined {
  const known = MAGIC.find(([, magic]) => bytes.subarray(0, magic.length).equals(magic));
  return known?.[0] ?? (beginsAsMarkup(bytes) ? "svg" : undefined);
}

/** Whether the markup is an SVG is for the decoder to find out, which reads it anyway. */
function beginsAsMarkup(bytes: Buffer): boolean {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  let at = hasMark ? 3 : 0;
  while (isSpace(bytes[at])) at++;
  return bytes[at] === 0x3c;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
