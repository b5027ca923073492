/** How pages name actions: on the button, and what leads there. */

interface ActionWords {
  readonly button: string;
  readonly isDangerous?: true;
}

export const ACTION_WORDS: Readonly<Record<string, ActionWords>> = {
  "open-account": { button: "Open account" },
  "verify-account": { button: "Verify" },
  "main-merchant": { button: "Main merchant" },
  "set-limits": { button: "Set limits" },
  "set-fees": { button: "Set fees" },
  "freeze-account": { button: "Freeze", isDangerous: true },
  "unfreeze-account": { button: "Unfreeze" },
  "reset-password": { button: "Send a reset link" },
  "end-sessions": { button: "End sessions" },
  "end-credentials": { button: "End all credentials", isDangerous: true },
  "export-customer-data": { button: "Export a customer's data" },
  "erase-customer-data": { button: "Erase a customer's data", isDangerous: true },
  "void-payment": { button: "Void", isDangerous: true },
  "refund-payment": { button: "Refund" },
  "reject-refund": { button: "Reject refund" },
  "open-chargeback": { button: "Open chargeback" },
  "settle-chargeback": { button: "Settle chargeback" },
  "confirm-fraud": { button: "Confirm fraud", isDangerous: true },
  "hold-withdrawal": { button: "Hold" },
  "release-withdrawal": { button: "Release" },
  "fail-withdrawal": { button: "Give up", isDangerous: true },
  "return-withdrawal": { button: "Mark as returned" },
  "make-bank-file": { button: "Make bank file" },
  "read-bank-status": { button: "Read the bank's answer" },
  "import-settlement": { button: "Import a report" },
  "route-gateway": { button: "Route gateway" },
  "revive-webhook": { button: "Revive" },
  approve: { button: "Approve" },
  reject: { button: "Reject" },
  "add-operator": { button: "Add operator" },
  "change-operator": { button: "Change" },
  "remove-operator": { button: "Remove", isDangerous: true },
};

/** How pages call what only shows something. */
export const PAGE_NAMES: Readonly<Record<string, string>> = {
  find: "the search",
  "show-account": "the account's page",
  "list-accounts": "the list of accounts",
  "show-payment": "the payment's page",
  "find-payments": "the list of payments",
  disputes: "the list of disputes",
  "show-withdrawal": "the withdrawal's page",
  "stuck-withdrawals": "the withdrawals queue",
  "bank-files": "the list of bank files",
  settlements: "the settlement page",
  "gateway-routes": "the health page",
  jobs: "the health page",
  audit: "the audit log",
  approvals: "the approvals",
  waiting: "the first page",
  "list-operators": "the list of operators",
  "failing-webhooks": "the list of webhooks",
  "show-webhook": "the webhook's page",
  "show-request": "the request's page",
  "former-callers": "the list of callers of 1.x",
  reconciliation: "the reconciliation",
};

/** Where a label says more than the option's name. */
export const FIELD_LABELS: Readonly<Record<string, string>> = {
  tell: "What its owner reads",
  not_paid: "The bank has not paid it and never will",
  fixed: "Fixed part",
  standard: "As the platform has it",
  email: "E-mail",
  why: "Reason",
};

export function labelFor(name: string): string {
  const plain = name.replaceAll("_", " ");
  return FIELD_LABELS[name] ?? plain.slice(0, 1).toUpperCase() + plain.slice(1);
}
