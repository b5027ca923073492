/** Files for the bank: the list, what a page hands down, and the way up for the bank's answers. */

import { orRefused, type RefusedForm } from "../console/refused.ts";
import type { Answer } from "../infra/http/answer.ts";
import { text } from "../kit/fields/text.ts";
import { html } from "../kit/html.ts";
import { readTyped } from "../modules/operator/approvals/read-typed.ts";
import { runForOperator } from "../modules/operator/approvals/run-for-operator.ts";
import { bankFiles } from "../modules/operator/withdrawals/bank-files.ts";
import { findBatch } from "../modules/withdrawals/bank-files/payout-batch.ts";
import { button, buttonRow, postForm } from "../parts/form.ts";
import { panel } from "../parts/panel.ts";
import { actionLinks } from "./actions/action-links.ts";
import { readReason, reasonField } from "./actions/reason.ts";
import {
  commandContext,
  demandAction,
  inWordsOfPage,
  LIST_OF_FILES,
  noPage,
  readReport,
} from "./actions/run-command.ts";
import { blocksOf } from "./blocks.ts";
import type { OperatorConsoleContext } from "./context.ts";
import { OPERATOR_PAGE, type OperatorRoute, operatorRoute } from "./operator-route.ts";
import { operatorPage } from "./page.ts";
import { actingOf, type OperatorVisitor } from "./visitor.ts";

const BATCH_LENGTH_MAX = 35;
const params = { batch: text({ max: BATCH_LENGTH_MAX }) };
const TITLE = "Bank files";
const PATH = "/operator/bank-files/{batch}";

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
${reasonField({ refused })}
${buttonRow(button({ text: "Download", kind: "primary" }))}`,
      }),
    }),
  });
}

/** As often as it is asked for: a form that is sent again is another download, and is audited. */
async function download(
  ctx: OperatorConsoleContext,
  visitor: OperatorVisitor,
  batch: string,
  why: string,
): Promise<Answer> {
  const command = demandAction(visitor, "make-bank-file");
  const typed = { to: LIST_OF_FILES, batch };
  let body: Buffer = Buffer.alloc(0);
  const send = (bytes: Buffer) => {
    body = bytes;
  };
  await runForOperator(
    commandContext(ctx, visitor, { send }),
    { command, typed, input: readTyped(command, typed), why },
    { who: actingOf(visitor), hooks: {} },
  ).catch((error: unknown) => {
    throw inWordsOfPage(noPage(error));
  });
  const headers = {
    "content-disposition": `attachment; filename="${batch}.xml"`,
    "cache-control": "no-store",
  };
  return { status: 200, body, contentType: "application/xml", headers };
}

export const bankFileRoutes: readonly OperatorRoute[] = [
  operatorRoute({
    method: "GET",
    path: "/operator/bank-files",
    summary: "Files for the bank",
    right: "money",
    async run(ctx, _call, visitor): Promise<Answer> {
      const report = await readReport(ctx, visitor, bankFiles);
      return operatorPage(visitor, {
        title: TITLE,
        section: "Withdrawals",
        tab: "Bank files",
        content: [
          buttonRow(actionLinks(visitor, ["make-bank-file", "read-bank-status"])),
          blocksOf(report, TITLE),
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
      const { message_id } = await findBatch(ctx.db, call.params.batch).catch((error: unknown) => {
        throw noPage(error);
      });
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
      const { batch } = call.params;
      return orRefused(
        () => download(ctx, visitor, batch, readReason(call.texts())),
        (refused) => downloadPage(visitor, batch, refused),
        { why: "Reason" },
      );
    },
  }),
];
