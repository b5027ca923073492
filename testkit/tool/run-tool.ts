/**
 * The life of a tool that starts things: one folder for all that it makes, and one way out, which
 * leaves nothing behind: at the end, after a mistake, and after Ctrl-C or SIGTERM.
 *
 * A stop is prompt: what was started is ended in order for as long as that takes
 * little time, then by force. A second Ctrl-C goes to force at once.
 */

import { chmodSync, mkdtempSync, realpathSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { inspect } from "node:util";
import { createStopList, type Stop } from "../../src/infra/process/stop.ts";
import { sweep } from "./sweep.ts";

export interface Tool {
  /** Its own; everything that asks for a temporary place gets one in it. */
  readonly folder: string;
  /** Done at the end, the last first, however the end comes. */
  add(stop: Stop): void;
  /** Starts something that has to be ended, even when the end comes while it is starting. */
  keep<T>(start: () => Promise<T>, end: (started: T) => Promise<unknown>): Promise<T>;
}

const STOP_MS_MAX = 20_000;
/** npm hands Ctrl-C on to a process that already got it: still one request. */
const SAME_WISH_MS = 500;
const STOPPED = "the tool is being stopped";

/** Ends the process: with 0 when the work says that all is well. */
export async function runTool(name: string, work: (tool: Tool) => Promise<boolean>): Promise<void> {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), `windward-${name}-`)));
  // PostgreSQL runs as a user of its own, which has to pass here.
  chmodSync(folder, 0o711);
  process.env.TMPDIR = folder;
  const stops = createStopList();
  let isEnding = false;
  const end = async (code: number) => {
    isEnding = true;
    const stopped = stops.stopAll().then(
      () => code,
      (error: unknown) => {
        complain(error);
        return code === 0 ? 1 : code;
      },
    );
    const exitCode = await Promise.race([stopped, sleep(STOP_MS_MAX, code)]);
    sweep(folder);
    process.exit(exitCode);
  };
  const fail = (error: unknown) => {
    // What breaks from now on breaks because the ground was taken from under it.
    if (isEnding) return;
    complain(error);
    void end(1);
  };
  onSignals({
    first: (code) => void end(code),
    second: (code) => {
      sweep(folder);
      process.exit(code);
    },
  });
  process.on("uncaughtException", fail);
  const tool: Tool = {
    folder,
    add: (stop) => stops.add(stop),
    async keep(start, stop) {
      if (isEnding) throw new Error(STOPPED);
      const starting = start();
      // What does not even start is swept.
      stops.add(() =>
        starting.then(
          async (started) => void (await stop(started)),
          () => {},
        ),
      );
      const started = await starting;
      // Work that is being cut short goes no further.
      if (isEnding) throw new Error(STOPPED);
      return started;
    },
  };
  await work(tool).then((isGood) => (isEnding ? undefined : end(isGood ? 0 : 1)), fail);
}

function onSignals(wishes: Record<"first" | "second", (code: number) => void>): void {
  let firstAt: number | undefined;
  const stop = (code: number) => {
    firstAt = performance.now();
    process.stdout.write("\nstopping; tidying up\n");
    // Work that is being cut short has nothing more to say.
    process.stdout.write = () => true;
    process.stderr.write = () => true;
    wishes.first(code);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => {
      const code = 128 + constants.signals[signal];
      if (firstAt === undefined) stop(code);
      else if (performance.now() - firstAt > SAME_WISH_MS) wishes.second(code);
    });
  // npm hands SIGTERM to its shell alone, which dies without a word to us.
  if (process.env.npm_lifecycle_event === undefined) return;
  const shell = process.ppid;
  setInterval(() => {
    if (firstAt === undefined && process.ppid !== shell) stop(128 + constants.signals.SIGTERM);
  }, SAME_WISH_MS).unref();
}

function complain(error: unknown): void {
  process.stderr.write(`${inspect(error)}\n`);
}
