/** Installs what production needs on a fresh copy of the project, and measures it. */

import { cpSync, existsSync, lstatSync, readdirSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import path from "node:path";
import type { Package } from "./lock-file.ts";
import { npm } from "./npm.ts";

const FOLDERS = ["node_modules", "sdk/node_modules"];
const BLOCK_BYTES = 512;

export interface Installed {
  readonly seconds: number;
  readonly cores: number;
  /** What others did before it, as the load of the last minute. */
  readonly load: number;
  readonly npm: string;
  /** As `du` counts. */
  readonly bytes: number;
  /** Of each package that this machine got, by its place, without those that lie in it. */
  readonly sizes: ReadonlyMap<string, number>;
  /** Of what `npm ci` compiled (Decision 0060). */
  readonly compiledBytes: number;
  /** Of source maps and type declarations, which nothing loads. */
  readonly unloadedBytes: number;
}

export async function measureInstall(what: {
  readonly project: string;
  readonly files: readonly string[];
  readonly folder: string;
  readonly packages: readonly Package[];
}): Promise<Installed> {
  const copy = path.join(what.folder, "copy");
  for (const file of what.files) cpSync(path.join(what.project, file), path.join(copy, file));
  const cache = path.join(what.folder, "npm-cache");
  const [load = 0] = loadavg();
  const beganAt = performance.now();
  const { code, stderr } = await npm(["ci", "--omit=dev", "--no-audit", `--cache=${cache}`], copy);
  const seconds = (performance.now() - beganAt) / 1_000;
  if (code !== 0) throw new Error(`npm ci --omit=dev failed:\n${stderr}`);
  const places = what.packages.map(({ place }) => place);
  const there = places.filter((place) => existsSync(path.join(copy, place)));
  const everything = FOLDERS.map((folder) => path.join(copy, folder));
  return {
    seconds,
    cores: availableParallelism(),
    load,
    npm: (await npm(["--version"])).stdout.trim(),
    bytes: sum(everything.map((folder) => bytesOf(folder))),
    sizes: new Map(there.map((place) => [place, bytesOf(path.join(copy, place), isOwn)])),
    compiledBytes: bytesOf(path.join(copy, "node_modules/.cache")),
    unloadedBytes: sum(everything.map((folder) => bytesOf(folder, isUnloaded))),
  };
}

function isOwn(name: string): boolean {
  return name !== "node_modules";
}

function isUnloaded(name: string, isFolder: boolean): boolean {
  return isFolder || /\.(map|d\.[cm]?ts)$/.test(name);
}

type Choice = (name: string, isFolder: boolean) => boolean;

/** Links count as themselves: what they lead to is counted where it lies. */
function bytesOf(folder: string, isCounted: Choice = () => true): number {
  if (!existsSync(folder)) return 0;
  return sum(
    readdirSync(folder, { withFileTypes: true }).map((entry) => {
      if (!isCounted(entry.name, entry.isDirectory())) return 0;
      const place = path.join(folder, entry.name);
      if (entry.isDirectory()) return bytesOf(place, isCounted);
      return lstatSync(place).blocks * BLOCK_BYTES;
    }),
  );
}

export function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const each of numbers) total += each;
  return total;
}
