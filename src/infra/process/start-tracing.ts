/**
 * Loads the file that starts an OpenTelemetry SDK, the operator's choice (Decision 0131). Without
 * one nothing of an SDK is loaded.
 */

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

export class TracingNotStarted extends Error {}

/** What is to be done last: spans that were not sent yet are sent. */
export async function startTracing(
  { file, oneOf }: Config["tracing"],
  log: Pick<Log, "warn">,
): Promise<Stop> {
  if (file === undefined) return async () => {};
  const { stop } = await load(file);
  recordSpans({ oneOf });
  return async () => {
    recordNothing();
    const sending = (async () => stop())().catch((err: unknown) =>
      log.warn({ err }, "the last spans were not sent"),
    );
    await Promise.race([sending, sleep(STOP_MS_MAX)]);
  };
}

async function load(file: string): Promise<{ stop: () => Promise<unknown> }> {
  const loaded = await import(pathToFileURL(path.resolve(file)).href).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new TracingNotStarted(`TRACING: ${file} could not be loaded: ${reason}`, { cause });
  });
  if (typeof loaded.stop === "function") return loaded;
  throw new TracingNotStarted(`TRACING: ${file} does not export a function stop().`);
}
