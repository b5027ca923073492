/**
 * The decoder: a process of its own, started by `decoder-process.ts`, that turns one picture after
 * the other into a small PNG. Whatever a picture does to it, the service goes on.
 *
 * It has no settings, no secrets and no database; once everything is loaded it gives up being root,
 * if it was. Loading comes first because the project may lie where only root may look.
 */

import { Resvg } from "@resvg/resvg-js";
import {
  createFrameReader,
  FILE_BYTES_MAX,
  FRAME_KINDS,
  type Frame,
  orderOf,
  writeFrame,
} from "./decoder-protocol.ts";
import { drawLightSvg, drawPicture, SvgIsHeavy } from "./draw-thumbnail.ts";
import { PictureRefused } from "./picture-refused.ts";

const NOBODY = 65_534;
const WORDS_MAX = 1_000;

/** The service ends us. A terminal's Ctrl-C reaches us, too, while pictures are being finished. */
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});

await warmUp();
giveUpRoot();

const takeFrames = createFrameReader(FILE_BYTES_MAX);
process.stdin.on("data", (chunk: Buffer) => {
  for (const frame of takeFrames(chunk)) void answer(frame);
});
// The parent is gone. Not `exit`, which waits for a picture that is being drawn.
process.stdin.on("close", () => process.kill(process.pid, "SIGKILL"));
say(FRAME_KINDS.ready, Buffer.alloc(0));

async function answer({ kind, bytes }: Frame): Promise<void> {
  try {
    const { type, shape, isLight } = orderOf(kind);
    const drawing = isLight ? drawLightSvg(bytes, shape) : drawPicture(type, bytes, shape);
    say(FRAME_KINDS.picture, await drawing);
  } catch (error) {
    if (error instanceof SvgIsHeavy)
      return say(FRAME_KINDS.heavy, Buffer.from(String(error.costMs)));
    if (error instanceof PictureRefused) return say(FRAME_KINDS.refused, Buffer.from(error.reason));
    const words = String(error instanceof Error ? error.stack : error);
    say(FRAME_KINDS.failed, Buffer.from(words.slice(0, WORDS_MAX)));
  }
}

function say(kind: number, bytes: Buffer): void {
  writeFrame(process.stdout, kind, bytes);
}

/** One small picture through every library, so that nothing is loaded later. */
async function warmUp(): Promise<void> {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><path d="M0 0h8v8"/></svg>';
  const png = new Resvg(svg, { font: { loadSystemFonts: false } }).render().asPng();
  await drawPicture("svg", Buffer.from(svg), "thumbnail");
  await drawPicture("png", png, "thumbnail");
}

function giveUpRoot(): void {
  if (process.getuid?.() !== 0) return;
  try {
    process.setgroups?.([]);
    process.setgid?.(NOBODY);
    process.setuid?.(NOBODY);
  } catch {
    // A root that may not even change its user is confined already.
  }
}
