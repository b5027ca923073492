/** Changes a key without touching its secret (name, addresses, expiry), or revokes it. */

import { recordAudit } from "../../infra/audit.ts";
import { sql, sqlOf } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { Caller } from "../../infra/http/caller.ts";
import { NothingToChange, ServiceError } from "../../kit/errors.ts";
import { mayHold } from "./allowed-scopes.ts";
import { findKey, hasExpired, KEY, KEY_COLUMNS, type KeyRow } from "./api-key.ts";
import { demandScopes, networks } from "./create-key.ts";
import { holdCredential } from "./hold-credential.ts";
import { demandFuture } from "./key-fields.ts";
import { demandShortLife } from "./key-lifetime.ts";

export const NOTHING_TO_CHANGE = "Give at least one of name, allowed_cidrs and expires_at.";

interface KeyChange {
  readonly name: string | undefined;
  readonly allowed_cidrs: readonly string[] | undefined;
  readonly expires_at: Date | "never" | undefined;
}

export async function changeKey(
  tx: Tx,
  caller: Caller,
  kid: string,
  change: KeyChange,
): Promise<KeyRow> {
  const { accountNumber } = caller;
  await holdCredential(tx, caller, "read");
  const key = await findKey(tx, { kid, accountNumber }, "for update");
  // Lifting a key's limits is like creating it: the token must carry what the key carries.
  demandScopes(caller, key.scopes);
  const fields = Object.entries(change).flatMap(([field, value]) =>
    value === undefined ? [] : [field],
  );
  if (fields.length === 0) throw new NothingToChange(NOTHING_TO_CHANGE);
  const { name, allowed_cidrs: allowedCidrs, expires_at: expiresAt } = change;
  if (key.revoked_at !== null)
    throw new ServiceError(key.rotated_to === null ? "key_already_revoked" : "key_already_rotated");
  if (expiresAt !== undefined) demandMayExpireAt(key, expiresAt);
  demandShortLife(caller, expiresAt, key.now);
  const expiry = expiresAt === "never" ? null : expiresAt;
  await recordAudit(tx, caller, "key_changed", { detail: { key: kid, fields } });
  return tx.one(sqlOf(KEY)`
    update api_keys set
      name = ${name ?? key.name},
      allowed_cidrs = ${allowedCidrs === undefined ? sql`allowed_cidrs` : networks(allowedCidrs)},
      expires_at = ${expiry === undefined ? sql`expires_at` : sql`${expiry}`}
    where kid = ${key.kid}
    returning ${KEY_COLUMNS}`);
}

/** Only a key that still works, and was not rotated, can get a later expiry. */
function demandMayExpireAt(key: KeyRow, expiresAt: Date | "never"): void {
  if (expiresAt !== "never") demandFuture(expiresAt, key.now);
  if (key.expires_at === null) return;
  const isLater = expiresAt === "never" || expiresAt > key.expires_at;
  if (key.rotated_to !== null && isLater) throw new ServiceError("key_already_rotated");
  if (hasExpired(key)) throw new ServiceError("key_already_expired");
}

/**
 * Ends a key at once, on every process. Doing it again changes nothing and is no error. The token
 * must carry what the key carries, as for creating it (Decision 0074). Scopes that the account may
 * no longer hold are left out: no token has them, and the key could never be revoked.
 */
export async function revokeKey(tx: Tx, caller: Caller, kid: string): Promise<void> {
  // A sign-in that ended meanwhile stops no program; and the account before its key, as elsewhere.
  await holdCredential(tx, caller, "read");
  const key = await findKey(tx, { kid, accountNumber: caller.accountNumber }, "for update");
  demandScopes(
    caller,
    key.scopes.filter((scope) => mayHold(caller, scope)),
  );
  if (key.revoked_at !== null) return;
  await tx.run(sql`update api_keys set revoked_at = real_now() where kid = ${key.kid}`);
  await recordAudit(tx, caller, "key_revoked", { detail: { key: kid } });
}
