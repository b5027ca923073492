/**
 * An SVG that is made to be slow costs its decoder at most a second of the processor, and delays no
 * honest picture (Decision 0069). Judged by the processor's time and by order, not by the clock,
 * because other tests run beside this one.
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type DecoderProcess, startDecoder } from "../../src/infra/images/decoder-process.ts";
import { FRAME_KINDS, kindOf } from "../../src/infra/images/decoder-protocol.ts";
import { PictureRefused } from "../../src/infra/images/picture-refused.ts";
import { createThumbnailService } from "../../src/infra/images/thumbnail-service.ts";
import { Unavailable } from "../../src/kit/errors.ts";
import { fixture, NOISY_SVG, quarters, SLOW_SVG, svg } from "../../testkit/pictures.ts";
import { someOf } from "../../testkit/proof-counts.ts";

const BOMB_MS_MAX = 1_000;
/** What is drawn at once may take 80 ms on the machine it was measured on. */
const LIGHT_MS_MAX = 500;
/** A quiet machine needs one. */
const TRIES_MAX = 5;
const LIGHT = fixture("librsvg.svg");

const rect = (more: string) => `<rect width="200" height="200" ${more}/>`;
const filtered = (inside: string) =>
  svg(`<filter id="f">${inside}</filter>${rect('filter="url(#f)"')}`);
const zigzag = (points: number) =>
  Array.from({ length: points }, (_, n) => `L${(n * 7919) % 200} ${(n * 104_729) % 199}`).join("");

/** Some parsers end its mask's id at the apostrophe; the renderer does not. */
const HIDDEN_BOMB = svg(
  `<mask id="m'x">${rect('fill="#fff"').repeat(500)}</mask>${rect(`mask="url(#m'x)"`).repeat(20)}`,
);
/** Far larger than the picture. */
const wide = (primitives: string) =>
  svg(
    `<filter id="f" x="-500" y="-500" width="1001" height="1001">${primitives}</filter>` +
      rect('filter="url(#f)"'),
  );

const BOMBS: Record<string, Buffer> = {
  "masks with a strange id": HIDDEN_BOMB,
  "three blurs of a wide region": wide('<feGaussianBlur stdDeviation="1"/>'.repeat(3)),
  "a flood of a wide region": wide("<feFlood/>"),
  "noise of 60 octaves, ten times": filtered(
    '<feTurbulence baseFrequency=".5" numOctaves="60"/>'.repeat(10),
  ),
  "noise without end": NOISY_SVG,
  "a brush as wide as the picture": SLOW_SVG,
  "a kernel of 32 by 32, 20 times": filtered(
    `<feConvolveMatrix order="32" kernelMatrix="${"1 ".repeat(1_024)}"/>`.repeat(20),
  ),
  "a kernel of 100 by 100": filtered(
    `<feConvolveMatrix order="100" kernelMatrix="${"1 ".repeat(10_000)}"/>`,
  ),
  "4,000 blurs": filtered('<feGaussianBlur stdDeviation="1"/>'.repeat(4_000)),
  "1,000 filtered elements": svg(
    `<filter id="f"><feOffset dx="1"/></filter>${rect('filter="url(#f)"').repeat(1_000)}`,
  ),
  "filters by a style sheet": svg(
    "<style>rect{filter:url(#f)}</style>" +
      '<filter id="f"><feGaussianBlur stdDeviation="1"/></filter>' +
      rect("").repeat(500),
  ),
  "filters by functions": svg(rect('filter="blur(1) blur(1) blur(1)"').repeat(200)),
  "2,000 masks": svg(`<mask id="m">${rect("")}</mask>${rect('mask="url(#m)"').repeat(2_000)}`),
  "2,000 clips": svg(
    `<clipPath id="m"><circle r="150"/></clipPath>${rect('clip-path="url(#m)"').repeat(2_000)}`,
  ),
  "a tile of 100,000 by 100,000": svg(
    '<pattern id="m" width="1e5" height="1e5" patternUnits="userSpaceOnUse">' +
      '<circle r="1e5"/></pattern>' +
      rect('fill="url(#m)"').repeat(9),
  ),
  "dashes as wide as the picture": svg(
    '<path d="M0 0H200" stroke="red" stroke-width="400" stroke-dasharray=".001"/>'.repeat(9),
  ),
  "2,000 markers": svg(
    `<marker id="k">${rect("")}</marker><path marker-mid="url(#k)" d="M0 0${zigzag(2_000)}"/>`,
  ),
  "100,000 points": svg(`<path d="M0 0${zigzag(100_000)}"/>`),
  "20,000 strokes": svg(`<path stroke="red" stroke-width="9" d="M0 0${zigzag(20_000)}"/>`),
  "selectors that go back": svg(
    `<style>${"a g g g g rect{fill:red}".repeat(300)}</style>` +
      "<g>".repeat(50) +
      rect("").repeat(1_000) +
      "</g>".repeat(50),
  ),
  "layers without number": svg(
    `<g opacity=".9">${'<g opacity=".9"><rect width="200" height="200"/></g>'.repeat(2_400)}</g>`,
  ),
};

