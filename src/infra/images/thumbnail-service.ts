/**
 * Where uploaded pictures become small ones of our own. The work is done by child processes
 * that may be killed at any moment; here is only which of them draws what.
 *
 * No picture costs the service more than handing its bytes over. SVGs have decoders of their own,
 * because only they can take long on purpose: one draws those that are sure to be quick, and weighs
 * all of them for that; the other draws the rest. An SVG that takes more than 600 ms of the
 * processor is refused and its decoder killed, which starts anew in another 400 (Decision 0021,
 * Decision 0069).
 */

import { SECOND_MS } from "../../kit/clock.ts";
import { createDecoderLane, type DecoderLog } from "./decoder-lane.ts";
import { type DecoderProcess, startDecoder } from "./decoder-process.ts";
import { FRAME_KINDS, type Frame, kindOf } from "./decoder-protocol.ts";
import { isRefusalReason, PictureRefused } from "./picture-refused.ts";
import type { PictureShape } from "./picture-size.ts";
import { pictureType } from "./picture-type.ts";

/**
 * Waits, together with the drawing itself, are less than a request may take: a heavy SVG waits
 * twice. Three seconds of the processor are what 25 million pixels may take.
 */
const RASTERS = { cpuMsMax: 3 * SECOND_MS, waitingMax: 10, waitMsMax: 4 * SECOND_MS };
const LIGHT_SVGS = { cpuMsMax: 600, waitingMax: 30, waitMsMax: 2 * SECOND_MS };
const HEAVY_SVGS = { cpuMsMax: 600, waitingMax: 10, waitMsMax: 3 * SECOND_MS };
/** Behind all whose cost is known, the smaller file first. */
const UNKNOWN_LOAD = 1e9;
/**
 * Smaller SVGs are weighed in the order they arrive: the size of a file says little about its cost,
 * and smallest first would let tiny bombs overtake. Larger ones take long to read and go last.
 */
const QUICKLY_WEIGHED_BYTES = 64 * 1024;

export interface ThumbnailService {
  /** A 200 by 200 PNG; throws `PictureRefused`, or `Unavailable` when there are too many. */
  toThumbnail(file: Buffer): Promise<Buffer>;
  /** A PNG in its own proportions, at most 480 by 160. */
  toLogo(file: Buffer): Promise<Buffer>;
  stop(): Promise<void>;
}

interface ThumbnailServiceParts {
  readonly log: DecoderLog;
  /** Tests start decoders that they can measure. */
  readonly start?: () => DecoderProcess;
}

export function createThumbnailService({
  log,
  start = startDecoder,
}: ThumbnailServiceParts): ThumbnailService {
  const rasters = createDecoderLane(log, RASTERS, start);
  const lightSvgs = createDecoderLane(log, LIGHT_SVGS, start);
  const heavySvgs = createDecoderLane(log, HEAVY_SVGS, start);

  async function drawSvg(file: Buffer, shape: PictureShape): Promise<Frame> {
    const order = { type: "svg", shape } as const;
    const weighingLoad = Math.max(file.length, QUICKLY_WEIGHED_BYTES);
    const lightKind = kindOf({ ...order, isLight: true });
    const said = await lightSvgs.draw({ kind: lightKind, file, load: weighingLoad });
    if (said.kind !== FRAME_KINDS.heavy) return said;
    const costMs = Number(said.bytes.toString("latin1"));
    const load = Number.isFinite(costMs) ? costMs : UNKNOWN_LOAD + file.length;
    return heavySvgs.draw({ kind: kindOf(order), file, load });
  }

  async function draw(file: Buffer, shape: PictureShape): Promise<Buffer> {
    const type = pictureType(file);
    if (type === undefined) throw new PictureRefused("type");
    if (type === "svg") return pictureIn(await drawSvg(file, shape), log);
    const kind = kindOf({ type, shape });
    return pictureIn(await rasters.draw({ kind, file, load: 0 }), log);
  }

  return {
    toThumbnail: (file) => draw(file, "thumbnail"),
    toLogo: (file) => draw(file, "logo"),
    async stop() {
      await Promise.all([rasters, lightSvgs, heavySvgs].map((lane) => lane.stop()));
    },
  };
}

/** The decoder's answer is believed only in the shape it should have. */
function pictureIn({ kind, bytes }: Frame, log: DecoderLog): Buffer {
  if (kind === FRAME_KINDS.picture && pictureType(bytes) === "png") return bytes;
  const words = bytes.toString("utf8");
  if (kind === FRAME_KINDS.refused && isRefusalReason(words)) throw new PictureRefused(words);
  // Its sender can do nothing about it, but it was this file that brought it out.
  log.error({ words }, "a picture could not be drawn and we are at fault");
  throw new PictureRefused("damaged", words);
}
