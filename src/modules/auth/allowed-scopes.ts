/**
 * Which scopes an account may hold (Decision 0010): decided by what the account is now, not by what
 * its tokens were granted. A scope that it may no longer hold stops working at once.
 */

import { areaOf, type Scope, type ScopeArea } from "../../kit/scopes.ts";
import type { AccountType } from "../../kit/vocabulary.ts";

export interface ScopeHolder {
  readonly accountType: AccountType;
  readonly isMainMerchant: boolean;
}

const PERSONAL_AREAS: readonly ScopeArea[] = ["user", "withdrawals", "transactions"];
const BUSINESS_AREAS: readonly ScopeArea[] = [...PERSONAL_AREAS, "trusted-cards", "links"];
const MAIN_MERCHANT_AREAS: readonly ScopeArea[] = [...BUSINESS_AREAS, "accounts"];

export function mayHold(holder: ScopeHolder, scope: Scope): boolean {
  return areasOf(holder).includes(areaOf(scope));
}

function areasOf(holder: ScopeHolder): readonly ScopeArea[] {
  if (holder.accountType === "PERSONAL") return PERSONAL_AREAS;
  return holder.isMainMerchant ? MAIN_MERCHANT_AREAS : BUSINESS_AREAS;
}
