/** The pages of Developers, as far as the visitor's role and account have them. */

import type { Right } from "../../kit/roles.ts";
import type { Visitor } from "../visitor.ts";

export const KEYS = "/console/developers/keys";
export const WEBHOOKS = "/console/developers/webhooks";
export const EVENTS = "/console/developers/events";
export const REQUESTS = "/console/developers/requests";

const TABS = {
  Keys: { href: KEYS, right: "keys" },
  Webhooks: { href: WEBHOOKS, right: "keys" },
  Events: { href: EVENTS, right: "keys" },
  Requests: { href: REQUESTS, right: "request_log" },
} as const satisfies Readonly<Record<string, { href: string; right: Right }>>;

type DeveloperTab = keyof typeof TABS;

/** What every page of the section has in its frame. */
export function inDevelopers(visitor: Visitor, current: DeveloperTab) {
  const items = visibleTabs(visitor).map(([name, { href }]) => ({
    name,
    href,
    isCurrent: name === current,
  }));
  return { section: "Developers", tabs: { label: "Developers", items } } as const;
}

/** Where "Developers" leads. */
export function firstDeveloperPage(visitor: Visitor): string {
  return visibleTabs(visitor)[0]?.[1].href ?? REQUESTS;
}

function visibleTabs(visitor: Visitor) {
  const isBusiness = visitor.account.accountType === "BUSINESS";
  return Object.entries(TABS).filter(
    ([name, { right }]) => visitor.mayDo(right) && (isBusiness || name !== "Keys"),
  );
}
