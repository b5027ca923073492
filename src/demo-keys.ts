/** The live hash key of the demo merchant, which a person who tries live payments has to know. */

import type { Config } from "./infra/config.ts";
import { openDatabase } from "./infra/db/database.ts";
import type { Log } from "./infra/log.ts";
import { findByNumber } from "./modules/accounts/account.ts";
import { paymentKeysOf, SANDBOX_ACCOUNT } from "./modules/checkout/result/payment-keys.ts";

/** Undefined where there is no demo world, or its merchant is not in it. */
export async function readDemoHashKey(
  config: Config,
  options: { databaseUrl: string; log: Log },
): Promise<string | undefined> {
  if (!config.demoWorld) return undefined;
  const { databaseUrl: url, log } = options;
  const db = openDatabase({ url, connectionsMax: 1, log });
  try {
    if ((await findByNumber(db, SANDBOX_ACCOUNT)) === undefined) return undefined;
    const owner = { accountNumber: SANDBOX_ACCOUNT, environment: "live" } as const;
    return (await paymentKeysOf(db, config, owner)).hashKey;
  } finally {
    await db.close();
  }
}
