/**
 * When keys were last used, collected in memory and written once a second for all of them: a row
 * updated with every request would make the requests of a key wait for each other.
 */

import type { Database } from "../../infra/db/database.ts";
import { sql } from "../../infra/db/query.ts";
import { createFlusher } from "../../infra/jobs/flusher.ts";
import type { Log } from "../../infra/log.ts";

export type KeyUsage = ReturnType<typeof createKeyUsage>;

export function createKeyUsage(db: Database, log: Log) {
  const used = new Set<string>();

  async function flush(): Promise<void> {
    if (used.size === 0) return;
    const kids = [...used];
    used.clear();
    await db.run(sql`
      update api_keys set last_used_at = real_now()
      where kid in (
        select kid from api_keys
        where kid = any(${kids})
          and (last_used_at is null or last_used_at < real_now() - interval '1 minute')
        order by kid for no key update skip locked)`);
  }

  const flusher = createFlusher(flush, (err) => log.warn({ err }, "use of keys was not written"));
  return { note: (kid: string) => void used.add(kid), stop: () => flusher.stop() };
}
