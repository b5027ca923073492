/**
 * What every use case is handed: settings, log, database. A module that needs more (a hasher, a
 * signer, a gateway) declares its own context on top of this one; `app.ts` builds the one that fits
 * all.
 */

import type { Config } from "./config.ts";
import type { Database } from "./db/database.ts";
import type { Log } from "./log.ts";

export interface Infra {
  readonly config: Config;
  readonly log: Log;
  readonly db: Database;
}
