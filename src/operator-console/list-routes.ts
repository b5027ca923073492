/** The lists: each is a read command of the terminal, with its filters and actions. */

import { csvFile } from "../console/csv-file.ts";
import type { Answer } from "../infra/http/answer.ts";
import { csvLine } from "../kit/csv.ts";
import type { HtmlValue } from "../kit/html.ts";
import type { OperatorRight } from "../kit/operator-roles.ts";
import { listAccounts } from "../modules/operator/accounts/list-accounts.ts";
import { audit } from "../modules/operator/audit.ts";
import type { Command } from "../modules/operator/command.ts";
import { gatewayRoutes } from "../modules/operator/gateway/gateway-routes.ts";
import { jobs } from "../modules/operator/jobs.ts";
import { listOperators } from "../modules/operator/operators/list-operators.ts";
import { disputes } from "../modules/operator/payments/disputes.ts";
import { reconcile } from "../modules/operator/reconcile.ts";
import type { Block } from "../modules/operator/render.ts";
import { settlements } from "../modules/operator/settlement/settlements.ts";
import { failingWebhooks } from "../modules/operator/webhooks/failing-webhooks.ts";
import { stuckWithdrawals } from "../modules/operator/withdrawals/stuck-withdrawals.ts";
import { buttonRow, linkButton } from "../parts/form.ts";
import { actionLinks } from "./actions/action-links.ts";
import { readReport } from "./actions/run-command.ts";
import { blocksOf } from "./blocks.ts";
import { filterForm, filtersOf } from "./filters.ts";
import { type OperatorRoute, operatorRoute } from "./operator-route.ts";
import { type OperatorSection, operatorPage } from "./page.ts";
import type { OperatorVisitor } from "./visitor.ts";

interface ListPage {
  readonly path: string;
  readonly title: string;
  readonly section: OperatorSection;
  readonly tab?: string;
  readonly right: OperatorRight;
  readonly commands: readonly Command[];
  /** What the first command is given where no filter says otherwise. */
  readonly preset?: Readonly<Record<string, string>>;
  readonly actions?: readonly string[];
  beside?(visitor: OperatorVisitor, url: string): HtmlValue;
}

const LISTS: readonly ListPage[] = [
  {
    path: "/operator/accounts",
    title: "Accounts",
    section: "Accounts",
    right: "look",
    commands: [listAccounts],
    actions: ["open-account"],
  },
  {
    path: "/operator/withdrawals",
    title: "Withdrawals",
    section: "Withdrawals",
    tab: "Queue",
    right: "look",
    commands: [stuckWithdrawals],
    preset: { hours: "0" },
  },
  {
    path: "/operator/disputes",
    title: "Disputes",
    section: "Disputes",
    right: "look",
    commands: [disputes],
  },
  {
    path: "/operator/webhooks",
    title: "Failing webhooks",
    section: "Webhooks",
    right: "look",
    commands: [failingWebhooks],
  },
  {
    path: "/operator/reconciliation",
    title: "Reconciliation",
    section: "System",
    tab: "Reconciliation",
    right: "audit",
    commands: [reconcile],
  },
  {
    path: "/operator/settlement",
    title: "Settlement",
    section: "System",
    tab: "Settlement",
    right: "money",
    commands: [settlements],
    actions: ["import-settlement"],
  },
  {
    path: "/operator/audit",
    title: "Audit log",
    section: "System",
    tab: "Audit log",
    right: "audit",
    commands: [audit],
    beside: (_visitor, url) =>
      linkButton({ text: "Export CSV", href: `/operator/audit.csv${new URL(url).search}` }),
  },
  {
    path: "/operator/operators",
    title: "Operators",
    section: "System",
    tab: "Operators",
    right: "manage",
    commands: [listOperators],
    actions: ["add-operator", "change-operator", "remove-operator"],
  },
];

function listRoute(list: ListPage): OperatorRoute {
  return operatorRoute({
    method: "GET",
    path: list.path,
    summary: list.title,
    right: list.right,
    async run(ctx, { url }, visitor): Promise<Answer> {
      const [first] = list.commands;
      const typed = first === undefined ? {} : filtersOf(first, url, list.preset);
      const reports = [];
      for (const command of list.commands)
        reports.push(await readReport(ctx, visitor, command, command === first ? typed : {}));
      return operatorPage(visitor, {
        title: list.title,
        section: list.section,
        ...(list.tab === undefined ? {} : { tab: list.tab }),
        beside: list.beside?.(visitor, url),
        content: [
          list.actions && buttonRow(actionLinks(visitor, list.actions)),
          first && filterForm(first, { action: list.path, typed, preset: list.preset }),
          reports.map(blocksOf),
        ],
      });
    },
  });
}

const health = operatorRoute({
  method: "GET",
  path: "/operator/health",
  summary: "Gateways and background work",
  right: "look",
  async run(ctx, _call, visitor): Promise<Answer> {
    const { gateways } = ctx;
    const state = (environment: "live" | "sandbox") => gateways[environment]?.state() ?? "none";
    const states: Block = {
      kind: "facts",
      rows: [
        ["Live gateway", state("live")],
        ["Sandbox gateway", state("sandbox")],
      ],
    };
    return operatorPage(visitor, {
      title: "Health",
      section: "System",
      tab: "Health",
      content: [
        buttonRow(actionLinks(visitor, ["route-gateway"])),
        blocksOf({ data: {}, text: "", blocks: [states] }),
        blocksOf(await readReport(ctx, visitor, jobs)),
        blocksOf(await readReport(ctx, visitor, gatewayRoutes)),
      ],
    });
  },
});

const AUDIT_COLUMNS = ["entry_id", "happened_at", "account_number", "actor", "action", "detail"];

/** As many as the page shows at most; fewer where the address says so, as the page does. */
const EXPORT_MAX = "1000";

const auditCsv = operatorRoute({
  method: "GET",
  path: "/operator/audit.csv",
  summary: "The audit log as CSV",
  right: "audit",
  async run(ctx, { url }, visitor): Promise<Answer> {
    const typed = { limit: EXPORT_MAX, ...filtersOf(audit, url) };
    const { data } = await readReport(ctx, visitor, audit, typed);
    const lines = (data.entries as Record<string, unknown>[]).map((entry) =>
      AUDIT_COLUMNS.map((name) => cellOf(entry[name])),
    );
    return csvFile("audit.csv", [AUDIT_COLUMNS, ...lines].map(csvLine).join(""));
  },
});

function cellOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return value.toISOString();
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

export const listRoutes: readonly OperatorRoute[] = [...LISTS.map(listRoute), health, auditCsv];
