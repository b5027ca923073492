/** The address of the embedded PostgreSQL that a running Windward has started in this folder. */

import { join } from "node:path";
import { urlOf } from "./cluster.ts";
import { readOrMakePassword } from "./password.ts";
import { readPostmasterFile } from "./postmaster-file.ts";

export async function findRunningPostgres(dataDir: string): Promise<string | undefined> {
  const file = await readPostmasterFile(join(dataDir, "postgres"));
  if (file === undefined || !file.isReady) return undefined;
  const password = await readOrMakePassword({ dataDir, hasCluster: true });
  return urlOf({ password, port: file.port });
}
