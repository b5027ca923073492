/** The lists: each is a read command of the terminal, with its filters and actions. */

import type { HtmlValue } from "../kit/html.ts";
import type { OperatorRight } from "../kit/operator-roles.ts";
import { listAccounts } from "../modules/operator/accounts/list-accounts.ts";
import { v1Callers } from "../modules/operator/accounts/v1-callers.ts";
import { audit } from "../modules/operator/audit.ts";
import type { Command } from "../modules/operator/command.ts";
import { listOperators } from "../modules/operator/operators/list-operators.ts";
import { disputes } from "../modules/operator/payments/disputes.ts";
import { findPayments } from "../modules/operator/payments/find-payments.ts";
import { reconciliation } from "../modules/operator/reconciliation.ts";
import { settlements } from "../modules/operator/settlement/settlements.ts";
import { failingWebhooks } from "../modules/operator/webhooks/failing-webhooks.ts";
import { stuckWithdrawals } from "../modules/operator/withdrawals/stuck-withdrawals.ts";
import { linkButton } from "../parts/form.ts";
import type { OperatorSection } from "./page.ts";
import type { OperatorVisitor } from "./visitor.ts";

export interface ListPage {
  readonly path: string;
  readonly title: string;
  readonly section: OperatorSection;
  readonly tab?: string;
  readonly right: OperatorRight;
  readonly command: Command;
  /** What the command is given where no filter says otherwise. */
  readonly preset?: Readonly<Record<string, string>>;
  readonly actions?: readonly string[];
  beside?(visitor: OperatorVisitor, url: string): HtmlValue;
}

/** Its export is refused on the same page. */
export const AUDIT_LIST: ListPage = {
  path: "/operator/audit",
  title: "Audit log",
  section: "System",
  tab: "Audit log",
  right: "audit",
  command: audit,
  beside: (_visitor, url) =>
    linkButton({ text: "Export CSV", href: `/operator/audit/export${new URL(url).search}` }),
};

export const LISTS: readonly ListPage[] = [
  {
    path: "/operator/accounts",
    title: "Accounts",
    section: "Accounts",
    tab: "All accounts",
    right: "look",
    command: listAccounts,
    actions: ["open-account"],
  },
  {
    path: "/operator/v1-callers",
    title: "Callers of 1.x",
    section: "Accounts",
    tab: "Callers of 1.x",
    right: "look",
    command: v1Callers,
  },
  {
    path: "/operator/payments",
    title: "Payments",
    section: "Home",
    tab: "Payments",
    right: "look",
    command: findPayments,
  },
  {
    path: "/operator/withdrawals",
    title: "Withdrawals",
    section: "Withdrawals",
    tab: "Queue",
    right: "look",
    command: stuckWithdrawals,
    preset: { hours: "0" },
  },
  {
    path: "/operator/disputes",
    title: "Disputes",
    section: "Disputes",
    right: "look",
    command: disputes,
  },
  {
    path: "/operator/webhooks",
    title: "Failing webhooks",
    section: "Webhooks",
    right: "look",
    command: failingWebhooks,
  },
  {
    path: "/operator/reconciliation",
    title: "Reconciliation",
    section: "System",
    tab: "Reconciliation",
    right: "audit",
    command: reconciliation,
  },
  {
    path: "/operator/settlement",
    title: "Settlement",
    section: "System",
    tab: "Settlement",
    right: "money",
    command: settlements,
    actions: ["import-settlement"],
  },
  AUDIT_LIST,
  {
    path: "/operator/operators",
    title: "Operators",
    section: "System",
    tab: "Operators",
    right: "manage",
    command: listOperators,
    actions: ["add-operator", "change-operator", "remove-operator"],
  },
];
