/** API keys in words: their state, their scopes, what the visitor may do to them. */

import { type Html, html } from "../../kit/html.ts";
import { includesScope, type Scope, type ScopeArea } from "../../kit/scopes.ts";
import { mayHold } from "../../modules/auth/allowed-scopes.ts";
import { type KeyRow, viewKey } from "../../modules/auth/api-key.ts";
import { badge } from "../../parts/badge.ts";
import type { Visitor } from "../visitor.ts";

export function keyBadge(key: KeyRow): Html {
  const { status, rotated_to: successor } = viewKey(key);
  if (status === "revoked") return badge("bad", "Revoked");
  if (status === "expired") return badge("plain", successor === null ? "Expired" : "Replaced");
  return successor === null ? badge("good", "Active") : badge("warn", "Being replaced");
}

export function keyName({ name, kid }: KeyRow): string {
  return name ?? kid;
}

/** As much of the key as may be shown. */
export function keyStart({ environment, kid }: KeyRow): string {
  return `svc_${environment === "live" ? "live" : "test"}_${kid}_…`;
}

export function rangesHtml({ allowed_cidrs: ranges }: KeyRow): Html {
  if (ranges.length === 0) return html`Any`;
  return html`${ranges.map((range) => html`<code>${range}</code> `)}`;
}

/** Rotating or widening a key is like making it: the role must carry what the key carries. */
export function mayChangeKey({ caller }: Visitor, { scopes, revoked_at }: KeyRow): boolean {
  return revoked_at === null && scopes.every((scope) => includesScope(caller.scopes, scope));
}

/** Also with scopes that the account lost since. */
export function mayRevokeKey(visitor: Visitor, key: KeyRow): boolean {
  const scopes = key.scopes.filter((scope) => mayHold(visitor.caller, scope));
  return mayChangeKey(visitor, { ...key, scopes });
}

/** What a key is usually for, by the word in the address of its form. */
export const KEY_PRESETS: Readonly<Record<string, { text: string; scopes: readonly Scope[] }>> = {
  shop: {
    text: "For a shop",
    scopes: [
      "svc-transactions-retrieve",
      "svc-transactions-get-fees",
      "svc-transactions-refund-request",
      "svc-user-retrieve",
    ],
  },
  reading: {
    text: "To read only",
    scopes: [
      "svc-links-retrieve",
      "svc-transactions-retrieve",
      "svc-trusted-cards-retrieve",
      "svc-user-retrieve",
    ],
  },
};

export const AREA_WORDS: Readonly<Record<ScopeArea, string>> = {
  accounts: "Sub-accounts",
  links: "Payment links",
  transactions: "Payments",
  "trusted-cards": "Trusted cards",
  user: "Profile, bank details, webhooks and events",
  withdrawals: "Withdrawals",
};

export const SCOPE_WORDS: Readonly<Record<Scope, string>> = {
  "svc-accounts-all": "All of these",
  "svc-accounts-create": "Open them",
  "svc-accounts-delete": "Close them",
  "svc-accounts-retrieve": "Read them",
  "svc-accounts-update": "Change them",
  "svc-links-all": "All of these",
  "svc-links-create": "Make a link",
  "svc-links-retrieve": "Read links",
  "svc-links-update": "Change a link",
  "svc-transactions-all": "All of these",
  "svc-transactions-retrieve": "Read payments and their state",
  "svc-transactions-get-fees": "Ask what a payment would cost",
  "svc-transactions-refund-request": "Refund",
  "svc-trusted-cards-all": "All of these",
  "svc-trusted-cards-charge-request": "Charge a saved card",
  "svc-trusted-cards-create": "Save a card",
  "svc-trusted-cards-delete": "Delete a card",
  "svc-trusted-cards-retrieve": "Read saved cards",
  "svc-trusted-cards-verify": "Verify a card",
  "svc-user-all": "All of these",
  "svc-user-create": "Add bank details and webhooks",
  "svc-user-delete": "Remove bank details and webhooks",
  "svc-user-retrieve": "Read the profile, webhooks, events and requests",
  "svc-user-update": "Change the profile, bank details and webhooks",
  "svc-withdrawals-all": "All of these",
  "svc-withdrawals-create": "Withdraw",
  "svc-withdrawals-delete": "Cancel a withdrawal",
  "svc-withdrawals-retrieve": "Read withdrawals",
};
