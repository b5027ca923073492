/** What the soak was asked for: a time, or counts that end it, and the seed of its plan. */

import { parseArgs } from "node:util";

export interface SoakOptions {
  readonly seed: number;
  /** For how long faults and traffic run. */
  readonly minutes: number;
  /** It ends earlier, when this many were acknowledged and this many processes were killed. */
  readonly operations: number | undefined;
  readonly kills: number | undefined;
  readonly clients: number;
}

const SECONDS_MAX = 24 * 3_600;
const COUNTED_MINUTES_MAX = 60;

export function readOptions(args: readonly string[]): SoakOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: { type: "string" },
      minutes: { type: "string" },
      operations: { type: "string" },
      kills: { type: "string" },
      clients: { type: "string" },
    },
  });
  const operations = whole("operations", values.operations);
  const kills = whole("kills", values.kills);
  const isCounted = operations !== undefined || kills !== undefined;
  const minutes = Number(values.minutes ?? (isCounted ? COUNTED_MINUTES_MAX : 3));
  if (!(minutes > 0 && minutes * 60 <= SECONDS_MAX))
    throw new Error("--minutes is the number of minutes that faults go on, up to a day");
  return {
    seed: whole("seed", values.seed) ?? Math.floor(Math.random() * 1e6),
    minutes,
    operations,
    kills,
    clients: whole("clients", values.clients) ?? 40,
  };
}

function whole(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text)) throw new Error(`--${name} is a whole number`);
  return Number(text);
}
