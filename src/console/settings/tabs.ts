/** The pages of Settings. */

import { sectionTabs } from "../section-tabs.ts";

const tabs = sectionTabs("Settings", {
  Members: { href: "/console/settings/members", right: "members" },
  Security: { href: "/console/settings/security", right: "security" },
  Notifications: { href: "/console/settings/notifications", right: "balances" },
  "Payment keys": { href: "/console/settings/payment-keys", right: "keys", onlyBusiness: true },
});

export const { frame: inSettings, first: firstSettingsPage } = tabs;
