/** The address of the embedded PostgreSQL that a running Windward has started in this folder. */

import { join } from "node:path";
import { urlOf } from "./cluster.ts";
import { readOrMakePassword } from "./password.ts";
import { readPostmasterFile } from "./postmaster-file.ts";
import { servesCluster } from "./process-facts.ts";

export async function findRunningPostgres(dataDir: string): Promise<string | undefined> {
  const folder = join(dataDir, "postgres");
  const file = await readPostmasterFile(folder);
  if (file === undefined || !file.isReady) return undefined;
  if (!(await servesCluster({ pid: file.pid, folder }))) return undefined;
  const password = await readOrMakePassword({ dataDir, hasCluster: true });
  return urlOf({ password, port: file.port });
}
