/**
 * Who may open which page of the console, and for which a fresh proof is asked (Decisions 0084,
 * 0085). Written out instead of read from the routes, so that a new page, or one whose access
 * changes, is a line in a diff.
 */

import type { Role } from "../src/kit/roles.ts";

const EVERYBODY = ["owner", "admin", "finance", "developer", "support", "viewer"] as const;
const BALANCES = ["owner", "admin", "finance", "developer", "viewer"] as const;
const REFUNDS = ["owner", "admin", "finance", "support"] as const;
const RECEIPTS = ["owner", "admin", "finance", "developer", "support"] as const;
const WITHDRAWALS = ["owner", "finance"] as const;
const CARDS = ["owner", "admin", "developer", "support"] as const;
const CARD_DELETION = ["owner", "admin"] as const;
const KEYS = ["owner", "admin", "developer"] as const;
const REQUESTS = ["owner", "admin", "developer", "support"] as const;
const LINKS = ["owner", "admin", "finance", "developer"] as const;
const BUSINESS = ["owner", "admin"] as const;
const MEMBERS = ["owner", "admin"] as const;
const OWNERS = ["owner"] as const;

interface Access {
  readonly roles: readonly Role[];
  readonly needsProof: boolean;
}

const pages = (roles: readonly Role[], ...names: readonly string[]) =>
  names.map((name) => [name, { roles, needsProof: false }] as const);
const proven = (roles: readonly Role[], ...names: readonly string[]) =>
  names.map((name) => [name, { roles, needsProof: true }] as const);

