/**
 * Loads the file that starts an OpenTelemetry SDK, the operator's choice (Decision 0131). Without
 * one nothing of an SDK is loaded.
 */

import { statSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { SECOND_MS } from "../../kit/clock.ts";
import { recordNothing, recordSpans } from "../../kit/trace.ts";
import type { Config } from "../config.ts";
import type { Log } from "../log.ts";
import type { Stop } from "./stop.ts";

/** A collector that is away must not keep a process from ending, nor one that refuses fail it. */
const STOP_MS_MAX = 3 * SECOND_MS;

/** Loading is not to wait for a collector either. */
const LOAD_MS_MAX = 20 * SECOND_MS;

export class TracingNotStarted extends Error {}

/** What is to be done last: spans that were not sent yet are sent. */
export async function startTracing(
  { file, oneOf }: Config["tracing"],
  log: Pick<Log, "warn">,
  loadMsMax = LOAD_MS_MAX,
): Promise<Stop> {
  if (file === undefined) return async () => {};
  const { stop } = await load(file, loadMsMax);
  recordSpans({ oneOf });
  return async () => {
    recordNothing();
    const sending = (async () => stop())().catch((err: unknown) =>
      log.warn({ err }, "the last spans were not sent"),
    );
    await Promise.race([sending, sleep(STOP_MS_MAX)]);
  };
}

async function load(file: string, msMax: number): Promise<{ stop: () => Promise<unknown> }> {
  const place = path.resolve(file);
  // A pipe would be read until somebody writes to it, and nothing else is done meanwhile.
  if (statSync(place, { throwIfNoEntry: false })?.isFile() === false)
    throw new TracingNotStarted(`TRACING: ${file} is not a file.`);
  const isLoaded = new AbortController();
  const loading = import(pathToFileURL(place).href).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new TracingNotStarted(`TRACING: ${file} could not be loaded: ${reason}`, { cause });
  });
  const late = sleep(msMax, undefined, { signal: isLoaded.signal }).then(() => {
    // Its own await never ends, or it is a program that waits for us, such as our own.
    throw new TracingNotStarted(
      `TRACING: ${file} was not loaded within ${msMax / SECOND_MS} seconds.`,
    );
  });
  late.catch(() => {});
  const loaded = await Promise.race([loading, late]).finally(() => isLoaded.abort());
  if (typeof loaded.stop === "function") return loaded;
  throw new TracingNotStarted(`TRACING: ${file} does not export a function stop().`);
}
