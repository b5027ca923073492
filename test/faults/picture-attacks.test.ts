/**
 * Pictures that are weapons: each is refused or drawn within its time, none changes anything it
 * should not, and everybody else is served as if nothing happened (Decision 0021).
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import zlib from "node:zlib";
import { signedIn } from "../../testkit/banks.ts";
import {
  blackPng,
  fixture,
  NOISY_SVG,
  pngChunk,
  pngOfBytes,
  SLOW_SVG,
  svg,
  useBomb,
} from "../../testkit/pictures.ts";
import { startService, type TestService } from "../../testkit/service.ts";
import { until } from "../../testkit/until.ts";
import { kept, picture } from "../api/user/picture-support.ts";

/** No request takes longer; a decoder that has to start takes its time on a busy machine. */
const ANSWER_MS_MAX = 12_000;
const DRAWING_MS_MAX = 3_000;

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.stop());

async function attack(file: Buffer): Promise<{ status: number; took: number }> {
  const who = await signedIn(service);
  const began = performance.now();
  const answer = await picture(service, who, "POST", file);
  const took = performance.now() - began;
  assert(took < ANSWER_MS_MAX, `it was answered after ${took} ms`);
  const isKept = (await kept(service, who)) !== undefined;
  assert.equal(isKept, answer.status === 201);
  return { status: answer.status, took };
}

const jpeg = fixture("baseline-libjpeg.jpg");
const bomb = zlib.deflateSync(Buffer.alloc(300_000_000));
const filtered = (inside: string) =>
  svg(`<filter id="f">${inside}</filter><rect width="200" height="200" filter="url(#f)"/>`);
const withBomb = (name: string, head: string) =>
  blackPng({
    width: 9,
    height: 9,
    chunks: [pngChunk(name, Buffer.concat([Buffer.from(head), bomb]))],
  });

/**
 * 201: legal, if odd. 400: refused. 0: either, as long as it is one of the two. One that takes all
 * its time on a machine that has little of it to give is 503.
 */
const ATTACKS: Record<string, [Buffer, 201 | 400 | 0]> = {
  "a PNG of 30,000 by 30,000": [blackPng({ width: 30_000, height: 30_000, depth: 1 }), 400],
  "a PNG of 12,001 by 1": [blackPng({ width: 12_001, height: 1 }), 400],
  "a PNG of 5,000 by 5,000": [blackPng({ width: 5_000, height: 5_000, colour: 2 }), 201],
  "a PNG of no width": [blackPng({ width: 0, height: 9 }), 400],
  "a PNG with a bomb in zTXt": [withBomb("zTXt", "a\0\0"), 0],
  "a PNG with a bomb in iCCP": [withBomb("iCCP", "a\0\0"), 0],
  "a PNG with a bomb in iTXt": [withBomb("iTXt", "a\0\x01\0\0\0"), 0],
  "a PNG of 400,000 chunks": [
    blackPng({ width: 9, height: 9, chunks: Array(400_000).fill(pngChunk("tiNy")) }),
    0,
  ],
  "a PNG with a wrong checksum": [changed(blackPng({ width: 9, height: 9 }), -20), 400],
  "the head of a PNG and noise": [Buffer.concat([pngOfBytes(200), noise()]).fill(7, 40), 400],
  "a JPEG of 65,500 by 65,500": [resized(65_500), 400],
  "a JPEG that says it is larger than it is": [resized(4_000), 400],
  "a JPEG of 10,000 scans": [repeatedScans(10_000), 0],
  "half a JPEG": [jpeg.subarray(0, jpeg.length / 2), 400],
  "the head of a JPEG and noise": [Buffer.concat([jpeg.subarray(0, 20), noise()]), 400],
  "a GIF of 10,000 frames": [gif({ frames: 10_000 }), 201],
  "a GIF whose frame is larger than its screen": [gif({ frames: 1, frameSide: 2_000 }), 0],
  "a GIF of 65,535 by 65,535": [gif({ frames: 1, screen: 65_535, frameSide: 65_535 }), 400],
  "a GIF without an end": [gif({ frames: 1 }).subarray(0, 30), 400],
  "use inside use": [useBomb(10, 8), 400],
  "a chain of 4,000 blurs": [filtered('<feGaussianBlur stdDeviation="900"/>'.repeat(4_000)), 0],
  "dashes without number": [svg('<path d="M0 0H1e9" stroke="red" stroke-dasharray="1e-4"/>'), 0],
  "a million points": [svg(`<path stroke="red" d="M0 0${"L1 9".repeat(1_000_000)}"/>`), 0],
  "a size of 1e9 by 1e9": [svg("<rect/>", 'width="1e9" height="1e9"'), 0],
  "a comment of 4 MB": [Buffer.from(`<!--${" ".repeat(4_000_000)}--><svg/>`), 0],
  "noise that never ends": [NOISY_SVG, 400],
  "a brush as wide as the picture": [SLOW_SVG, 400],
};

