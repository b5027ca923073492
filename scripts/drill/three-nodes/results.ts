/** The table, kept as a file: of a whole drill beside those of the bench, of a part apart. */

import { execFileSync } from "node:child_process";
import { cp, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { arch, cpus, loadavg } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Service } from "./apps.ts";
import { APPS, BACKUP, NODES } from "./network.ts";

const PROJECT = fileURLToPath(new URL("../../..", import.meta.url));
const WHOLE = "bench/results/drill";
const PARTIAL = "bench/results/partial";

interface Results {
  readonly seed: number;
  readonly table: string;
  readonly notes: readonly string[];
  readonly complaints: readonly string[];
  readonly isWhole: boolean;
  readonly now: string;
  readonly next: string;
}

/** Gives its path in the project. */
export async function writeResults(results: Results): Promise<string> {
  const { seed, table, notes, complaints, isWhole, now, next } = results;
  const [load = 0] = loadavg();
  const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], {
    cwd: PROJECT,
    encoding: "utf8",
  });
  const machine = `${cpus().length} cores (${arch()}), load ${load.toFixed(1)} at the end`;
  const lines = [
    `# Three-node drill, seed ${seed}`,
    "",
    `Commit ${commit.trim()}; ${machine}; PostgreSQL ${now}, upgraded to ${next}.`,
    "",
    table,
    "",
    ...notes.flatMap((note) => [`- ${note}`]),
    ...(notes.length === 0 ? [] : [""]),
    complaints.length === 0 ? "Nothing is wrong." : complaints.map((one) => `- ${one}`).join("\n"),
    "",
  ];
  const folder = isWhole ? WHOLE : PARTIAL;
  await mkdir(path.join(PROJECT, folder), { recursive: true });
  const file = `${folder}/cluster-${seed}.md`;
  await writeFile(path.join(PROJECT, file), lines.join("\n"));
  return file;
}

/** What etcd, Patroni with its PostgreSQL, HAProxy and the service said. */
export async function keepLogs(
  folder: string,
  seed: number,
  service: Service | undefined,
): Promise<string> {
  const kept = `${PARTIAL}/cluster-${seed}-logs`;
  const to = path.join(PROJECT, kept);
  await rm(to, { recursive: true, force: true });
  await mkdir(to, { recursive: true });
  for (const { name, logs } of service?.apps ?? [])
    await writeFile(path.join(to, `${name}-service.log`), logs());
  for (const name of [...NODES, ...APPS, BACKUP]) {
    const own = path.join(folder, name);
    const files = await readdir(own).catch(() => []);
    for (const file of files.filter((one) => one.endsWith(".log")))
      await cp(path.join(own, file), path.join(to, `${name}-${file}`));
  }
  return kept;
}
