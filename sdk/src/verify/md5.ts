/**
 * MD5 (RFC 1321), written by hand: WebCrypto has none, Node's is not there in browsers, and this
 * package depends on nothing for its checks. It is here for the `hash` of old clients alone; what
 * is new relies on the `signature`.
 */

import { type Bytes, utf8 } from "./bytes.ts";

const BLOCK_BYTES = 64;
/** How far each of the four rounds turns its words, by turns. */
const TURNS = [
  [7, 12, 17, 22],
  [5, 9, 14, 20],
  [4, 11, 16, 23],
  [6, 10, 15, 21],
] as const;
const SINES = Array.from({ length: 64 }, (_, at) =>
  Math.floor(Math.abs(Math.sin(at + 1)) * 2 ** 32),
);
const START = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476] as const;

type State = [number, number, number, number];

export function md5(message: string | Uint8Array): Bytes {
  const words = wordsOf(typeof message === "string" ? utf8(message) : message);
  let state: State = [...START];
  for (let block = 0; block < words.length; block += 16) state = mix(state, words, block);
  const digest = new Uint8Array(16);
  const view = new DataView(digest.buffer);
  for (const [at, word] of state.entries()) view.setUint32(at * 4, word, true);
  return digest;
}

/** The message, a one bit, zeros, and its length in bits, as little-endian words. */
function wordsOf(message: Uint8Array): Uint32Array {
  const blocks = Math.ceil((message.length + 9) / BLOCK_BYTES);
  const padded = new Uint8Array(blocks * BLOCK_BYTES);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(message.length) * 8n, true);
  return Uint32Array.from({ length: padded.length / 4 }, (_, at) => view.getUint32(at * 4, true));
}

function mix(before: State, words: Uint32Array, block: number): State {
  let [a, b, c, d] = before;
  for (let step = 0; step < 64; step += 1) {
    const round = step >> 4;
    const [bits, place] = roundOf(round, step, b, c, d);
    const sum = (a + bits + (SINES[step] ?? 0) + (words[block + place] ?? 0)) >>> 0;
    const turn = TURNS[round]?.[step & 3] ?? 0;
    [a, d, c, b] = [d, c, b, (b + ((sum << turn) | (sum >>> (32 - turn)))) >>> 0];
  }
  const [wasA, wasB, wasC, wasD] = before;
  return [(wasA + a) >>> 0, (wasB + b) >>> 0, (wasC + c) >>> 0, (wasD + d) >>> 0];
}

/** What a step mixes in, and which word of the block. */
function roundOf(round: number, step: number, b: number, c: number, d: number): [number, number] {
  if (round === 0) return [(b & c) | (~b & d), step];
  if (round === 1) return [(d & b) | (~d & c), (5 * step + 1) & 15];
  if (round === 2) return [b ^ c ^ d, (3 * step + 5) & 15];
  return [c ^ (b | ~d), (7 * step) & 15];
}
