/**
 * Gives a key a successor with the same name, scopes, addresses and expiry (cut to 30 days where
 * the token may not give more, Decision 0074). The old one lives on
 * for the overlap, so that no deployment has to switch in the same second; then it ends by itself.
 * Without an overlap it is revoked: its end must not depend on a clock, which may be set back
 * (Decision 0012).
 */

import { recordAudit } from "../../infra/audit.ts";
import { sql } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { Caller } from "../../infra/http/caller.ts";
import { addSeconds } from "../../kit/clock.ts";
import { findKey, type KeyRow, prefixOf } from "./api-key.ts";
import type { AuthContext } from "./context.ts";
import { ACTIVE_KEYS_MAX, demandRoom, demandScopes, insertKey } from "./create-key.ts";
import { holdCredential } from "./hold-credential.ts";
import { KeyIsExpired, KeyIsRevoked, KeyIsRotated } from "./key-is-over.ts";
import { inheritedExpiry } from "./key-lifetime.ts";

/** Each key may have a predecessor that is living out its overlap, and no more. */
const KEYS_WITH_OVERLAP_MAX = 2 * ACTIVE_KEYS_MAX;

export async function rotateKey(
  ctx: AuthContext,
  tx: Tx,
  caller: Caller,
  asked: { kid: string; overlapSeconds: number },
): Promise<{ row: KeyRow; key: string }> {
  const { accountNumber } = caller;
  const old = await findKey(tx, { kid: asked.kid, accountNumber }, "for update");
  if (old.rotated_to !== null) throw new KeyIsRotated();
  if (old.revoked_at !== null) throw new KeyIsRevoked();
  if (old.expires_at !== null && old.expires_at <= old.now) throw new KeyIsExpired();
  demandScopes(caller, old.scopes);
  await demandRoom(tx, accountNumber, KEYS_WITH_OVERLAP_MAX);
  await holdCredential(tx, caller, "read");
  const made = await insertKey(ctx, tx, accountNumber, {
    prefix: prefixOf(old.environment),
    name: old.name,
    scopes: old.scopes,
    allowedCidrs: old.allowed_cidrs,
    expiresAt: inheritedExpiry(caller, old.expires_at, old.now),
  });
  const overlapEnds = addSeconds(old.now, asked.overlapSeconds);
  await tx.run(sql`
    update api_keys set rotated_to = ${made.row.kid},
      expires_at = least(expires_at, ${overlapEnds}::timestamptz),
      revoked_at = ${asked.overlapSeconds === 0 ? old.now : null}::timestamptz
    where kid = ${old.kid}`);
  await recordAudit(tx, caller, "key_rotated", { detail: { key: old.kid, to: made.row.kid } });
  return made;
}
