/** Codes of an authenticator app, computed here and not by the library that the service uses. */

import { createHmac } from "node:crypto";

const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const STEP_SECONDS = 30;

export function stepNow(): number {
  return Math.floor(Date.now() / 1000 / STEP_SECONDS);
}

/** By RFC 4226 and RFC 6238. */
export function totpCode(secret: Buffer, step = stepNow(), digits = 6): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac("sha1", secret).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 15;
  const number = mac.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** digits).padStart(digits, "0");
}

export function fromBase32(text: string): Buffer {
  const bits = [...text.replace(/\s/g, "")]
    .map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, "0"))
    .join("");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
