/** A yardstick: `pgbench -N`, which commits one small update and insert at a time. */

import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { lazy } from "../../src/kit/lazy.ts";
import { say } from "../../testkit/tool/say.ts";
import { createDatabase } from "./own-database.ts";

const CLIENTS = 16;
const SCALE = 10;

/** Transactions per second. */
export type Pgbench = (seconds: number) => Promise<number>;

/** In a database of its own on the same server, made when the first scene asks. */
export const openPgbench = lazy(open);

async function open(url: string): Promise<Pgbench | undefined> {
  const program = findPgbench();
  if (program === undefined) {
    say("pgbench is not measured: it is neither in PATH nor in /usr/lib/postgresql");
    return undefined;
  }
  const own = await createDatabase(url, "pgbench");
  const run = async (...args: string[]) =>
    (await promisify(execFile)(program, [...args, own.href])).stdout;
  await run("--initialize", "--quiet", "--scale", String(SCALE));
  return async (seconds) => {
    const clients = ["--client", String(CLIENTS), "--jobs", "2"];
    const how = ["--skip-some-updates", "--protocol", "prepared", "--no-vacuum"];
    const said = await run(...how, ...clients, "--time", String(seconds));
    return Number(/tps = ([\d.]+)/.exec(said)?.[1]);
  };
}

function findPgbench(): string | undefined {
  const installed = "/usr/lib/postgresql";
  const versions = existsSync(installed) ? readdirSync(installed) : [];
  const folders = [
    ...(process.env.PATH ?? "").split(path.delimiter),
    ...versions.map((version) => path.join(installed, version, "bin")),
  ];
  return folders.map((folder) => path.join(folder, "pgbench")).find((file) => existsSync(file));
}
