/** What a process of Node did meanwhile, by where its code stands: from the profile V8 made. */

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** Microseconds by the clock that V8 and `process.hrtime` share. */
interface Span {
  readonly fromUs: number;
  readonly toUs: number;
}

interface Profile {
  readonly startTime: number;
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

export function clockUs(): number {
  return Number(process.hrtime.bigint() / 1_000n);
}

export function profileFlags(folder: string): string[] {
  return ["--cpu-prof", `--cpu-prof-dir=${folder}`, "--cpu-prof-interval=500"];
}

/** Of the process with this id, which has ended; without its idle time, the most first. */
export function readProfile(folder: string, pid: number, span: Span): Map<string, number> {
  const name = readdirSync(folder).find((file) => file.split(".")[3] === String(pid)) ?? "";
  const profile: Profile = JSON.parse(readFileSync(path.join(folder, name), "utf8"));
  const places = new Map(profile.nodes.map(({ id, callFrame }) => [id, placeOf(callFrame)]));
  const times = new Map<string, number>();
  let at = profile.startTime;
  for (const [sample, delta] of profile.timeDeltas.entries()) {
    at += delta;
    if (at < span.fromUs || at > span.toUs) continue;
    const place = places.get(profile.samples[sample] ?? 0) ?? "(program)";
    times.set(place, (times.get(place) ?? 0) + delta);
  }
  times.delete("(idle)");
  return new Map([...times].toSorted(([, a], [, b]) => b - a));
}

const NATIVE: Readonly<Record<string, string>> = {
  "(program)": "native code and system calls",
  "(garbage collector)": "garbage collection",
};

/** A package, a folder of ours, a module of Node, or a function that is built in. */
function placeOf({ functionName, url }: Profile["nodes"][number]["callFrame"]): string {
  const [, dependency] = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? [];
  if (dependency !== undefined) return dependency;
  const [, ours] = /\/(src\/.*)\/[^/]+$/.exec(url) ?? [];
  if (ours !== undefined) return ours;
  if (functionName.startsWith("RegExp: ")) return "regular expressions";
  if (url.startsWith("node:")) return url.split("/")[0] === "node:internal" ? inner(url) : url;
  return (
    NATIVE[functionName] ?? (functionName.startsWith("(") ? functionName : `${functionName}()`)
  );
}

/** `node:internal/streams/writable` is `node:internal/streams`. */
function inner(url: string): string {
  return url.split("/").slice(0, 2).join("/");
}
