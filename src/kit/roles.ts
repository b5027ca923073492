/**
 * What a member of an account may do in the console, by role, and which scopes an API key may carry
 * that such a member makes (Decision 0084). Pure data, so that pages, guards and the access test
 * read one table.
 */

import type { Scope } from "./scopes.ts";
import type { Environment } from "./vocabulary.ts";

/** From the most to the least powerful; a member invites only roles behind its own. */
export const ROLES = ["owner", "admin", "finance", "developer", "support", "viewer"] as const;

export type Role = (typeof ROLES)[number];

const MEMBERS_BY_RIGHT = {
  /** Its own name, password, second factors and sessions. */
  self: ROLES,
  /** Home, balances, statements. */
  balances: ["owner", "admin", "finance", "developer", "viewer"],
  payments: ROLES,
  /** For support up to a limit per payment, which the owner sets. */
  refunds: ["owner", "admin", "finance", "support"],
  receipts: ["owner", "admin", "finance", "developer", "support"],
  /** Withdrawals and bank details. */
  withdrawals: ["owner", "finance"],
  links: ["owner", "admin", "finance", "developer"],
  cards: ["owner", "admin", "developer", "support"],
  card_deletion: ["owner", "admin"],
  /** Keys, payment keys, webhooks and events. */
  keys: ["owner", "admin", "developer"],
  request_log: ["owner", "admin", "developer", "support"],
  /** What customers see: names, contact, colour, logo. */
  business: ["owner", "admin"],
  members: ["owner", "admin"],
  /** How much support may refund. */
  refund_limits: ["owner"],
  /** What sign-ins to the API need, and closing the account. */
  security: ["owner"],
} as const satisfies Readonly<Record<string, readonly Role[]>>;

export type Right = keyof typeof MEMBERS_BY_RIGHT;

export function mayDo(role: Role, right: Right): boolean {
  const members: readonly Role[] = MEMBERS_BY_RIGHT[right];
  return members.includes(role);
}

/** Nobody invites, changes or removes an equal, except owners. */
export function mayManage(manager: Role, other: Role): boolean {
  if (manager === "owner") return true;
  return mayDo(manager, "members") && ROLES.indexOf(manager) < ROLES.indexOf(other);
}

/** Those of `account`, as far as the role has them. */
export function scopesOfRole(
  role: Role,
  environment: Environment,
  account: readonly Scope[],
): readonly Scope[] {
  if (role === "owner" || role === "admin") return account;
  if (role === "developer" && environment === "sandbox") return account;
  const named = NAMED_SCOPES[role] ?? [];
  return account.filter((scope) => named.includes(scope));
}

const NAMED_SCOPES: Partial<Readonly<Record<Role, readonly Scope[]>>> = {
  finance: ["svc-transactions-all", "svc-withdrawals-all", "svc-user-retrieve", "svc-links-all"],
  developer: [
    "svc-user-retrieve",
    "svc-transactions-retrieve",
    "svc-transactions-get-fees",
    "svc-trusted-cards-all",
    "svc-links-all",
  ],
};
