/**
 * One decoder process, started when it is first needed, and the queue in front of it. What its end
 * means for the picture that it was drawing is decided here.
 */

import { SECOND_MS } from "../../kit/clock.ts";
import { Unavailable } from "../../kit/errors.ts";
import { createSemaphore, SemaphoreFull } from "../../kit/semaphore.ts";
import type { Log } from "../log.ts";
import { DecoderEnded, type DecoderProcess } from "./decoder-process.ts";
import type { Frame } from "./decoder-protocol.ts";
import { PictureRefused } from "./picture-refused.ts";

/** By the clock, where others want the processor too. */
const BUSY_MS_MAX = 4 * SECOND_MS;
const LOOKING_MS = 50;
const STARTING_MS_MAX = 10 * SECOND_MS;
/** Then a fresh one, so that nothing a library leaks can grow for ever. */
const PICTURES_PER_DECODER = 500;

export type DecoderLog = Pick<Log, "warn" | "error">;

interface Drawing {
  readonly kind: number;
  readonly file: Buffer;
  /** The lightest goes first. */
  readonly load: number;
}

export interface DecoderLane {
  /** The decoder's answer; throws `PictureRefused`, or `Unavailable` when there are too many. */
  draw(drawing: Drawing): Promise<Frame>;
  stop(): Promise<void>;
}

interface LaneRules {
  /** What one picture may take of the processor. */
  readonly cpuMsMax: number;
  /** How many may wait for their turn, and how long. */
  readonly waitingMax: number;
  readonly waitMsMax: number;
}

export function createDecoderLane(
  log: DecoderLog,
  rules: LaneRules,
  start: () => DecoderProcess,
): DecoderLane {
  const queue = createSemaphore({ atOnce: 1, ...rules });
  let decoder: DecoderProcess | undefined;
  let ready: Promise<DecoderProcess> | undefined;
  let drawn = 0;
  let isStopped = false;

  function readyDecoder(): Promise<DecoderProcess> {
    if (isStopped) throw new Unavailable({ cause: "the decoder of pictures is stopped" });
    const isGood = decoder !== undefined && !decoder.hasEnded() && drawn < PICTURES_PER_DECODER;
    if (ready === undefined || !isGood) ready = startAnother();
    return ready;
  }

  async function startAnother(): Promise<DecoderProcess> {
    const previous = decoder;
    const fresh = start();
    decoder = fresh;
    drawn = 0;
    await previous?.kill();
    try {
      await within(STARTING_MS_MAX, fresh);
    } catch (error) {
      if (!isStopped) log.error({ err: error }, "the decoder of pictures does not start");
      throw new Unavailable({ cause: error });
    }
    return fresh;
  }

  async function drawNow({ kind, file }: Drawing): Promise<Frame> {
    const one = await readyDecoder();
    drawn++;
    one.send(kind, file);
    try {
      return await withinCpuTime(one, rules.cpuMsMax);
    } catch (error) {
      // At once, because starting takes a while: the next picture should find it ready.
      if (!isStopped) readyDecoder().catch(() => {});
      return asRefusal(error, log);
    }
  }

  return {
    async draw(drawing) {
      try {
        return await queue.pass(() => drawNow(drawing), drawing);
      } catch (error) {
        throw error instanceof SemaphoreFull ? new Unavailable({ cause: error }) : error;
      }
    },
    async stop() {
      isStopped = true;
      await decoder?.kill();
    },
  };
}

/** A decoder's end is caused by the picture, but for a kill from outside. */
function asRefusal(error: unknown, log: DecoderLog): never {
  if (!(error instanceof DecoderEnded)) throw error;
  log.warn({ err: error }, "a picture ended its decoder");
  if (error.signal === "SIGKILL") throw new Unavailable({ cause: error });
  throw new PictureRefused("complex", error);
}

/** The decoder's next frame, or its end when there is none in time. */
async function within(ms: number, decoder: DecoderProcess): Promise<Frame> {
  const timer = setTimeout(() => void decoder.kill(), ms);
  try {
    return await decoder.next();
  } finally {
    clearTimeout(timer);
  }
}

/**
 * A picture has its time of the processor. On a busy machine that takes longer by the clock, and
 * that is not the picture's fault: one that hardly had a turn after four seconds is 503.
 */
async function withinCpuTime(decoder: DecoderProcess, cpuMsMax: number): Promise<Frame> {
  const cpuBefore = decoder.cpuMs();
  const began = performance.now();
  let verdict: PictureRefused | Unavailable | undefined;
  const timer = setInterval(() => {
    const ms = performance.now() - began;
    const cpuNow = decoder.cpuMs();
    // Where the system does not say, the clock has to do.
    const cpuMs = cpuNow === undefined || cpuBefore === undefined ? ms : cpuNow - cpuBefore;
    if (cpuMs < cpuMsMax && ms < BUSY_MS_MAX) return;
    verdict =
      cpuMs < cpuMsMax / 2
        ? new Unavailable({ cause: "the machine is too busy to draw" })
        : new PictureRefused("complex", `it took ${Math.round(cpuMs)} ms of the processor`);
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
