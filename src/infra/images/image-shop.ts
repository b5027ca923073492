/**
 * Where uploaded pictures become thumbnails. The work is done by child processes that may be killed
 * at any moment; here are only the queues in front of them and what their end means.
 *
 * The rule that matters: no picture, whatever it is, costs the service more than handing its bytes
 * over. A picture that takes more than three seconds is refused and its decoder killed; the next
 * one gets a new one. SVGs have a decoder and a queue of their own, because only they can take long
 * on purpose: no other picture waits for them (Decision 0021).
 */

import { SECOND_MS } from "../../kit/clock.ts";
import { Unavailable } from "../../kit/errors.ts";
import { createGate, GateIsFull } from "../../kit/gate.ts";
import type { Log } from "../log.ts";
import { kindOf, SAYS } from "./decoder-messages.ts";
import { DecoderEnded, type DecoderProcess, startDecoder } from "./decoder-process.ts";
import type { Frame } from "./frames.ts";
import { isRefusalReason, PictureRefused } from "./picture-refused.ts";
import { type PictureType, pictureType } from "./picture-type.ts";

const DRAWING_MS_MAX = 3 * SECOND_MS;
/** By the clock, where others want the processor too. */
const BUSY_MS_MAX = 4 * SECOND_MS;
const LOOKING_MS = 100;
const STARTING_MS_MAX = 10 * SECOND_MS;
const WAITING_MAX = 10;
/** Together with the drawing itself, less than a request may take. */
const WAIT_MS_MAX = 4 * SECOND_MS;
/** Then a fresh one, so that nothing a library leaks can grow for ever. */
const PICTURES_PER_DECODER = 500;

export interface ImageShop {
  /** A 200 by 200 PNG; throws `PictureRefused`, or `Unavailable` when there are too many. */
  toThumbnail(file: Buffer): Promise<Buffer>;
  stop(): Promise<void>;
}

export function createImageShop({ log }: { log: Words }): ImageShop {
  const svgs = createLane(log);
  const others = createLane(log);
  return {
    async toThumbnail(file) {
      const type = pictureType(file);
      if (type === undefined) throw new PictureRefused("type");
      return (type === "svg" ? svgs : others).draw(type, file);
    },
    async stop() {
      await Promise.all([svgs.stop(), others.stop()]);
    },
  };
}

type Words = Pick<Log, "warn" | "error">;

/** One decoder, started when it is first needed, and the queue in front of it. */
function createLane(log: Words) {
  const door = createGate({ atOnce: 1, waitingMax: WAITING_MAX, waitMsMax: WAIT_MS_MAX });
  let decoder: DecoderProcess | undefined;
  let drawn = 0;
  let isStopped = false;

  async function readyDecoder(): Promise<DecoderProcess> {
    if (isStopped) throw new Unavailable({ cause: "the decoder of pictures is stopped" });
    if (decoder !== undefined && !decoder.hasEnded() && drawn < PICTURES_PER_DECODER)
      return decoder;
    await decoder?.kill();
    drawn = 0;
    const fresh = startDecoder();
    decoder = fresh;
    try {
      await within(STARTING_MS_MAX, fresh);
    } catch (error) {
      log.error({ err: error }, "the decoder of pictures does not start");
      throw new Unavailable({ cause: error });
    }
    return fresh;
  }

  async function drawNow(type: PictureType, file: Buffer): Promise<Buffer> {
    const one = await readyDecoder();
    drawn++;
    one.send(kindOf(type), file);
    return thumbnailIn(await withinCpuTime(one).catch(asRefusal), log);
  }

  /** A decoder's end is the picture's doing, but for a kill from outside. */
  function asRefusal(error: unknown): never {
    if (!(error instanceof DecoderEnded)) throw error;
    log.warn({ err: error }, "a picture ended its decoder");
    if (error.signal === "SIGKILL") throw new Unavailable({ cause: error });
    throw new PictureRefused("complex", error);
  }

  return {
    async draw(type: PictureType, file: Buffer): Promise<Buffer> {
      try {
        return await door.pass(() => drawNow(type, file));
      } catch (error) {
        throw error instanceof GateIsFull ? new Unavailable({ cause: error }) : error;
      }
    },
    async stop(): Promise<void> {
      isStopped = true;
      await decoder?.kill();
    },
  };
}

/** What the decoder says next, or its end when it says nothing in time. */
async function within(ms: number, decoder: DecoderProcess): Promise<Frame> {
  const timer = setTimeout(() => void decoder.kill(), ms);
  try {
    return await decoder.next();
  } finally {
    clearTimeout(timer);
  }
}

/**
 * A picture has three seconds of the processor. On a busy machine those take longer by the clock,
 * and that is not the picture's fault: a little longer is waited, and one that hardly had a turn by
 * then is 503.
 */
async function withinCpuTime(decoder: DecoderProcess): Promise<Frame> {
  const cpuBefore = decoder.cpuMs();
  const began = performance.now();
  let verdict: PictureRefused | Unavailable | undefined;
  const timer = setInterval(() => {
    const ms = performance.now() - began;
    if (ms < DRAWING_MS_MAX) return;
    const cpuMs = (decoder.cpuMs() ?? Number.POSITIVE_INFINITY) - (cpuBefore ?? 0);
    if (cpuMs < DRAWING_MS_MAX && ms < BUSY_MS_MAX) return;
    verdict =
      cpuMs < DRAWING_MS_MAX / 2
        ? new Unavailable({ cause: "the machine is too busy to draw" })
        : new PictureRefused("complex", `it took ${Math.round(ms)} ms`);
    void decoder.kill();
  }, LOOKING_MS);
  try {
    return await decoder.next();
  } catch (error) {
    throw verdict ?? error;
  } finally {
    clearInterval(timer);
  }
}

/** What the decoder says is believed only in the shape it should have. */
function thumbnailIn({ kind, bytes }: Frame, log: Words): Buffer {
  if (kind === SAYS.thumbnail && pictureType(bytes) === "png") return bytes;
  const words = bytes.toString("utf8");
  if (kind === SAYS.refused && isRefusalReason(words)) throw new PictureRefused(words);
  // Its sender can do nothing about it, but it was this file that brought it out.
  log.error({ words }, "a picture could not be drawn and we are at fault");
  throw new PictureRefused("damaged", words);
}
