/**
 * What the three-node drill runs: the packages that docs/operations.md installs, downloaded from
 * Debian and unpacked into the drill's folder. Nothing is installed, so nothing starts by itself
 * (Decision 0113).
 *
 * PostgreSQL is the machine's own, as in the two-node drill. The archive's is unpacked beside it:
 * the nodes are upgraded to it.
 */

import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import { unpackDebianPackage } from "../../../testkit/debian-package.ts";

/** Not among Patroni's dependencies: the library for the store that patroni.yml names. */
const WITH_PATRONI = [
  ...["etcd-server", "etcd-client", "python3-etcd", "python3-psycopg2"],
  ...["haproxy", "pgbackrest"],
];
const MACHINE_HAS: Readonly<Record<string, string>> = {
  "/usr/sbin/ip": "iproute2",
  "/usr/bin/nsenter": "util-linux",
  "/usr/bin/setpriv": "util-linux",
  "/usr/sbin/mkfs.ext4": "e2fsprogs",
  "/usr/bin/openssl": "openssl",
  "/usr/bin/curl": "curl",
  "/usr/bin/python3": "python3",
  "/usr/lib/postgresql/15/bin/postgres": "postgresql-15",
  "/usr/lib/postgresql/15/bin/psql": "postgresql-client-15",
};

export const INSTALLED_BIN = "/usr/lib/postgresql/15/bin";
const DATABASE_BIN = "usr/lib/postgresql/15/bin";

export interface Packages {
  /** Where programs are looked for, and what they need to run from there. */
  readonly env: Readonly<Record<string, string>>;
  pathOf(program: "etcd" | "patroni" | "haproxy" | "pgbackrest"): string;
  /** The PostgreSQL that the archive has. */
  readonly nextBin: string;
  readonly versions: { readonly now: string; readonly next: string };
}

/** One sentence that says what to install, or nothing when the machine has what is needed. */
export function missingFromMachine(): string | undefined {
  if (process.platform !== "linux" || process.getuid?.() !== 0)
    return "The three-node drill makes network namespaces and mounts: it needs Linux and root.";
  const missing = Object.entries(MACHINE_HAS)
    .filter(([file]) => !existsSync(file))
    .map(([, name]) => name);
  if (missing.length === 0) return undefined;
  return `The three-node drill needs Debian 12: apt-get install ${[...new Set(missing)].join(" ")}`;
}

export async function unpackPackages(folder: string): Promise<Packages> {
  const root = path.join(folder, "packages");
  const next = path.join(folder, "next");
  for (const made of [root, next]) await mkdir(made);
  await unpackDebianPackage(
    { name: "patroni", others: WITH_PATRONI, program: "usr/bin/patroni" },
    { folder: root, launcher: "launch" },
  );
  await unpackDebianPackage(
    // Patroni asks pg_isready while a PostgreSQL starts, which is one of the client's programs.
    {
      name: "postgresql-15",
      others: ["postgresql-client-15"],
      program: `${DATABASE_BIN}/postgres`,
    },
    { folder: next, launcher: "launch" },
  );
  const libraries = ["x86_64-linux-gnu", "aarch64-linux-gnu"].flatMap((name) => [
    path.join(root, "usr/lib", name),
    path.join(next, "usr/lib", name),
  ]);
  const nextBin = path.join(next, DATABASE_BIN);
  return {
    env: {
      LC_ALL: "C.UTF-8",
      PATH: `${root}/usr/bin:${root}/usr/sbin:${INSTALLED_BIN}:/usr/sbin:/usr/bin:/sbin:/bin`,
      PYTHONPATH: path.join(root, "usr/lib/python3/dist-packages"),
      PYTHONDONTWRITEBYTECODE: "1",
      LD_LIBRARY_PATH: libraries.filter((one) => existsSync(one)).join(":"),
    },
    pathOf: (name) => path.join(root, name === "haproxy" ? "usr/sbin" : "usr/bin", name),
    nextBin,
    versions: { now: versionOf(INSTALLED_BIN), next: versionOf(nextBin) },
  };
}

function versionOf(bin: string): string {
  const told = execFileSync(path.join(bin, "postgres"), ["--version"], { encoding: "utf8" });
  return /\d+\.\d+/.exec(told)?.[0] ?? told.trim();
}
