/**
 * How long a key may outlive the sign-in that made it (Decision 0074). A token without
 * `svc-user-all` was issued to a program or a person for one task: the keys it makes expire within
 * 30 days.
 */

import type { Caller } from "../../infra/http/caller.ts";
import { addSeconds, DAY_SECONDS } from "../../kit/clock.ts";
import { FieldRefused } from "../../kit/errors.ts";

const SHORT_LIFE_DAYS = 30;

export const EXPIRES_TOO_LATE =
  `The expires at must be within ${SHORT_LIFE_DAYS} days, ` +
  "because the token does not carry svc-user-all.";

/** The expiry of a new key: as requested, or the latest that the token may set. */
export function expiryOf(caller: Caller, requested: Date | null, now: Date): Date | null {
  demandShortLife(caller, requested ?? undefined, now);
  return requested ?? latestExpiry(caller, now) ?? null;
}

/** The expiry of a successor: that of the key before it, cut to what the token may set. */
export function inheritedExpiry(caller: Caller, old: Date | null, now: Date): Date | null {
  const latest = latestExpiry(caller, now);
  if (latest === undefined) return old;
  return old !== null && old < latest ? old : latest;
}

export function demandShortLife(
  caller: Caller,
  expiresAt: Date | "never" | undefined,
  now: Date,
): void {
  const latest = latestExpiry(caller, now);
  if (latest === undefined || expiresAt === undefined) return;
  if (expiresAt === "never" || expiresAt > latest)
    throw new FieldRefused(EXPIRES_TOO_LATE, { field: "expires_at" });
}

/** Undefined: any time, or never. */
function latestExpiry({ scopes }: Caller, now: Date): Date | undefined {
  if (scopes.has("svc-user-all")) return undefined;
  return addSeconds(now, SHORT_LIFE_DAYS * DAY_SECONDS);
}
