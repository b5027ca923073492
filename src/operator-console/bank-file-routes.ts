/** Files for the bank: the list, what a page hands down, and the way up for the bank's answers. */

import { orRefused, type RefusedForm } from "../console/refused.ts";
import { insertAudit } from "../infra/audit.ts";
import type { Answer } from "../infra/http/answer.ts";
import { readFields } from "../kit/fields/field.ts";
import { text } from "../kit/fields/text.ts";
import { html } from "../kit/html.ts";
import { type Currency, readFormatted } from "../kit/money.ts";
import { scrub } from "../kit/scrub.ts";
import { signatureFields } from "../modules/operator/fields.ts";
import { bankFiles } from "../modules/operator/withdrawals/bank-files.ts";
import { findBatch, openFile } from "../modules/withdrawals/bank-files/payout-batch.ts";
import { textareaField } from "../parts/field.ts";
import { button, buttonRow, postForm } from "../parts/form.ts";
import { moneyHtml } from "../parts/money.ts";
import { panel } from "../parts/panel.ts";
import { type Column, table } from "../parts/table.ts";
import { actionLinks } from "./actions/action-links.ts";
import { noPage, readReport } from "./actions/run-command.ts";
import { OPERATOR_PAGE, type OperatorRoute, operatorRoute } from "./operator-route.ts";
import { operatorPage } from "./page.ts";
import type { OperatorVisitor } from "./visitor.ts";

const BATCH_LENGTH_MAX = 35;
const params = { batch: text({ max: BATCH_LENGTH_MAX }) };
const PATH = "/operator/bank-files/{batch}";

interface ListedFile {
  readonly batch: string;
  readonly bank_day: string;
  readonly payment_count: number;
  readonly total: string;
  readonly currency: Currency;
  readonly undecided: number;
}

const totalOf = ({ currency, total }: ListedFile) => moneyHtml(readFormatted(currency, total));

const COLUMNS: readonly Column<ListedFile>[] = [
  { label: "Batch", cell: ({ batch }) => batch, phone: "lead" },
  { label: "Pay on", cell: ({ bank_day }) => bank_day },
  { label: "Payments", cell: ({ payment_count }) => payment_count, align: "end" },
  { label: "Total", cell: totalOf, align: "end" },
  { label: "Undecided", cell: ({ undecided }) => undecided, align: "end" },
];

function downloadPage(visitor: OperatorVisitor, batch: string, refused?: RefusedForm): Answer {
  return operatorPage(visitor, {
    title: `Bank file ${batch}`,
    section: "Withdrawals",
    tab: "Bank files",
    back: { name: "Bank files", href: "/operator/bank-files" },
    problem: refused?.summary,
    content: panel({
      content: postForm({
        action: `/operator/bank-files/${batch}`,
        csrf: visitor.formToken,
        content: html`<p>The file has account numbers in it. Hand it to the bank once; the same
bytes come each time it is downloaded, and each time is written down.</p>
${textareaField({
  name: "why",
  label: "Reason",
  rows: 2,
  required: true,
  error: refused?.errorOf("why"),
})}
${buttonRow(button({ text: "Download", kind: "primary" }))}`,
      }),
    }),
  });
}

async function batchNamed(ctx: Parameters<typeof findBatch>[0], batch: string) {
  return findBatch(ctx, batch).catch((error: unknown) => {
    throw noPage(error);
  });
}

export const bankFileRoutes: readonly OperatorRoute[] = [
  operatorRoute({
    method: "GET",
    path: "/operator/bank-files",
    summary: "Files for the bank",
    right: "money",
    async run(ctx, _call, visitor): Promise<Answer> {
      const { data } = await readReport(ctx, visitor, bankFiles);
      const files = data.bank_files as readonly ListedFile[];
      return operatorPage(visitor, {
        title: "Bank files",
        section: "Withdrawals",
        tab: "Bank files",
        content: [
          buttonRow(actionLinks(visitor, ["make-bank-file", "read-bank-status"])),
          panel({
            isFlush: files.length > 0,
            content: table({
              caption: "Bank files",
              columns: COLUMNS,
              rows: files,
              href: ({ batch }) => `/operator/bank-files/${batch}`,
              empty: html`<p class="soft">None was made yet.</p>`,
            }),
          }),
        ],
      });
    },
  }),
  operatorRoute({
    method: "GET",
    path: PATH,
    summary: "A file for the bank",
    right: "money",
    params,
    async run(ctx, call, visitor): Promise<Answer> {
      const { message_id } = await batchNamed(ctx.db, call.params.batch);
      return downloadPage(visitor, message_id);
    },
  }),
  operatorRoute({
    method: "POST",
    path: PATH,
    summary: "Download a file for the bank",
    answers: { 200: { ...OPERATOR_PAGE.answers[200], alsoAs: "application/xml" } },
    right: "money",
    params,
    async run(ctx, call, visitor): Promise<Answer> {
      const batch = await batchNamed(ctx.db, call.params.batch);
      return orRefused(
        async () => {
          const { why } = readFields(
            { why: signatureFields.why },
            { why: call.texts().why?.trim() },
          );
          const bytes = await openFile(ctx.db, ctx.config, batch);
          const { personId: person_id, email } = visitor.person;
          await insertAudit(ctx.db, {
            action: "bank_file_made_again",
            actor: `operator ${email}`,
            detail: { why: scrub(why), person_id, ...visitor.from, batch: batch.message_id },
          });
          const headers = {
            "content-disposition": `attachment; filename="${batch.message_id}.xml"`,
            "cache-control": "no-store",
          };
          return { status: 200, body: bytes, contentType: "application/xml", headers };
        },
        (refused) => downloadPage(visitor, batch.message_id, refused),
        { why: "Reason" },
      );
    },
  }),
];
