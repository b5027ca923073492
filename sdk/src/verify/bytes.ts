/** Bytes as texts and texts as bytes, for browsers and Node alike: nothing here asks for Buffer. */

export type Bytes = Uint8Array<ArrayBuffer>;

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const HEX = /^(?:[0-9a-f]{2})+$/i;

const encoder = new TextEncoder();

export function utf8(text: string): Bytes {
  return encoder.encode(text);
}

/** Undefined when they are no UTF-8. A byte order mark is a character like any other. */
export function textOf(bytes: Uint8Array, charset = "utf-8"): string | undefined {
  try {
    return new TextDecoder(charset, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function fromHex(text: string): Bytes | undefined {
  if (!HEX.test(text)) return undefined;
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

export function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

/** As RFC 4648 writes it, with its padding; anything else is undefined. */
export function fromBase64(text: string): Bytes | undefined {
  if (text === "" || !BASE64.test(text)) return undefined;
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
}

/** The same in the letters of RFC 4648 and with its padding, whatever it had of base64url. */
export function standardBase64(text: string): string {
  const plain = text.replaceAll("-", "+").replaceAll("_", "/").replace(/=+$/, "");
  return plain.padEnd(Math.ceil(plain.length / 4) * 4, "=");
}

export function join(...parts: readonly Uint8Array[]): Bytes {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/**
 * Looks at every byte whatever it finds, so that the time it takes tells nothing about where two
 * digests part. How long a digest is, everybody knows.
 */
export function isSame(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false;
  let difference = 0;
  for (const [index, byte] of one.entries()) difference |= byte ^ (other[index] ?? 0);
  return difference === 0;
}

export function isSameText(one: string, other: string): boolean {
  return isSame(utf8(one), utf8(other));
}
