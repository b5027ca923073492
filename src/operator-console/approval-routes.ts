/** What waits for a second person, and the page on which one decides. */

import type { Answer } from "../infra/http/answer.ts";
import { NotFound } from "../kit/errors.ts";
import { text } from "../kit/fields/text.ts";
import { UUID } from "../kit/ids.ts";
import { money } from "../kit/money.ts";
import { demandApproval, viewApproval } from "../modules/operator/approvals/approval.ts";
import { approvals } from "../modules/operator/approvals/approvals.ts";
import { COMMANDS } from "../modules/operator/commands.ts";
import { plain } from "../modules/operator/render.ts";
import { definitionList } from "../parts/definition-list.ts";
import { buttonRow } from "../parts/form.ts";
import { moneyText } from "../parts/money.ts";
import { panel } from "../parts/panel.ts";
import { actionLinks } from "./actions/action-links.ts";
import { ACTION_WORDS, labelFor } from "./actions/action-words.ts";
import { noPage, readReport } from "./actions/run-command.ts";
import { blocksOf, linked } from "./blocks.ts";
import { type OperatorRoute, operatorRoute } from "./operator-route.ts";
import { operatorPage } from "./page.ts";
import { inPageWords } from "./page-words.ts";
import { stateHtml } from "./state-words.ts";
import type { OperatorVisitor } from "./visitor.ts";

type Listed = ReturnType<typeof viewApproval>;

const TITLE = "Approvals";

const nameOf = ({ command }: Listed) => ACTION_WORDS[command]?.button ?? command;

/** Approving is for another person, whose role may do the action; taking back is for the asker. */
function decisions(visitor: OperatorVisitor, row: Listed, askedBy: string): readonly string[] {
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
      const fact = (term: string, value: string | null) => ({ term, value: value ?? undefined });
      return operatorPage(visitor, {
        title: `${nameOf(shown)}: ${moneyText(money(row.currency, row.amount_minor))}`,
        section: "Approvals",
        back: { name: "Approvals", href: "/operator/approvals" },
        beside: stateHtml(shown.state),
        content: [
          buttonRow(actionLinks(visitor, decisions(visitor, shown, row.asked_by), { approval_id })),
          panel({
            content: definitionList([
              { term: "Record", value: linked("record", shown.transaction_id ?? "") },
              { term: "Account", value: linked("account", shown.account_number ?? "") },
              ...Object.entries(shown.input)
                .filter(([name]) => name !== "transaction_id")
                .map(([name, value]) => fact(labelFor(name), value)),
              fact("Asked by", shown.asked_by),
              fact("Reason", shown.why),
              fact("Asked", plain(shown.asked_at)),
              fact("To be decided by", plain(shown.expires_at)),
              fact("Decided", shown.decided_at && plain(shown.decided_at)),
              fact("Decided by", shown.decided_by),
              fact("Because", shown.decided_because),
              fact("Outcome", shown.outcome && inPageWords(shown.outcome)),
            ]),
          }),
        ],
      });
    },
  }),
];
