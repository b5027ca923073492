/** Ends a sign-in and everything refreshed from it (Interface §5.6, RFC 7009). */

import { type Queryable, sql } from "../../infra/db/query.ts";

export async function revokeGrant(
  db: Queryable,
  grant: { grantId: string; because: "revoked" | "reuse" },
): Promise<void> {
  await db.run(sql`
    update grants set revoked_at = app_now(), revoked_because = ${grant.because}
    where grant_id = ${grant.grantId} and revoked_at is null`);
}
