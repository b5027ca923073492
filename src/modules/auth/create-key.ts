/**
 * Creates an API key. It can carry only the scopes of the token that creates it, so that a narrow
 * sign-in cannot create a broad key (Decision 0012).
 */

import { recordAudit } from "../../infra/audit.ts";
import { realNow } from "../../infra/db/clock.ts";
import { sql, sqlOf } from "../../infra/db/query.ts";
import { int } from "../../infra/db/row.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { Caller } from "../../infra/http/caller.ts";
import { ScopeRefused, ServiceError } from "../../kit/errors.ts";
import { includesScope, type Scope } from "../../kit/scopes.ts";
import type { Environment } from "../../kit/vocabulary.ts";
import { KEY, KEY_COLUMNS, type KeyRow, keyDigest, newKey } from "./api-key.ts";
import type { AuthContext } from "./context.ts";
import { holdCredential } from "./hold-credential.ts";
import { demandFuture } from "./key-fields.ts";
import { expiryOf } from "./key-lifetime.ts";
import { tellOfNewKey } from "./tell-of-new-key.ts";

export const ACTIVE_KEYS_MAX = 20;

export class TooManyKeys extends ServiceError {
  constructor() {
    const most = `An account can have at most ${ACTIVE_KEYS_MAX} active API keys.`;
    super("too_many_keys", { message: `${most} Revoke one first.` });
  }
}

export interface NewKey {
  readonly environment: Environment;
  readonly name?: string | null | undefined;
  readonly scopes: readonly Scope[];
  readonly allowed_cidrs?: readonly string[] | undefined;
  readonly expires_at?: Date | null | undefined;
}

/** The row, and the key as it is shown once. */
export interface CreatedKey {
  readonly row: KeyRow;
  readonly key: string;
}

export async function createKey(
  ctx: Pick<AuthContext, "config">,
  tx: Tx,
  caller: Caller,
  input: NewKey,
): Promise<CreatedKey> {
  demandScopes(caller, input.scopes);
  await demandRoom(tx, caller.accountNumber, ACTIVE_KEYS_MAX);
  await holdCredential(tx, caller, "read");
  const asOf = await realNow(tx);
  const expires_at = expiryOf(caller, input.expires_at ?? null, asOf);
  if (expires_at !== null) demandFuture(expires_at, asOf);
  const created = await insertKey(ctx, tx, caller.accountNumber, { ...input, expires_at });
  await recordAudit(tx, caller, "key_created", { detail: { key: created.row.kid } });
  await tellOfNewKey(ctx, tx, caller, created.row);
  return created;
}

export function demandScopes(caller: Caller, wanted: readonly Scope[]): void {
  if (!wanted.every((scope) => includesScope(caller.scopes, scope)))
    throw new ScopeRefused(wanted, caller.scopes, "all");
}

export async function insertKey(
  ctx: Pick<AuthContext, "config">,
  tx: Tx,
  accountNumber: string,
  { environment, name, scopes, allowed_cidrs = [], expires_at }: NewKey,
): Promise<CreatedKey> {
  const { kid, text } = newKey(environment);
  const pepper = ctx.config.tokenPeppers.current;
  const row = await tx.one(sqlOf(KEY)`
    insert into api_keys (kid, account_number, environment, name, key_digest, pepper_id, scopes,
      allowed_cidrs, expires_at)
    values (${kid}, ${accountNumber}, ${environment}, ${name}, ${keyDigest(text, pepper)},
      ${pepper.id}, ${scopes}, ${networks(allowed_cidrs)}, ${expires_at})
    returning ${KEY_COLUMNS}`);
  return { row, key: text };
}

/** Host bits are cleared here: `10.0.0.1/8` means `10.0.0.0/8`. */
export function networks(ranges: readonly string[]) {
  return sql`array(select network(range::inet) from unnest(${ranges}::text[]) as range)::cidr[]`;
}

/** The account's row is the lock, so that two requests cannot both create the last key. */
export async function demandRoom(tx: Tx, accountNumber: string, keysMax: number): Promise<void> {
  await tx.one(sqlOf({})`
    select from accounts where account_number = ${accountNumber} for no key update`);
  const { active } = await tx.one(sqlOf({ active: int })`
    select count(*)::int as active from api_keys
    where account_number = ${accountNumber} and revoked_at is null
      and (expires_at is null or expires_at > real_now())`);
  if (active >= keysMax) throw new TooManyKeys();
}