for (const [what, [file, expected]] of Object.entries(ATTACKS))
  test(`${what} is answered ${expected === 0 ? "201 or 400" : expected} in time`, async () => {
    const { status, took } = await attack(file);
    if (status === 503 && took > DRAWING_MS_MAX && expected !== 201) return;
    assert([201, 400].includes(status), `it was answered ${status}`);
    if (expected !== 0) assert.equal(status, expected);
  });

describe("during an attack", () => {
  test("everybody else is served, and honest pictures are drawn within 5 seconds", async () => {
    let isOver = false;
    const slowest = { ms: 0 };
    const watching = (async () => {
      const { token } = await signedIn(service);
      while (!isOver) {
        const began = performance.now();
        assert.equal((await service.request("/auth/whoami", { token })).status, 200);
        slowest.ms = Math.max(slowest.ms, performance.now() - began);
      }
    })();
    const bombs = [SLOW_SVG, SLOW_SVG, useBomb(10, 8), SLOW_SVG, resized(65_500)];
    const attacks = bombs.map(async (file) => {
      const began = performance.now();
      const { status } = await picture(service, await signedIn(service), "POST", file);
      assert([400, 503].includes(status), `a bomb was answered ${status}`);
      return performance.now() - began;
    });
    // By the time these are answered, the ones that began before them are in the queue.
    const { token } = await signedIn(service);
    for (let i = 0; i < 20; i++) await service.request("/auth/whoami", { token });
    await Promise.all(Array.from({ length: 15 }, (_, turn) => honest(turn)));
    const longest = Math.max(...(await Promise.all(attacks)));
    assert(longest > 500, `no bomb was ever at work, the longest for ${longest} ms`);
    isOver = true;
    await watching;
    // A thread that had to draw even one of them would be away for seconds.
    assert(slowest.ms < 1_500, `somebody waited ${slowest.ms} ms`);
  });

  /** As an honest client does: told to come back, it comes back. */
  async function honest(turn: number): Promise<void> {
    const who = await signedIn(service);
    const file = fixture(turn % 2 === 0 ? "netpbm.png" : "24-bit-imagemagick.bmp");
    const began = performance.now();
    const isDone = async () => (await picture(service, who, "POST", file)).status === 201;
    await until(isDone, "an honest picture is taken", 5);
    assert(performance.now() - began < 5_500);
  }
});

function noise(): Buffer {
  return Buffer.from(Array.from({ length: 5_000 }, (_, index) => (index * 7919) % 251));
}

function changed(file: Buffer, at: number): Buffer {
  const copy = Buffer.from(file);
  const index = copy.length + at;
  copy[index] = (copy[index] ?? 0) ^ 1;
  return copy;
}

/** The same picture with other numbers in its head. */
function resized(side: number): Buffer {
  const copy = Buffer.from(jpeg);
  const frame = copy.indexOf(Buffer.from([0xff, 0xc0]));
  copy.writeUInt16BE(side, frame + 5);
  copy.writeUInt16BE(side, frame + 7);
  return copy;
}

function repeatedScans(times: number): Buffer {
  const whole = fixture("progressive-libjpeg.jpg");
  const last = whole.lastIndexOf(Buffer.from([0xff, 0xda]));
  const scan = whole.subarray(last, -2);
  return Buffer.concat([whole.subarray(0, last), ...Array(times).fill(scan), whole.subarray(-2)]);
}

function gif({ frames, screen = 9, frameSide = 9 }: Record<string, number>): Buffer {
  const head = Buffer.from("GIF89a\0\0\0\0\x80\0\0\0\0\0\xff\xff\xff", "latin1");
  head.writeUInt16LE(screen, 6);
  head.writeUInt16LE(screen, 8);
  const frame = Buffer.from(",\0\0\0\0\0\0\0\0\0\x02\x02\x4c\x01\0", "latin1");
  frame.writeUInt16LE(frameSide, 5);
  frame.writeUInt16LE(frameSide, 7);
  return Buffer.concat([head, ...Array(frames).fill(frame), Buffer.from(";")]);
}
