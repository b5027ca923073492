/** The page that an action is about: where its form came from, and where it leads. */

import type { SentForm } from "../../console/refused.ts";
import { TRANSACTION_ID, UUID } from "../../kit/ids.ts";
import type { Command } from "../../modules/operator/command.ts";
import { ACCOUNT_NUMBER } from "../../modules/operator/fields.ts";

interface Page {
  readonly name: string;
  readonly href: string;
}

const LISTS: Readonly<Record<string, Page>> = {
  "open-account": { name: "Accounts", href: "/operator/accounts" },
  "make-bank-file": { name: "Bank files", href: "/operator/bank-files" },
  "read-bank-status": { name: "Bank files", href: "/operator/bank-files" },
  "import-settlement": { name: "Settlement", href: "/operator/settlement" },
  "route-gateway": { name: "Health", href: "/operator/health" },
  approve: { name: "Approvals", href: "/operator/approvals" },
  reject: { name: "Approvals", href: "/operator/approvals" },
  "add-operator": { name: "Operators", href: "/operator/operators" },
  "change-operator": { name: "Operators", href: "/operator/operators" },
  "remove-operator": { name: "Operators", href: "/operator/operators" },
};

export function leadingPage({ name }: Pick<Command, "name">, sent: SentForm): Page {
  const { account_number, account = account_number ?? "", transaction_id = "" } = sent;
  const { webhook_id = "" } = sent;
  if (TRANSACTION_ID.test(transaction_id))
    return name.endsWith("-withdrawal")
      ? { name: "The withdrawal", href: `/operator/withdrawals/${transaction_id}` }
      : { name: "The payment", href: `/operator/payments/${transaction_id}` };
  if (ACCOUNT_NUMBER.test(account))
    return { name: "The account", href: `/operator/accounts/${account}` };
  if (UUID.test(webhook_id))
    return { name: "The webhook", href: `/operator/webhooks/${webhook_id}` };
  return LISTS[name] ?? { name: "Home", href: "/operator" };
}
