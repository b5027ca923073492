/** The pages of Developers. */

import { sectionTabs } from "../section-tabs.ts";

export const KEYS = "/console/developers/keys";
export const WEBHOOKS = "/console/developers/webhooks";
export const EVENTS = "/console/developers/events";
export const REQUESTS = "/console/developers/requests";

const tabs = sectionTabs("Developers", {
  Keys: { href: KEYS, right: "keys", onlyBusiness: true },
  Webhooks: { href: WEBHOOKS, right: "keys" },
  Events: { href: EVENTS, right: "keys" },
  Requests: { href: REQUESTS, right: "request_log" },
});

export const { frame: inDevelopers, first: firstDeveloperPage } = tabs;
