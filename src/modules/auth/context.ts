/**
 * Authentication: who is calling, with what, and what that allows (Interface §4.1, §5).
 *
 * Every protected request is decided by what the database says *after* the request began, so that a
 * revocation holds on every process once it has been answered. Nothing that can change is cached;
 * concurrent requests share one read instead.
 */

import type { MinuteThrottle } from "../../kit/minute-throttle.ts";
import type { Passwords } from "../accounts/passwords.ts";
import type { V1CompatContext } from "../v1-compat/v1-use.ts";
import type { KeyUsage } from "./key-usage.ts";
import type { SigningKeys } from "./signing-keys.ts";

export interface AuthContext extends V1CompatContext {
  readonly passwords: Passwords;
  readonly signingKeys: SigningKeys;
  readonly keyUsage: KeyUsage;
  /** Accounts that requested a scope at sign-in which they may not hold. */
  readonly scopeRefusals: MinuteThrottle;
}