const log = { warn() {}, error: (about: object) => assert.fail(JSON.stringify(about)) };

/** Starts decoders and adds up what they spend on pictures, without what starting them takes. */
function createMeter() {
  const spent: (() => number)[] = [];

  function start(): DecoderProcess {
    const decoder = startDecoder();
    let first: number | undefined;
    let last = 0;
    const look = () => {
      const now = decoder.cpuMs();
      if (now !== undefined) last = now;
      return now;
    };
    spent.push(() => {
      look();
      return first === undefined ? 0 : last - first;
    });
    return {
      ...decoder,
      cpuMs: look,
      send(kind, bytes) {
        // It has said that it is ready; what follows is drawing.
        first ??= look();
        decoder.send(kind, bytes);
      },
      kill() {
        // Afterwards the system does not tell any more.
        look();
        return decoder.kill();
      },
    };
  }

  return { start, cpuMs: () => spent.reduce((sum, one) => sum + one(), 0) };
}

describe("a bomb", () => {
  const meter = createMeter();
  const shop = createThumbnailService({ log, start: meter.start });
  after(() => shop.stop());

  for (const [what, file] of someOf(Object.entries(BOMBS), { usual: 6, turn: 0 }))
    test(`${what}: costs at most a second of the processor`, async () => {
      const before = meter.cpuMs();
      const outcome = await shop.toThumbnail(file).catch((error: unknown) => error);
      const ms = meter.cpuMs() - before;
      assert(ms <= BOMB_MS_MAX, `it took ${ms} ms`);
      // A machine with little time to give says so; that is not the bomb's doing.
      if (Buffer.isBuffer(outcome) || outcome instanceof Unavailable) return;
      assert(outcome instanceof PictureRefused, String(outcome));
      assert.equal(outcome.reason, "complex");
    });

  test("was measured", () => {
    assert(meter.cpuMs() > BOMB_MS_MAX, "all bombs together take longer than one may");
  });
});

