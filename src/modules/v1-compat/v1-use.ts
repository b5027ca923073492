/**
 * Which accounts still use names of 1.x: its paths, its scopes at the sign-in (Decision 0051), and
 * the deprecated method of a payment request (Decision 0064). Collected in memory and written once
 * a second for all callers, so that no request waits for it.
 *
 * Bearer tokens count as one credential, because there is a new one twice a day; for an API key its
 * kid is stored, which shows the merchant which of its programs it is. Never a secret.
 */

import type { Infra } from "../../infra/context.ts";
import type { Database } from "../../infra/db/database.ts";
import { sql } from "../../infra/db/query.ts";
import { createFlusher } from "../../infra/jobs/flusher.ts";
import type { Log } from "../../infra/log.ts";

export interface V1CompatContext extends Infra {
  readonly v1Use: V1Use;
}

interface Use {
  readonly accountNumber: string;
  /** The kid of an API key, `NO_CREDENTIAL`, or undefined for a bearer token. */
  readonly credential: string | undefined;
  /** A method and path, a scope, or `method` and the deprecated one of a payment request. */
  readonly name: string;
}

type V1Use = ReturnType<typeof createV1Use>;

export const BEARER = "token";
/** Of a request that needs none. */
export const NO_CREDENTIAL = "none";

export function createV1Use(db: Database, log: Log) {
  let gathered = new Map<string, Use & { count: number }>();

  async function flush(): Promise<void> {
    const uses = [...gathered.values()];
    gathered = new Map();
    if (uses.length > 0) await write(db, uses);
  }

  const flusher = createFlusher(flush, (err) => log.warn({ err }, "use of 1.x was not written"));
  return {
    note(use: Use): void {
      const key = [use.accountNumber, use.credential, use.name].join("\n");
      const known = gathered.get(key);
      if (known === undefined) gathered.set(key, { ...use, count: 1 });
      else known.count += 1;
    },
    stop: flusher.stop,
  };
}

/** In one order, so that two processes that write the same rows cannot deadlock. */
function write(db: Database, uses: readonly (Use & { count: number })[]): Promise<number> {
  return db.run(sql`
    insert into former_uses (account_number, name, credential, use_count, first_at, last_at)
    select account_number, name, credential, use_count, app_now(), app_now()
    from unnest(
      ${uses.map((use) => use.accountNumber)}::text[], ${uses.map((use) => use.name)}::text[],
      ${uses.map((use) => use.credential ?? BEARER)}::text[],
      ${uses.map((use) => use.count)}::bigint[]
    ) as gathered (account_number, name, credential, use_count)
    order by account_number, name, credential
    on conflict (account_number, name, credential) do update
      set use_count = former_uses.use_count + excluded.use_count,
        -- With a clock that was set back the statement must not fail for all rows.
        last_at = greatest(former_uses.last_at, excluded.last_at)`);
}
