/**
 * The guarantee: pictures as other programs write them come out as 200 by 200 PNGs that look right
 * and carry nothing of where they come from; and a picture that ends its decoder ends only that.
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import sharp from "sharp";
import { startDecoder } from "../../src/infra/images/decoder-process.ts";
import { FRAME_KINDS, kindOf } from "../../src/infra/images/decoder-protocol.ts";
import { createThumbnailService } from "../../src/infra/images/thumbnail-service.ts";
import { decoderPids } from "../../testkit/decoder-pids.ts";
import {
  blackPng,
  chunkNames,
  fixture,
  fixtureNames,
  quarters,
  SLOW_SVG,
  svg,
  TYPE_SENTENCE,
} from "../../testkit/pictures.ts";

const log = { warn() {}, error: (about: object) => assert.fail(JSON.stringify(about)) };
const shop = createThumbnailService({ log });
after(() => shop.stop());

const RED = "255,0,0,255";
const GREEN = "0,255,0,255";
const EXPECTED = [RED, GREEN, "0,0,255,255", "255,255,0,255"];
const OTHERWISE: Record<string, string[]> = {
  "1-bit-netpbm.bmp": [RED, GREEN, GREEN, RED],
  "32-bit-imagemagick.bmp": [...EXPECTED.slice(0, 3), "0,0,0,0"],
  // Ink is no light: this is what these inks look like.
  "cmyk-imagemagick.jpg": ["232,0,0,255", "0,141,46,255", "32,6,117,255", "255,240,0,255"],
};

describe("what other programs make", () => {
  for (const name of fixtureNames())
    test(`${name} shows its four colours, and nothing but pixels is left of it`, async () => {
      const thumbnail = await shop.toThumbnail(fixture(name));
      const colours = await quarters(thumbnail);
      const expected = OTHERWISE[name] ?? EXPECTED;
      for (const [index, colour] of colours.entries())
        assert(isNear(colour, expected[index] ?? ""), `${colours} instead of ${expected}`);
      assert(chunkNames(thumbnail).every((chunk) => /^(IHDR|PLTE|tRNS|IDAT|IEND)$/.test(chunk)));
      assert(!thumbnail.includes("Secret"));
      assert(thumbnail.length <= 204_800);
    });

  test("there are files of every kind", () => {
    const endings = new Set(fixtureNames().map((name) => name.split(".").at(-1)));
    assert.deepEqual([...endings].sort(), ["bmp", "gif", "jpg", "png", "svg"]);
  });
});

describe("the shape", () => {
  test("a wide picture keeps its middle, a tall one too", async () => {
    const striped = (width: number, height: number) => {
      const band =
        width > height
          ? `x="${width / 4}" width="${width / 2}" height="${height}"`
          : `y="${height / 4}" width="${width}" height="${height / 2}"`;
      const red = `<rect width="${width}" height="${height}" fill="#f00"/>`;
      const size = `width="${width}" height="${height}"`;
      return svg(`${red}<rect ${band} fill="#0f0"/>`, size);
    };
    for (const picture of [striped(800, 100), striped(100, 800)]) {
      const whole = await sharp(picture).png().toBuffer();
      const fromPng = await quarters(await shop.toThumbnail(whole));
      const fromSvg = await quarters(await shop.toThumbnail(picture));
      assert.deepEqual([fromPng, fromSvg], [Array(4).fill(GREEN), Array(4).fill(GREEN)]);
    }
  });

  test("the noisiest picture there is stays below 200 KB", async () => {
    const noise = { type: "gaussian" as const, mean: 128, sigma: 90 };
    const create = { width: 400, height: 400, channels: 4 as const, background: "red", noise };
    const picture = await sharp({ create }).png().toBuffer();
    assert((await shop.toThumbnail(picture)).length < 204_800);
  });

  test("16 bits and interlacing at 25 million pixels fit into the decoder's memory", async () => {
    const large = { width: 5_000, height: 5_000, depth: 16, colour: 6, interlaced: true } as const;
    // Straight to the decoder: the shop would end it after a while, which a busy machine may need.
    const decoder = startDecoder();
    const patience = setTimeout(() => void decoder.kill(), 60_000);
    try {
      assert.equal((await decoder.next()).kind, FRAME_KINDS.ready);
      decoder.send(kindOf({ type: "png", shape: "thumbnail" }), blackPng(large));
      const { kind, bytes } = await decoder.next();
      assert.equal(kind, FRAME_KINDS.picture, bytes.toString());
    } finally {
      clearTimeout(patience);
      await decoder.kill();
    }
  });
});

describe("a logo", () => {
  const sizeOf = async (picture: Buffer) => {
    const { width, height } = await sharp(picture).metadata();
    return [width, height];
  };
  for (const [name, [width, height], kept] of [
    ["wide", [1_200, 300], [480, 120]],
    ["tall", [100, 800], [20, 160]],
    ["of one line", [4_000, 2], [480, 1]],
  ] as const)
    test(`that is ${name} keeps its proportions inside 480 by 160`, async () => {
      const picture = svg("", `width="${width}" height="${height}"`);
      assert.deepEqual(await sizeOf(await shop.toLogo(picture)), kept, "as an SVG");
      const raster = await sharp(picture).png().toBuffer();
      assert.deepEqual(await sizeOf(await shop.toLogo(raster)), kept, "as a PNG");
    });

  test("that is small stays so, but an SVG has no size of its own", async () => {
    const small = svg("", 'width="60" height="20"');
    const raster = await sharp(small).png().toBuffer();
    assert.deepEqual(await sizeOf(await shop.toLogo(raster)), [60, 20]);
    assert.deepEqual(await sizeOf(await shop.toLogo(small)), [480, 160]);
  });

  test("of noise stays below 400 KB", async () => {
    const noise = { type: "gaussian" as const, mean: 128, sigma: 90 };
    const create = { width: 480, height: 160, channels: 4 as const, background: "red", noise };
    const picture = await sharp({ create }).png().toBuffer();
    assert((await shop.toLogo(picture)).length < 409_600);
  });
});

describe("trouble", () => {
  test("what is none of the five types is refused without asking the decoder", async () => {
    const others = decoderPids(process.pid);
    const idle = createThumbnailService({ log });
    await assert.rejects(idle.toThumbnail(Buffer.from("RIFF....WEBP")), { message: TYPE_SENTENCE });
    await assert.rejects(idle.toThumbnail(Buffer.alloc(0)), { message: TYPE_SENTENCE });
    assert.deepEqual(decoderPids(process.pid), others);
    await idle.stop();
  });

  test("an SVG that takes 600 ms of the processor is refused, and the next one is drawn", async () => {
    const began = performance.now();
    // On a machine with little time to give it is told to come back instead.
    await assert.rejects(shop.toThumbnail(SLOW_SVG), {
      message: /^(The picture is too complex\.|Service Unavailable)$/,
    });
    const took = performance.now() - began;
    assert(took > 500 && took < 20_000, `it took ${took} ms`);
    await shop.toThumbnail(fixture("librsvg.svg"));
  });

  test("beyond the queue it is 503, and every file in it gets its turn", async () => {
    const files = Array.from({ length: 30 }, () => fixture("netpbm.png"));
    const outcomes = await Promise.allSettled(files.map((file) => shop.toThumbnail(file)));
    const refused = outcomes.filter((one) => one.status === "rejected");
    assert.equal(refused.length, 30 - 11);
    for (const { reason } of refused) assert.equal(reason.status, 503);
  });

  test("ordinary pictures wait for one slow SVG and not for all of them", async () => {
    let refused = 0;
    const slow = Array.from({ length: 3 }, () =>
      shop.toThumbnail(SLOW_SVG).catch(() => {
        refused += 1;
      }),
    );
    const began = performance.now();
    await Promise.all(Array.from({ length: 5 }, () => shop.toThumbnail(fixture("netpbm.png"))));
    const took = performance.now() - began;
    assert(took < 5_000, `they waited ${took} ms`);
    assert(refused <= 1, `they waited for ${refused}`);
    await Promise.all(slow);
  });

  test("after it was stopped it says to come back, and its decoders are gone", async () => {
    const others = decoderPids(process.pid);
    const brief = createThumbnailService({ log });
    const files = [fixture("netpbm.png"), fixture("librsvg.svg")];
    for (const file of files) await brief.toThumbnail(file);
    assert.equal(decoderPids(process.pid).length, others.length + 2);
    await brief.stop();
    assert.deepEqual(decoderPids(process.pid), others);
    for (const file of files) await assert.rejects(brief.toThumbnail(file), { status: 503 });
    assert.deepEqual(decoderPids(process.pid), others, "nor has it new ones");
  });
});

function isNear(one: string, other: string): boolean {
  const wanted = other.split(",").map(Number);
  return one.split(",").every((part, index) => Math.abs(Number(part) - (wanted[index] ?? 999)) < 4);
}
