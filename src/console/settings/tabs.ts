/** The pages of Settings, as far as the visitor's role has them. */

import type { Right } from "../../kit/roles.ts";
import type { Visitor } from "../visitor.ts";

const TABS = {
  Members: { href: "/console/settings/members", right: "members" },
  Security: { href: "/console/settings/security", right: "security" },
  Notifications: { href: "/console/settings/notifications", right: "balances" },
  "Payment keys": { href: "/console/settings/payment-keys", right: "keys" },
} as const satisfies Readonly<Record<string, { href: string; right: Right }>>;

export type SettingsTab = keyof typeof TABS;

export function settingsTabs(visitor: Visitor, current: SettingsTab) {
  const items = visibleTabs(visitor).map(([name, { href }]) => ({
    name,
    href,
    isCurrent: name === current,
  }));
  return { label: "Settings", items };
}

/** Where "Settings" leads: the first page there is, or the person's own. */
export function firstSettingsPage(visitor: Visitor): string {
  return visibleTabs(visitor)[0]?.[1].href ?? "/console/me";
}

function visibleTabs(visitor: Visitor) {
  const isBusiness = visitor.account.accountType === "BUSINESS";
  return Object.entries(TABS).filter(
    ([name, { right }]) => visitor.mayDo(right) && (isBusiness || name !== "Payment keys"),
  );
}
