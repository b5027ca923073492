/**
 * A plain Debian root, of the release that the images name, and beside it the packages that other
 * images of compose.yaml are made of. Both come from Debian by mmdebstrap, once for a run; nothing
 * is installed on the machine (Decision 0113).
 */

import { execFile } from "node:child_process";
import { copyFile, cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { type DebianPackage, unpackDebianPackage } from "../debian-package.ts";
import { lazy } from "../lazy.ts";

const RELEASE = "bookworm";

/** Its own programs look for each other by name. */
const MMDEBSTRAP: DebianPackage = {
  name: "mmdebstrap",
  program: "usr/bin/mmdebstrap",
  environment: 'export PATH="$here/usr/bin:$PATH"',
};
const BESIDE = ["haproxy", "postgresql-15", "openssl"];
/** Only PostgreSQL's compiler of queries and its messages need them. */
const NOT_UNPACKED = ["libllvm", "libz3", "locales"];
/** As those of the image debian:bookworm-slim. */
const VARIANT = "minbase";
const NOT_IN_SLIM = ["usr/share/doc", "usr/share/man", "usr/share/locale", "usr/share/info"];
const FROM_THE_MACHINE = ["etc/hostname", "etc/hosts", "etc/resolv.conf"];
const MS_MAX = 600_000;

const run = promisify(execFile);

export interface Debian {
  readonly root: string;
  /** Unpacked, as a tree. */
  readonly packages: string;
}

export async function findDebian(): Promise<Debian> {
  const folder = await lazy("debian", makeDebian);
  return { root: path.join(folder, "root"), packages: path.join(folder, "packages") };
}

async function makeDebian(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "windward-debian-"));
  const [tools, root, packages] = ["tools", "root", "packages"].map((name) =>
    path.join(folder, name),
  ) as [string, string, string];
  for (const made of [tools, packages]) await mkdir(made);
  await unpackDebianPackage(MMDEBSTRAP, { folder: tools, launcher: "mmdebstrap" });
  const apt = "APT_CONFIG=$MMDEBSTRAP_APT_CONFIG apt-get --yes --no-install-recommends";
  const cache = '"$1"/var/cache/apt/archives';
  const hooks = [
    `${apt} clean && ${apt} install --download-only ${BESIDE.join(" ")}`,
    ...NOT_UNPACKED.map((name) => `rm ${cache}/${name}*.deb`),
    `for each in ${cache}/*.deb; do dpkg-deb -x "$each" ${packages} || exit 1; done`,
  ];
  const hookOptions = hooks.map((hook) => `--customize-hook=${hook}`);
  const options = [`--variant=${VARIANT}`, "--format=directory", ...hookOptions];
  try {
    await run(path.join(tools, "mmdebstrap"), [...options, RELEASE, root], { timeout: MS_MAX });
  } catch (cause) {
    const words = `A root of Debian ${RELEASE} could not be made.`;
    throw new Error(`${words} Let mmdebstrap reach deb.debian.org.`, { cause });
  }
  for (const each of NOT_IN_SLIM) await rm(path.join(root, each), { recursive: true, force: true });
  // An engine has files of its own in these places.
  for (const each of FROM_THE_MACHINE) await writeFile(path.join(root, each), "");
  await rm(tools, { recursive: true });
  return folder;
}

/** The image of Node: its program and npm in the root, where that image has them. */
export async function addNode(root: string): Promise<void> {
  const { npm_execpath: npm } = process.env;
  if (npm === undefined) throw new Error("Run tests with npm run test:one -- <file>.");
  const local = path.join(root, "usr/local");
  const modules = path.join(local, "lib/node_modules");
  await mkdir(modules, { recursive: true });
  await copyFile(process.execPath, path.join(local, "bin/node"));
  await cp(path.resolve(npm, "../.."), path.join(modules, "npm"), { recursive: true });
  await symlink("../lib/node_modules/npm/bin/npm-cli.js", path.join(local, "bin/npm"));
}
