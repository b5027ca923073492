/** What waits for a second person, and the page on which one decides. */

import type { Answer } from "../infra/http/answer.ts";
import { NotFound } from "../kit/errors.ts";
import { text } from "../kit/fields/text.ts";
import { UUID } from "../kit/ids.ts";
import { demandApproval, viewApproval } from "../modules/operator/approvals/approval.ts";
import { approvals } from "../modules/operator/approvals/approvals.ts";
import { COMMANDS } from "../modules/operator/commands.ts";
import { buttonRow } from "../parts/form.ts";
import { actionLinks } from "./actions/action-links.ts";
import { noPage, readReport } from "./actions/run-command.ts";
import { approvalFacts, type ListedApproval, titleOf } from "./approval-facts.ts";
import { blocksOf } from "./blocks.ts";
import { type OperatorRoute, operatorRoute } from "./operator-route.ts";
import { operatorPage } from "./page.ts";
import { aboutRecord } from "./record-facts.ts";
import { stateHtml } from "./state-words.ts";
import type { OperatorVisitor } from "./visitor.ts";

const TITLE = "Approvals";

/** Approving is for another person, whose role may do the action; taking back is for the asker. */
function decisions(
  visitor: OperatorVisitor,
  row: ListedApproval,
  askedBy: string,
): readonly string[] {
  if (row.state !== "waiting") return [];
  const command = COMMANDS.find(({ name }) => name === row.command);
  const right = command?.kind === "action" ? command.right : undefined;
  const isOther = visitor.person.personId !== askedBy;
  const mayApprove = isOther && typeof right === "string" && visitor.may(right);
  return [...(mayApprove ? ["approve"] : []), "reject"];
}

export const approvalRoutes: readonly OperatorRoute[] = [
  operatorRoute({
    method: "GET",
    path: "/operator/approvals",
    summary: "What waits for a second person",
    right: "look",
    async run(ctx, _call, visitor): Promise<Answer> {
      const report = await readReport(ctx, visitor, approvals);
      return operatorPage(visitor, {
        title: TITLE,
        section: "Approvals",
        content: blocksOf(report, TITLE),
      });
    },
  }),
  operatorRoute({
    method: "GET",
    path: "/operator/approvals/{approval_id}",
    summary: "A request for a second person",
    right: "look",
    params: { approval_id: text({ max: 64 }) },
    async run(ctx, { params: { approval_id } }, visitor): Promise<Answer> {
      if (!UUID.test(approval_id)) throw new NotFound("no id of an approval");
      const row = await demandApproval(ctx.db, approval_id).catch((error: unknown) => {
        throw noPage(error);
      });
      const shown = viewApproval(row);
      return operatorPage(visitor, {
        title: titleOf(shown),
        section: "Approvals",
        back: { name: "Approvals", href: "/operator/approvals" },
        beside: stateHtml(shown.state),
        content: [
          buttonRow(actionLinks(visitor, decisions(visitor, shown, row.asked_by), { approval_id })),
          (await aboutRecord(ctx.db, shown.transaction_id ?? "")).facts,
          approvalFacts(shown),
        ],
      });
    },
  }),
];
