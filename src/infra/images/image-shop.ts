/**
 * Where uploaded pictures become thumbnails. The work is done by one child process that may be
 * killed at any moment; here is only the queue in front of it and what its end means.
 *
 * The rule that matters: no picture, whatever it is, costs the service more than handing its bytes
 * over. A picture that takes longer than three seconds is refused and its decoder killed; the next
 * one gets a new one. SVGs queue among themselves first, so that at most one of them stands between
 * an ordinary picture and its turn: only they can take long on purpose.
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
const STARTING_MS_MAX = 10 * SECOND_MS;
const WAITING_MAX = 10;
const WAITING_SVGS_MAX = 4;
/** Together with the drawing itself, less than a request may take. */
const WAIT_MS_MAX = 4 * SECOND_MS;
const WAIT_SVG_MS_MAX = 2.5 * SECOND_MS;
/** Then a fresh one, so that nothing a library leaks can grow for ever. */
const PICTURES_PER_DECODER = 500;

export interface ImageShop {
  /** A 200 by 200 PNG; throws `PictureRefused`, or `Unavailable` when there are too many. */
  toThumbnail(file: Buffer): Promise<Buffer>;
  stop(): Promise<void>;
}

export function createImageShop({ log }: { log: Pick<Log, "warn" | "error"> }): ImageShop {
  const door = createGate({ atOnce: 1, waitingMax: WAITING_MAX, waitMsMax: WAIT_MS_MAX });
  const svgDoor = createGate({
    atOnce: 1,
    waitingMax: WAITING_SVGS_MAX,
    waitMsMax: WAIT_SVG_MS_MAX,
  });
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

  async function draw(type: PictureType, file: Buffer): Promise<Buffer> {
    const one = await readyDecoder();
    drawn++;
    one.send(kindOf(type), file);
    return thumbnailIn(await within(DRAWING_MS_MAX, one).catch(asRefusal), log);
  }

  /** A decoder's end is the picture's doing, but for a kill from outside. */
  function asRefusal(error: unknown): never {
    if (!(error instanceof DecoderEnded)) throw error;
    log.warn({ err: error }, "a picture ended its decoder");
    if (error.signal === "SIGKILL") throw new Unavailable({ cause: error });
    throw new PictureRefused("complex", error);
  }

  return {
    async toThumbnail(file) {
      const type = pictureType(file);
      if (type === undefined) throw new PictureRefused("type");
      const inTurn = () => door.pass(() => draw(type, file));
      try {
        return await (type === "svg" ? svgDoor.pass(inTurn) : inTurn());
      } catch (error) {
        throw error instanceof GateIsFull ? new Unavailable({ cause: error }) : error;
      }
    },
    async stop() {
      isStopped = true;
      await decoder?.kill();
    },
  };
}

/** What the decoder says next, or its end when it says nothing in time. */
async function within(ms: number, decoder: DecoderProcess): Promise<Frame> {
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    void decoder.kill();
  }, ms);
  try {
    return await decoder.next();
  } catch (error) {
    throw isLate ? new PictureRefused("complex", `it took longer than ${ms} ms`) : error;
  } finally {
    clearTimeout(timer);
  }
}

/** What the decoder says is believed only in the shape it should have. */
function thumbnailIn({ kind, bytes }: Frame, log: Pick<Log, "error">): Buffer {
  if (kind === SAYS.thumbnail && pictureType(bytes) === "png") return bytes;
  const words = bytes.toString("utf8");
  if (kind === SAYS.refused && isRefusalReason(words)) throw new PictureRefused(words);
  // Its sender can do nothing about it, but it was this file that brought it out.
  log.error({ words }, "a picture could not be drawn and we are at fault");
  throw new PictureRefused("damaged", words);
}
