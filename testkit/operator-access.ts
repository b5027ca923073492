/**
 * Who may open which page of `/operator`, and who may do which action (Decision 0118). Written out
 * instead of read from the routes, so that a change of access is a line in a diff.
 */

import type { OperatorRole } from "../src/kit/operator-roles.ts";

const EVERYBODY = ["admin", "finance", "risk", "support"] as const;
const MONEY = ["admin", "finance"] as const;
const AUDIT = ["admin", "finance", "risk"] as const;
const ASSIST = ["admin", "risk", "support"] as const;
const RISK = ["admin", "risk"] as const;
const ADMINS = ["admin"] as const;

const all = (roles: readonly OperatorRole[], ...names: readonly string[]) =>
  names.map((name) => [name, roles] as const);

export const OPERATOR_ACCESS: ReadonlyMap<string, readonly OperatorRole[]> = new Map([
  ...all(
    EVERYBODY,
    "GET /operator",
    "GET /operator/accounts",
    "GET /operator/v1-callers",
    "GET /operator/payments",
    "GET /operator/accounts/{account}",
    "GET /operator/payments/{transaction_id}",
    "GET /operator/withdrawals",
    "GET /operator/withdrawals/{transaction_id}",
    "GET /operator/records/{transaction_id}",
    "GET /operator/disputes",
    "GET /operator/webhooks",
    "GET /operator/webhooks/{webhook_id}",
    "GET /operator/requests/{request_id}",
    "GET /operator/health",
    "GET /operator/approvals",
    "GET /operator/approvals/{approval_id}",
    // Which action of them, `ACTION_ACCESS` says.
    "GET /operator/actions/{command}",
    "POST /operator/actions/{command}",
    "POST /operator/sign-out",
    "GET /operator/prove",
    "POST /operator/prove",
    "GET /operator/me",
    "POST /operator/me/sessions/{session_id}/end",
    "POST /operator/me/sessions/end-others",
    "GET /operator/me/password",
    "POST /operator/me/password",
    "GET /operator/me/authenticator",
    "POST /operator/me/authenticator",
    "POST /operator/me/authenticator/remove",
    "GET /operator/me/passkeys/new",
    "POST /operator/me/passkeys/new",
    "GET /operator/me/passkeys/{passkey_id}",
    "POST /operator/me/passkeys/{passkey_id}/remove",
  ),
  ...all(
    AUDIT,
    "GET /operator/audit",
    "GET /operator/audit/export",
    "POST /operator/audit/export",
    "GET /operator/reconciliation",
  ),
  ...all(
    MONEY,
    "GET /operator/settlement",
    "GET /operator/bank-files",
    "GET /operator/bank-files/{batch}",
    "POST /operator/bank-files/{batch}",
    "GET /operator/uploads/{command}",
    "POST /operator/uploads/{command}",
  ),
  ...all(ADMINS, "GET /operator/operators"),
]);

export const ACTION_ACCESS: ReadonlyMap<string, readonly OperatorRole[]> = new Map([
  ...all(
    EVERYBODY,
    "hold-withdrawal",
    // Also to take back one's own request.
    "reject",
  ),
  ...all(ASSIST, "reset-password", "end-sessions", "revive-webhook"),
  ...all(
    RISK,
    "verify-account",
    "main-merchant",
    "set-limits",
    "freeze-account",
    "unfreeze-account",
    "end-credentials",
    "confirm-fraud",
    "export-customer-data",
    "erase-customer-data",
  ),
  ...all(AUDIT, "open-chargeback", "settle-chargeback", "approve"),
  ...all(
    MONEY,
    "set-fees",
    "void-payment",
    "refund-payment",
    "reject-refund",
    "release-withdrawal",
    "fail-withdrawal",
    "return-withdrawal",
    "make-bank-file",
    "read-bank-status",
    "import-settlement",
  ),
  ...all(
    ADMINS,
    "open-account",
    "route-gateway",
    "add-operator",
    "change-operator",
    "remove-operator",
  ),
]);

/** What no page does. */
export const TERMINAL_ONLY = [
  "rotate-signing-keys",
  "end-signing-keys",
  "reencrypt-cards",
  "retry-jobs",
];

/** What no page shows. */
export const TERMINAL_ONLY_READS = ["check-gateway", "export-payouts", "peppers", "reconcile"];

/** On which page each command is that only shows something. */
export const READ_PAGES: ReadonlyMap<string, string> = new Map([
  ["find", "/operator"],
  ["show-account", "/operator/accounts/{account}"],
  ["list-accounts", "/operator/accounts"],
  ["show-payment", "/operator/payments/{transaction_id}"],
  ["find-payments", "/operator/payments"],
  ["disputes", "/operator/disputes"],
  ["show-withdrawal", "/operator/withdrawals/{transaction_id}"],
  ["stuck-withdrawals", "/operator/withdrawals"],
  ["bank-files", "/operator/bank-files"],
  ["settlements", "/operator/settlement"],
  ["gateway-routes", "/operator/health"],
  ["jobs", "/operator/health"],
  ["audit", "/operator/audit"],
  ["approvals", "/operator/approvals"],
  ["waiting", "/operator"],
  ["waiting", "/operator"],
  ["list-operators", "/operator/operators"],
  ["failing-webhooks", "/operator/webhooks"],
  ["show-webhook", "/operator/webhooks/{webhook_id}"],
  ["show-request", "/operator/requests/{request_id}"],
  ["former-callers", "/operator/v1-callers"],
  ["reconciliation", "/operator/reconciliation"],
]);

/** Posts that carry out no command, and why. */
export const NO_COMMAND: ReadonlyMap<string, string> = new Map([
  ["POST /operator/bank-files/{batch}", "make-bank-file with a batch, as a download"],
  ["POST /operator/audit/export", "the file of what audit lists"],
  ["POST /operator/sign-out", "a session"],
  ["POST /operator/prove", "a session"],
  ["POST /operator/me/sessions/{session_id}/end", "one's own sessions"],
  ["POST /operator/me/sessions/end-others", "one's own sessions"],
  ["POST /operator/me/password", "one's own password"],
  ["POST /operator/me/authenticator", "one's own second factor"],
  ["POST /operator/me/authenticator/remove", "one's own second factor"],
  ["POST /operator/me/passkeys/new", "one's own second factor"],
  ["POST /operator/me/passkeys/{passkey_id}/remove", "one's own second factor"],
]);