export const CONSOLE_ACCESS: ReadonlyMap<string, Access> = new Map<string, Access>([
  ...pages(
    EVERYBODY,
    "GET /console",
    "GET /console/live",
    "GET /console/payments",
    "GET /console/payments.csv",
    "POST /console/payments/filters",
    "POST /console/payments/filters/remove",
    "GET /console/payments/{transaction_id}",
    "GET /console/settings",
    "POST /console/sign-out",
    "POST /console/environment",
    "POST /console/account",
    "GET /console/prove",
    "POST /console/prove",
    "POST /console/prove/passkey",
    "GET /console/me",
    "POST /console/me/name",
    "POST /console/me/sessions/{session_id}/end",
    "POST /console/me/sessions/end-others",
    // Its form asks for the old password.
    "GET /console/me/password",
    "POST /console/me/password",
  ),
  ...proven(
    EVERYBODY,
    "GET /console/me/authenticator",
    "POST /console/me/authenticator",
    "POST /console/me/authenticator/remove",
    "GET /console/me/passkeys/new",
    "POST /console/me/passkeys/new",
    "GET /console/me/passkeys/{passkey_id}",
    "POST /console/me/passkeys/{passkey_id}",
    "POST /console/me/passkeys/{passkey_id}/remove",
    "GET /console/me/recovery-codes",
    "POST /console/me/recovery-codes",
  ),
  ...pages(
    REFUNDS,
    "GET /console/payments/{transaction_id}/refund",
    "POST /console/payments/{transaction_id}/refund",
  ),
  ...pages(
    RECEIPTS,
    "GET /console/payments/{transaction_id}/receipt",
    "POST /console/payments/{transaction_id}/receipt",
  ),
  ...pages(
    BALANCES,
    "GET /console/balance",
    "GET /console/balance/statement.csv",
    "GET /console/balance/statement",
    "GET /console/settings/notifications",
    "POST /console/settings/notifications",
  ),
  ...pages(
    WITHDRAWALS,
    "GET /console/withdrawals",
    "GET /console/withdrawals/{transaction_id}",
    "POST /console/withdrawals/{transaction_id}/cancel",
    "POST /console/withdrawals/{transaction_id}/simulate",
    "GET /console/withdrawals/payees/template.csv",
  ),
  ...proven(
    WITHDRAWALS,
    "GET /console/withdrawals/new",
    "POST /console/withdrawals/new",
    "GET /console/withdrawals/pay",
    "POST /console/withdrawals/pay",
    "GET /console/withdrawals/payees",
    "POST /console/withdrawals/payees",
    "GET /console/withdrawals/payees/{list_id}",
    "POST /console/withdrawals/payees/{list_id}",
    "GET /console/withdrawals/banks/local",
    "POST /console/withdrawals/banks/local",
    "GET /console/withdrawals/banks/local/remove",
    "POST /console/withdrawals/banks/local/remove",
    "GET /console/withdrawals/banks/foreign",
    "POST /console/withdrawals/banks/foreign",
    "GET /console/withdrawals/banks/foreign/remove",
    "POST /console/withdrawals/banks/foreign/remove",
  ),
  ...pages(CARDS, "GET /console/cards", "GET /console/cards/{uuid}"),
  ...pages(CARD_DELETION, "GET /console/cards/{uuid}/delete", "POST /console/cards/{uuid}/delete"),
  ...pages(
    REQUESTS,
    "GET /console/developers",
    "GET /console/developers/requests",
    "GET /console/developers/requests/{request_id}",
  ),
  ...pages(
    KEYS,
    "GET /console/developers/keys",
    "GET /console/developers/keys/{kid}",
    // Ending a key that leaked is the quickest way there is.
    "GET /console/developers/keys/{kid}/revoke",
    "POST /console/developers/keys/{kid}/revoke",
    "GET /console/developers/webhooks",
    "GET /console/developers/webhooks/{id}",
    "GET /console/developers/webhooks/{id}/change",
    "POST /console/developers/webhooks/{id}/change",
    "POST /console/developers/webhooks/{id}/status",
    "GET /console/developers/webhooks/{id}/delete",
    "POST /console/developers/webhooks/{id}/delete",
    "POST /console/developers/webhooks/{id}/test",
    "POST /console/developers/webhooks/{id}/simulate",
    "POST /console/payments/{transaction_id}/simulate",
    "GET /console/developers/webhooks/{id}/deliveries/{delivery}",
    "POST /console/developers/webhooks/{id}/deliveries/{delivery}/resend",
    "POST /console/developers/webhooks/{id}/replay",
    "GET /console/developers/events",
    "GET /console/developers/events/{sequence}",
  ),
  ...proven(
    KEYS,
    "GET /console/developers/keys/new",
    "POST /console/developers/keys/new",
    "POST /console/developers/keys/{kid}",
    "GET /console/developers/keys/{kid}/rotate",
    "POST /console/developers/keys/{kid}/rotate",
    "GET /console/developers/webhooks/new",
    "POST /console/developers/webhooks/new",
    "GET /console/developers/webhooks/{id}/rotate",
    "POST /console/developers/webhooks/{id}/rotate",
    "GET /console/settings/payment-keys",
    "GET /console/settings/payment-keys/rotate",
    "POST /console/settings/payment-keys/rotate",
    "POST /console/settings/payment-keys/rule",
  ),
  ...pages(
    LINKS,
    "GET /console/links",
    "GET /console/links/new",
    "POST /console/links/new",
    "GET /console/links/{link_id}",
    "GET /console/links/{link_id}/change",
    "POST /console/links/{link_id}/change",
    "POST /console/links/{link_id}/on",
    "POST /console/links/{link_id}/off",
  ),
  ...pages(
    BUSINESS,
    "GET /console/settings/business",
    "POST /console/settings/business",
    "POST /console/settings/business/logo",
    "POST /console/settings/business/logo/remove",
  ),
  ...pages(MEMBERS, "GET /console/settings/members", "GET /console/settings/members/{person_id}"),
  ...proven(
    MEMBERS,
    "POST /console/settings/members",
    "POST /console/settings/invitations/{invitation_id}/withdraw",
    "POST /console/settings/members/{person_id}/role",
    "GET /console/settings/members/{person_id}/remove",
    "POST /console/settings/members/{person_id}/remove",
  ),
  ...pages(OWNERS, "GET /console/settings/security"),
  ...proven(
    OWNERS,
    "POST /console/settings/members/{person_id}/limits",
    "POST /console/settings/security/api-sign-in",
    "POST /console/settings/security/close",
  ),
]);
