/**
 * Pictures that are weapons: each is refused or drawn within its time, none changes anything it
 * should not, reaches for nothing outside, and everybody else is served as if nothing happened
 * (Decision 0021).
 */

import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import http from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import zlib from "node:zlib";
import { kept, picture } from "../api/user/picture-support.ts";
import { signedIn } from "../api/user/support.ts";
import { decoderPids } from "../support/decoder-pids.ts";
import {
  blackPng,
  fixture,
  pngChunk,
  pngOfBytes,
  SLOW_SVG,
  svg,
  useBomb,
} from "../support/pictures.ts";
import { startService, type TestService } from "../support/service.ts";
import { until } from "../support/until.ts";

const ANSWER_MS_MAX = 5_000;
const STRACE = "/usr/bin/strace";

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.stop());

async function attack(file: Buffer): Promise<number> {
  const who = await signedIn(service);
  const began = performance.now();
  const answer = await picture(service, who, "POST", file);
  const took = performance.now() - began;
  assert(took < ANSWER_MS_MAX, `it was answered after ${took} ms`);
  const isKept = (await kept(service, who)) !== undefined;
  assert.equal(isKept, answer.status === 201);
  return answer.status;
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

/** 201: legal, if odd. 400: refused. 0: either, as long as it is one of the two. */
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
  "noise that never ends": [SLOW_SVG, 400],
};

for (const [what, [file, expected]] of Object.entries(ATTACKS))
  test(`${what} is answered ${expected === 0 ? "201 or 400" : expected} in time`, async () => {
    const status = await attack(file);
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
    assert(longest > 2_500, `no bomb was ever at work, the longest for ${longest} ms`);
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

describe("what points outside", () => {
  let witness: http.Server;
  let folder: string;
  let visits = 0;
  before(async () => {
    witness = http.createServer((_request, response) => {
      visits++;
      response.end();
    });
    await once(witness.listen(0, "127.0.0.1"), "listening");
    folder = await mkdtemp(path.join(os.tmpdir(), "windward-witness-"));
    await writeFile(path.join(folder, "seen.png"), fixture("netpbm.png"));
  });
  after(async () => {
    witness.close();
    await rm(folder, { recursive: true });
  });

  test("is refused, and neither a file nor an address is touched", async () => {
    const url = `http://127.0.0.1:${(witness.address() as AddressInfo).port}/a.png`;
    const file = path.join(folder, "seen.png");
    assert.equal(await attack(fixture("inkscape.svg")), 201);
    const trace = await startTrace(path.join(folder, "trace"));
    for (const outside of [url, `file://${file}`, file, `//${url.slice(7)}`])
      for (const markup of pointingTo(outside))
        assert.equal(await attack(svg(markup)), 400, markup);
    // What is drawn, so that the trace is known to show something of use.
    assert.equal(await attack(fixture("graphviz.svg")), 201);
    const touched = await trace.stop();
    assert.equal(visits, 0);
    assert.deepEqual(touched, []);
  });

  function pointingTo(outside: string): string[] {
    return [
      `<image href="${outside}" width="9" height="9"/>`,
      `<image xlink:href="${outside}" width="9" height="9"/>`,
      `<use href="${outside}#a"/>`,
      `<feImage href="${outside}"/>`,
      `<rect width="9" height="9" fill="url(${outside}#a)"/>`,
      `<rect width="9" height="9" style="fill:url('${outside}')"/>`,
      `<style>@import '${outside}';</style>`,
      `<style>@font-face{font-family:a;src:url(${outside})}</style>`,
      `<?xml-stylesheet href="${outside}"?>`,
      `<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="${outside}"/>`,
      `<image href="data:image/svg+xml,%3Csvg%3E%3Cimage href='${outside}'/%3E%3C/svg%3E"/>`,
    ];
  }
});

/** Which files and addresses the decoder reaches for, as the kernel sees it, where one may ask. */
async function startTrace(file: string): Promise<{ stop(): Promise<string[]> }> {
  const [pid] = decoderPids(process.pid);
  assert(pid !== undefined, "there is no decoder");
  if (!existsSync(STRACE)) return { stop: async () => [] };
  const which = "trace=write,open,openat,connect,socket,sendto,execve,unlink,newfstatat,access";
  const tracer: ChildProcess = spawn(STRACE, ["-f", "-e", which, "-o", file, "-p", String(pid)]);
  const ended = once(tracer, "exit");
  const isTraced = () => !/TracerPid:\t0\n/.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  await until(() => isTraced() || tracer.exitCode !== null, "the decoder is traced");
  // Not every machine lets one process look at another; the witnesses remain.
  if (!isTraced()) return { stop: async () => [] };
  return {
    async stop() {
      tracer.kill("SIGINT");
      await ended;
      const lines = readFileSync(file, "utf8").split("\n");
      assert(
        lines.some((line) => line.includes("write(")),
        "the trace shows nothing",
      );
      // The C library and V8 look at devices and at their own process; pictures never do.
      const harmless = /write\(|"\/(dev|proc|sys)\//;
      return lines.filter((line) => /\w+\(/.test(line) && !harmless.test(line));
    },
  };
}

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
