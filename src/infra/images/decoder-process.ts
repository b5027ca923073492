/**
 * One run of the decoder (`decoder.ts`) as our child, from its start to its end.
 *
 * It gets an empty environment and, where there is a shell to set them, limits: 1 GiB of data, 32
 * open files, no file written, no core. On Linux all of them hold. macOS ignores the limit of data
 * and Windows has none of these; there the heap's limit, the bounds on what is decoded, and the
 * time remain. Of data and not of address space, because Node reserves more than 1 GiB of that for
 * itself and would not start (Decision 0021).
 */

import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import {
  createFrameReader,
  type Frame,
  PICTURE_BYTES_MAX,
  writeFrame,
} from "./decoder-protocol.ts";

const SHELL = "/bin/sh";
const LIMITS = ["-c 0", "-f 0", "-n 32", "-d 1048576"];
const NODE_FLAGS = ["--max-old-space-size=256", "--disable-proto=delete"];
const WORDS_MAX = 2_000;

/** Its end; the signal shows what ended it. */
export class DecoderEnded extends Error {
  override readonly name = "DecoderEnded";
  readonly signal: NodeJS.Signals | undefined;

  constructor(how: string, signal?: NodeJS.Signals) {
    super(how);
    this.signal = signal;
  }
}

export interface DecoderProcess {
  readonly pid: number | undefined;
  send(kind: number, bytes: Buffer): void;
  /** Its next frame; rejects with `DecoderEnded`. One call waits at a time. */
  next(): Promise<Frame>;
  hasEnded(): boolean;
  /** How long it has been working; undefined where the system does not say. */
  cpuMs(): number | undefined;
  /** Ends it at once, whatever it does, and resolves when it is gone. */
  kill(): Promise<void>;
}

export function startDecoder(): DecoderProcess {
  const child = spawnInCage();
  const takeFrames = createFrameReader(PICTURE_BYTES_MAX);
  const said: Frame[] = [];
  let waiting: PromiseWithResolvers<Frame> | undefined;
  let ended: DecoderEnded | undefined;
  let words = "";
  const gone = Promise.withResolvers<void>();

  const end = (how: string, signal?: NodeJS.Signals | null) => {
    ended ??= new DecoderEnded(`${how} ${words}`.trim(), signal ?? undefined);
    waiting?.reject(ended);
    waiting = undefined;
    gone.resolve();
  };
  child.once("error", (error) => end(error.message));
  child.once("close", (code, signal) => end(signal ?? `exit code ${code}`, signal));
  child.stdout.on("data", (chunk: Buffer) => {
    try {
      said.push(...takeFrames(chunk));
    } catch {
      // What breaks the protocol is not our program any more.
      child.kill("SIGKILL");
    }
    const [frame] = said;
    if (waiting === undefined || frame === undefined) return;
    said.shift();
    waiting.resolve(frame);
    waiting = undefined;
  });
  child.stderr.setEncoding("latin1").on("data", (text: string) => {
    words = (words + text).slice(-WORDS_MAX);
  });
  // Writing to one that has just ended; its end is reported by itself.
  child.stdin.on("error", () => {});
  // An idle decoder does not keep the process alive; while it works, a timer does.
  const pipes = [child, child.stdin, child.stdout, child.stderr] as Partial<Held>[];
  for (const pipe of pipes) pipe.unref?.();

  return {
    pid: child.pid,
    send: (kind, bytes) => writeFrame(child.stdin, kind, bytes),
    next() {
      const frame = said.shift();
      if (frame !== undefined) return Promise.resolve(frame);
      if (ended !== undefined) return Promise.reject(ended);
      waiting = Promise.withResolvers();
      return waiting.promise;
    },
    hasEnded: () => ended !== undefined,
    cpuMs: () => cpuMsOf(child.pid),
    kill() {
      if (ended === undefined) for (const pipe of pipes) pipe.ref?.();
      child.kill("SIGKILL");
      return gone.promise;
    },
  };
}

function spawnInCage() {
  const options = { cwd: "/", env: {}, stdio: "pipe", windowsHide: true } as const;
  const args = [...NODE_FLAGS, fileURLToPath(new URL("decoder.ts", import.meta.url))];
  if (!existsSync(SHELL)) return spawn(process.execPath, args, options);
  // A limit that a system does not know is passed over; the program's words stay arguments.
  const limits = LIMITS.map((limit) => `ulimit ${limit} 2>/dev/null || :`).join("; ");
  const script = `${limits}; exec "$0" "$@"`;
  return spawn(SHELL, ["-c", script, process.execPath, ...args], options);
}

interface Held {
  ref(): void;
  unref(): void;
}

/** Linux counts in hundredths of a second. */
const TICK_MS = 10;

/** Its own time and the system's for it; undefined where that is not known. */
export function cpuMsOf(pid: number | undefined): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name of a program may hold spaces; the columns that count begin after it.
    const columns = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(columns[11]) + Number(columns[12])) * TICK_MS;
  } catch {
    return undefined;
  }
}
