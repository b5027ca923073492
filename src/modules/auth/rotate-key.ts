/**
 * Creates a successor of a key, with the same name, scopes, addresses and expiry (cut to 30 days
 * where the token may not set more, Decision 0074). The old key works for the overlap, so that no
 * deployment has to switch in the same second, and then expires. Without an overlap it is revoked:
 * its end must not depend on a clock, which may be set back (Decision 0012).
 */

import { recordAudit } from "../../infra/audit.ts";
import { sql } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { Caller } from "../../infra/http/caller.ts";
import { addSeconds } from "../../kit/clock.ts";
import { ServiceError } from "../../kit/errors.ts";
import { findKey, hasExpired } from "./api-key.ts";
import type { AuthContext } from "./context.ts";
import {
  ACTIVE_KEYS_MAX,
  type CreatedKey,
  demandRoom,
  demandScopes,
  insertKey,
} from "./create-key.ts";
import { holdCredential } from "./hold-credential.ts";
import { inheritedExpiry } from "./key-lifetime.ts";
import { tellOfNewKey } from "./tell-of-new-key.ts";

/** Each key may have one predecessor in its overlap. */
const KEYS_WITH_OVERLAP_MAX = 2 * ACTIVE_KEYS_MAX;

export async function rotateKey(
  ctx: Pick<AuthContext, "config">,
  tx: Tx,
  caller: Caller,
  { kid, overlapSeconds }: { kid: string; overlapSeconds: number },
): Promise<CreatedKey> {
  const { accountNumber } = caller;
  // The account before its key: what ends all keys of an account locks them in this order too. As
  // strongly as counting the keys needs it.
  await holdCredential(tx, caller, "write");
  const old = await findKey(tx, { kid, accountNumber }, "for update");
  if (old.rotated_to !== null) throw new ServiceError("key_already_rotated");
  if (old.revoked_at !== null) throw new ServiceError("key_already_revoked");
  if (hasExpired(old)) throw new ServiceError("key_already_expired");
  demandScopes(caller, old.scopes);
  await demandRoom(tx, accountNumber, KEYS_WITH_OVERLAP_MAX);
  const successor = await insertKey(ctx, tx, accountNumber, {
    ...old,
    expires_at: inheritedExpiry(caller, old.expires_at, old.now),
  });
  const overlapEnds = addSeconds(old.now, overlapSeconds);
  await tx.run(sql`
    update api_keys set rotated_to = ${successor.row.kid},
      expires_at = least(expires_at, ${overlapEnds}::timestamptz),
      revoked_at = ${overlapSeconds === 0 ? old.now : null}::timestamptz
    where kid = ${old.kid}`);
  await recordAudit(tx, caller, "key_rotated", { detail: { key: old.kid, to: successor.row.kid } });
  await tellOfNewKey(ctx, tx, caller, successor.row);
  return successor;
}
