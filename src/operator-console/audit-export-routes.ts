/** The audit log as a file: with a reason, because it holds more than a page shows of it. */

import { csvFile } from "../console/csv-file.ts";
import { orEachRefused, orRefused, type RefusedForm } from "../console/refused.ts";
import { insertAudit } from "../infra/audit.ts";
import type { Answer } from "../infra/http/answer.ts";
import { html } from "../kit/html.ts";
import { scrub } from "../kit/scrub.ts";
import { readTyped } from "../modules/operator/approvals/read-typed.ts";
import { audit } from "../modules/operator/audit.ts";
import { streamAudit } from "../modules/operator/audit-csv.ts";
import type { AuditFilters } from "../modules/operator/audit-filters.ts";
import { button, buttonRow, cancelLink, postForm } from "../parts/form.ts";
import { panel } from "../parts/panel.ts";
import { readReason, reasonField } from "./actions/reason.ts";
import type { OperatorConsoleContext } from "./context.ts";
import { filterLabels, filtersOf } from "./filters.ts";
import { listPage } from "./list-routes.ts";
import { AUDIT_LIST } from "./lists.ts";
import { OPERATOR_PAGE, type OperatorRoute, operatorRoute } from "./operator-route.ts";
import { operatorPage } from "./page.ts";
import type { OperatorVisitor } from "./visitor.ts";

const PATH = "/operator/audit/export";

function exportPage(visitor: OperatorVisitor, search: string, refused?: RefusedForm): Answer {
  const back = { name: "Audit log", href: `/operator/audit${search}` };
  return operatorPage(visitor, {
    title: "Export the audit log",
    section: "System",
    tab: "Audit log",
    back,
    problem: refused?.summary,
    content: panel({
      content: postForm({
        action: `${PATH}${search}`,
        csrf: visitor.formToken,
        content: html`<p>The file has all entries that the filters leave, not only those of the
page. That it was made is written into the audit log.</p>
${reasonField({ refused })}
${buttonRow(button({ text: "Download", kind: "primary" }), cancelLink(back.href))}`,
      }),
    }),
  });
}

/** What is wrong with a filter is said where it can be mended. */
function withFilters(
  visitor: OperatorVisitor,
  url: string,
  run: (asked: AuditFilters, search: string) => Promise<Answer>,
): Promise<Answer> {
  // A file is whole: the page's limit is none of its filters.
  const { limit: _, ...typed } = filtersOf(audit, url);
  return orEachRefused(
    { shape: audit.fields, sent: typed },
    async () => run(readTyped(audit, typed), new URL(url).search),
    (refused) => listPage(visitor, { list: AUDIT_LIST, typed, url, refused }),
    filterLabels(audit),
  );
}

/** Actor and subject may be words of somebody, which the trail does not keep. */
async function recordExport(
  { db }: OperatorConsoleContext,
  { person: { personId: person_id, email }, from }: OperatorVisitor,
  { account, actor, action, subject, since, until }: AuditFilters,
  why: string,
): Promise<void> {
  const filters = {
    ...{ account, action, since, until },
    ...(actor !== undefined && { actor: "given" }),
    ...(subject !== undefined && { subject: "given" }),
  };
  await insertAudit(db, {
    action: "audit_exported",
    actor: `operator ${email}`,
    detail: { why: scrub(why), person_id, ...from, filters },
  });
}

export const auditExportRoutes: readonly OperatorRoute[] = [
  operatorRoute({
    method: "GET",
    path: PATH,
    summary: "The form that exports the audit log",
    right: "audit",
    run: async (_ctx, { url }, visitor) =>
      withFilters(visitor, url, async (_asked, search) => exportPage(visitor, search)),
  }),
  operatorRoute({
    method: "POST",
    path: PATH,
    summary: "The audit log as CSV",
    answers: { 200: { ...OPERATOR_PAGE.answers[200], alsoAs: "text/csv" } },
    right: "audit",
    run: async (ctx, call, visitor) =>
      withFilters(visitor, call.url, (asked, search) =>
        orRefused(
          async () => {
            await recordExport(ctx, visitor, asked, readReason(call.texts()));
            return csvFile("audit.csv", await streamAudit(ctx, asked));
          },
          (refused) => exportPage(visitor, search, refused),
          { why: "Reason" },
        ),
      ),
  }),
];
