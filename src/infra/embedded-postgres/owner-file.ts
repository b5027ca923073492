/**
 * `<dataDir>/postgres.owner`: which living process owns the folder, for the moments in which its
 * PostgreSQL cannot be asked because it has crashed and is being started again. Without it a rival
 * that starts in such a moment would take the database away from a service that is running.
 *
 * A process is named by its id and the time it started, because ids are used again.
 */
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { factsOf } from "./process-facts.ts";

export async function writeOwnerFile(dataDir: string): Promise<void> {
  const startedAt = (await factsOf(process.pid))?.startedAt;
  const temporary = `${ownerFile(dataDir)}.new-${process.pid}`;
  await writeFile(temporary, JSON.stringify({ pid: process.pid, startedAt }));
  await rename(temporary, ownerFile(dataDir));
}

/** The process id of the owner if it lives and is not this process. */
export async function findLivingOwner(dataDir: string): Promise<number | undefined> {
  const { pid, startedAt } = await readOwnerFile(dataDir);
  if (pid === 0 || pid === process.pid || startedAt === "") return undefined;
  return (await factsOf(pid))?.startedAt === startedAt ? pid : undefined;
}

export async function removeOwnerFile(dataDir: string): Promise<void> {
  if ((await readOwnerFile(dataDir)).pid !== process.pid) return;
  await rm(ownerFile(dataDir), { force: true });
}

async function readOwnerFile(dataDir: string): Promise<{ pid: number; startedAt: string }> {
  try {
    const { pid, startedAt } = JSON.parse(await readFile(ownerFile(dataDir), "utf8"));
    return { pid: Number(pid), startedAt: String(startedAt) };
  } catch {
    // Missing, or half a file after a crash of the machine: then its process is dead, too.
    return { pid: 0, startedAt: "" };
  }
}

function ownerFile(dataDir: string): string {
  return join(dataDir, "postgres.owner");
}
