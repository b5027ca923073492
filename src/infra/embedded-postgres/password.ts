/**
 * The password of the embedded PostgreSQL: random, made once, readable only by the user who starts
 * Windward.
 *
 * The cluster cannot be opened without it, so it is on disk for good before initdb learns it; and
 * two starters at once must agree on one, so the first to link the file into place decides and the
 * other reads it.
 */
import { randomBytes } from "node:crypto";
import { link, open, readFile, unlink } from "node:fs/promises";
import { join } from "node:path";
import { CannotStartDatabase } from "./cannot-start-database.ts";

export async function readOrMakePassword(at: {
  dataDir: string;
  hasCluster: boolean;
}): Promise<string> {
  const path = join(at.dataDir, "postgres.password");
  const present = await readPassword(path);
  if (present) return present;
  if (at.hasCluster) {
    throw new CannotStartDatabase(
      `The file ${path} is missing, and the database beside it opens only with its content. ` +
        "Put the file back, or move the folder postgres away to begin with an empty database.",
    );
  }
  const temporary = `${path}.new-${process.pid}-${randomBytes(4).toString("hex")}`;
  const handle = await open(temporary, "wx", 0o600);
  await handle.writeFile(randomBytes(24).toString("base64url"));
  await handle.sync();
  await handle.close();
  await link(temporary, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  await unlink(temporary);
  return (await readPassword(path)) ?? "";
}

async function readPassword(path: string): Promise<string | undefined> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  return text?.trim();
}
