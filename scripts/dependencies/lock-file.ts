/** What package-lock.json says, and what follows from it. A place is the folder of a package. */

import { readFileSync } from "node:fs";
import path from "node:path";

const WORKSPACES = ["", "sdk"];
const FOLDER = "node_modules/";

interface Locked {
  readonly version?: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly link?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly hasInstallScript?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

export type Lock = Readonly<Record<string, Locked>>;

export interface Direct {
  readonly name: string;
  readonly place: string;
  readonly version: string;
  /** As package.json asks for it. */
  readonly range: string;
}

export function readLock(project: string): Lock {
  return JSON.parse(readFileSync(path.join(project, "package-lock.json"), "utf8")).packages;
}

/** Of the project and of its workspace. */
export function directOf(lock: Lock, field: "dependencies" | "devDependencies"): Direct[] {
  return WORKSPACES.flatMap((workspace) =>
    Object.entries(lock[workspace]?.[field] ?? {}).map(([name, range]) => {
      const place = placeOf(lock, workspace, name);
      const version = place === undefined ? undefined : lock[place]?.version;
      if (place === undefined || version === undefined)
        throw new Error(`package-lock.json has no ${name}; npm install writes it`);
      return { name, place, version, range };
    }),
  );
}

/** Where Node finds a package from a place: beside it, or beside what it lies in. */
function placeOf(lock: Lock, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(folder.lastIndexOf("/"), 0))) {
    const place = path.posix.join(folder, FOLDER, name);
    if (lock[place] !== undefined) return place;
    if (folder === "") return undefined;
  }
}

/** The places of these and of all that they need. */
function closure(lock: Lock, places: Iterable<string>): Set<string> {
  const found = new Set<string>();
  const add = (place: string): void => {
    if (found.has(place)) return;
    found.add(place);
    const { dependencies, optionalDependencies, peerDependencies } = lock[place] ?? {};
    for (const name of Object.keys({
      ...dependencies,
      ...optionalDependencies,
      ...peerDependencies,
    })) {
      const needed = placeOf(lock, place, name);
      if (needed !== undefined) add(needed);
    }
  };
  for (const place of places) add(place);
  return found;
}

/** What would be gone without one of them: itself, and what nothing else needs. */
export function broughtBy(lock: Lock, one: Direct, all: readonly Direct[]): Set<string> {
  const others = all.filter(({ place }) => place !== one.place).map(({ place }) => place);
  const left = closure(lock, others);
  return new Set([...closure(lock, [one.place])].filter((place) => !left.has(place)));
}

export interface Package extends Locked {
  readonly place: string;
  readonly name: string;
  readonly version: string;
}

/** What `npm ci --omit=dev` installs, with the programs of every platform. */
export function productionPackages(lock: Lock): Package[] {
  return Object.entries(lock).flatMap(([place, locked]) => {
    const at = place.lastIndexOf(FOLDER);
    const { version, dev, link } = locked;
    if (at < 0 || dev || link || version === undefined) return [];
    return [{ ...locked, place, name: place.slice(at + FOLDER.length), version }];
  });
}

/** Packages of which there are two versions or more. */
export function duplicates(packages: readonly Package[]): { name: string; versions: string[] }[] {
  return [...Map.groupBy(packages, ({ name }) => name)]
    .map(([name, each]) => ({ name, versions: [...new Set(each.map(({ version }) => version))] }))
    .filter(({ versions }) => versions.length > 1);
}
