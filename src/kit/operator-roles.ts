/**
 * What people of the operator may do at `/operator`, by role (Decision 0118). Pure data, like
 * `roles.ts`: pages, commands, guards and the access test read one table.
 */

export const OPERATOR_ROLES = ["admin", "finance", "risk", "support"] as const;

export type OperatorRole = (typeof OPERATOR_ROLES)[number];

const ROLES_BY_RIGHT = {
  /** Their own password, second factors and sessions. */
  self: OPERATOR_ROLES,
  /** The search, and every page that only shows. */
  look: OPERATOR_ROLES,
  /** Helping somebody back in, ending sign-ins, trying a webhook again. */
  assist: ["admin", "risk", "support"],
  /** Stopping a withdrawal until somebody has looked at it. */
  hold: ["admin", "finance", "risk", "support"],
  /** Who is behind an account, whether it may act, and misused cards. */
  risk: ["admin", "risk"],
  /** Refunds, withdrawals, bank files and what the acquirer settles. */
  money: ["admin", "finance"],
  /** What a card's bank wants back. */
  disputes: ["admin", "finance", "risk"],
  /** The whole audit log, and the books. */
  audit: ["admin", "finance", "risk"],
  /** Other operators, new accounts, gateways and keys. */
  manage: ["admin"],
} as const satisfies Readonly<Record<string, readonly OperatorRole[]>>;

export type OperatorRight = keyof typeof ROLES_BY_RIGHT;

export function rolesWith(right: OperatorRight): readonly OperatorRole[] {
  return ROLES_BY_RIGHT[right];
}

export function operatorMay(role: OperatorRole, right: OperatorRight): boolean {
  return rolesWith(right).includes(role);
}
