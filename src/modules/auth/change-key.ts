/** Changes what a key may be used for without touching its secret: name, addresses, expiry. */

import { recordAudit } from "../../infra/audit.ts";
import { sql, sqlOf } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { Caller } from "../../infra/http/caller.ts";
import { NothingToChange } from "../../kit/errors.ts";
import { findKey, KEY, KEY_COLUMNS, type KeyRow } from "./api-key.ts";
import { demandScopes, networks } from "./create-key.ts";
import { holdCredential } from "./hold-credential.ts";
import { demandFuture } from "./key-fields.ts";
import { KeyIsExpired, KeyIsRevoked, KeyIsRotated } from "./key-is-over.ts";
import { demandShortLife } from "./key-lifetime.ts";

export const NOTHING_TO_CHANGE = "Give at least one of name, allowed_cidrs and expires_at.";

export interface KeyChange {
  readonly name: string | undefined;
  readonly allowedCidrs: readonly string[] | undefined;
  readonly expiresAt: Date | "never" | undefined;
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
  // Lifting a key's limits is as good as making it: the token must carry what the key carries.
  demandScopes(caller, key.scopes);
  const { name, allowedCidrs, expiresAt } = change;
  if (name === undefined && allowedCidrs === undefined && expiresAt === undefined)
    throw new NothingToChange(NOTHING_TO_CHANGE);
  if (key.revoked_at !== null)
    throw key.rotated_to === null ? new KeyIsRevoked() : new KeyIsRotated();
  if (expiresAt !== undefined) demandMayExpireAt(key, expiresAt);
  demandShortLife(caller, expiresAt, key.now);
  const expiry = expiresAt === "never" ? null : expiresAt;
  const fields = Object.entries({ name, allowed_cidrs: allowedCidrs, expires_at: expiresAt })
    .filter(([, value]) => value !== undefined)
    .map(([field]) => field);
  await recordAudit(tx, caller, "key_changed", { detail: { key: kid, fields } });
  return tx.one(sqlOf(KEY)`
    update api_keys set
      name = ${name ?? key.name},
      allowed_cidrs = ${allowedCidrs === undefined ? sql`allowed_cidrs` : networks(allowedCidrs)},
      expires_at = ${expiry === undefined ? sql`expires_at` : sql`${expiry}`}
    where kid = ${key.kid}
    returning ${KEY_COLUMNS}`);
}

/** What is over stays over: only a key that still works on its own can be given more time. */
function demandMayExpireAt(key: KeyRow, expiresAt: Date | "never"): void {
  if (expiresAt !== "never") demandFuture(expiresAt, key.now);
  if (key.expires_at === null) return;
  const isLater = expiresAt === "never" || expiresAt > key.expires_at;
  if (key.rotated_to !== null && isLater) throw new KeyIsRotated();
  if (key.expires_at <= key.now) throw new KeyIsExpired();
}