describe("twelve bombs at once", () => {
  const shop = createThumbnailService({ log });
  before(async () => {
    await Promise.all([shop.toThumbnail(LIGHT), shop.toThumbnail(fixture("netpbm.png"))]);
  });
  after(() => shop.stop());

  /**
   * How many bombs had been dealt with when the honest picture was drawn; undefined where the
   * machine had no time for it, and said so.
   */
  async function drawnAfter(bomb: Buffer, honest: Buffer): Promise<number | undefined> {
    let settled = 0;
    const bombs = Array.from({ length: 12 }, () =>
      shop.toThumbnail(bomb).catch((error: unknown) => {
        // A bomb that was refused for want of a slot has cost nothing.
        if (error instanceof PictureRefused) settled += 1;
      }),
    );
    const thumbnail = await shop.toThumbnail(honest).catch((error: unknown) => error);
    const before = settled;
    await Promise.all(bombs);
    if (thumbnail instanceof Unavailable) return undefined;
    assert(Buffer.isBuffer(thumbnail), `the honest picture was refused: ${thumbnail}`);
    assert.equal((await quarters(thumbnail)).length, 4);
    return before;
  }

  for (const [what, bomb, honest] of [
    ["a PNG", SLOW_SVG, fixture("netpbm.png")],
    ["a light SVG", SLOW_SVG, LIGHT],
    ["a light SVG that came after strange ids", HIDDEN_BOMB, LIGHT],
    ["a light SVG that came after wide floods", wide("<feFlood/>"), LIGHT],
  ] as const)
    test(`keep ${what} waiting for one of them at most`, async () => {
      let dealtWith: number | undefined;
      for (let tries = 0; dealtWith === undefined && tries < TRIES_MAX; tries++)
        dealtWith = await drawnAfter(bomb, honest);
      assert(dealtWith !== undefined, `it was refused ${TRIES_MAX} times`);
      assert(dealtWith <= 1, `${dealtWith} came before it`);
    });
});

describe("what is drawn at once", () => {
  let decoder: DecoderProcess;
  let patience: NodeJS.Timeout;
  before(async () => {
    decoder = startDecoder();
    // Its pipes hold nobody, so a timer does.
    patience = setTimeout(() => void decoder.kill(), 300_000);
    assert.equal((await decoder.next()).kind, FRAME_KINDS.ready);
  });
  after(async () => {
    clearTimeout(patience);
    await decoder.kill();
  });

  const gradient =
    '<radialGradient id="g"><stop/><stop offset="1" stop-color="red"/></radialGradient>';
  const kinds: Record<string, (count: number) => Buffer> = {
    shapes: (count) => svg('<circle cx="100" cy="100" r="140" fill-opacity=".5"/>'.repeat(count)),
    gradients: (count) => svg(gradient + rect('fill="url(#g)" stroke="url(#g)"').repeat(count)),
    layers: (count) => svg(rect('opacity=".5"').repeat(count)),
    masks: (count) => svg(`<mask id="m">${rect("")}</mask>${rect('mask="url(#m)"').repeat(count)}`),
    clips: (count) =>
      svg(
        `<clipPath id="m"><circle r="150"/></clipPath>${rect('clip-path="url(#m)"').repeat(count)}`,
      ),
    views: (count) =>
      svg(
        '<svg width="200" height="200" viewBox="0 0 1 1"><rect width="1" height="1"/></svg>'.repeat(
          count,
        ),
      ),
    points: (count) => svg(`<path d="M0 0${zigzag(count)}"/>`),
    strokes: (count) =>
      svg(`<path stroke="red" stroke-width="9" stroke-linejoin="round" d="M0 0${zigzag(count)}"/>`),
    rules: (count) => svg(`<style>${"rect{fill:red}".repeat(count)}</style>${rect("").repeat(90)}`),
  };

  /** The most of a kind that is still drawn at once. */
  async function mostOf(kind: (count: number) => Buffer): Promise<{ count: number; ms: number }> {
    let most = { count: 0, ms: 0 };
    for (let count = 1; count < 100_000; count = Math.ceil(count * 1.5)) {
      const before = decoder.cpuMs() ?? 0;
      decoder.send(kindOf({ type: "svg", shape: "thumbnail", isLight: true }), kind(count));
      const said = await decoder.next();
      if (said.kind !== FRAME_KINDS.picture) return most;
      most = { count, ms: (decoder.cpuMs() ?? 0) - before };
    }
    return most;
  }

  for (const [what, kind] of Object.entries(kinds))
    test(`is quick, however many ${what} it has`, async () => {
      const { count, ms } = await mostOf(kind);
      assert(count > 1, "some are drawn");
      assert(ms <= LIGHT_MS_MAX, `${count} took ${ms} ms`);
    });
});
