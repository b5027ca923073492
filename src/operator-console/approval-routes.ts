/** What waits for a second person, and the page on which one decides. */

import type { Answer } from "../infra/http/answer.ts";
import { NotFound } from "../kit/errors.ts";
import { text } from "../kit/fields/text.ts";
import { html } from "../kit/html.ts";
import { UUID } from "../kit/ids.ts";
import { readFormatted } from "../kit/money.ts";
import { demandApproval, viewApproval } from "../modules/operator/approvals/approval.ts";
import { approvals } from "../modules/operator/approvals/approvals.ts";
import { COMMANDS } from "../modules/operator/commands.ts";
import { plain } from "../modules/operator/render.ts";
import { badge } from "../parts/badge.ts";
import { definitionList } from "../parts/definition-list.ts";
import { buttonRow } from "../parts/form.ts";
import { moneyHtml, moneyText } from "../parts/money.ts";
import { panel } from "../parts/panel.ts";
import { type Column, table } from "../parts/table.ts";
import { actionLinks } from "./actions/action-links.ts";
import { ACTION_WORDS, labelFor } from "./actions/action-words.ts";
import { noPage, readReport } from "./actions/run-command.ts";
import { linked } from "./blocks.ts";
import { type OperatorRoute, operatorRoute } from "./operator-route.ts";
import { operatorPage } from "./page.ts";
import { inPageWords } from "./page-words.ts";
import type { OperatorVisitor } from "./visitor.ts";

type Listed = ReturnType<typeof viewApproval>;

const WORDS: Readonly<Record<Listed["state"], Parameters<typeof badge>>> = {
  waiting: ["progress", "Waiting for approval"],
  approved: ["good", "Approved"],
  rejected: ["bad", "Rejected"],
  refused: ["warn", "No longer possible"],
  expired: ["plain", "Expired"],
};

const nameOf = ({ command }: Listed) => ACTION_WORDS[command]?.button ?? command;

const amountOf = ({ currency, amount }: Listed) => readFormatted(currency, amount);

const COLUMNS: readonly Column<Listed>[] = [
  { label: "Action", cell: nameOf, phone: "lead" },
  { label: "Amount", cell: (row) => moneyHtml(amountOf(row)), align: "end" },
  { label: "Asked by", cell: ({ asked_by }) => asked_by },
  { label: "Reason", cell: ({ why }) => why, isClipped: true },
  { label: "Asked", cell: ({ asked_at }) => plain(asked_at) },
  { label: "State", cell: ({ state }) => badge(...WORDS[state]), phone: "side" },
];

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
      const { data } = await readReport(ctx, visitor, approvals);
      const rows = data.approvals as readonly Listed[];
      return operatorPage(visitor, {
        title: "Approvals",
        section: "Approvals",
        content: panel({
          isFlush: rows.length > 0,
          content: table({
            caption: "Approvals",
            columns: COLUMNS,
            rows,
            href: ({ approval_id }) => `/operator/approvals/${approval_id}`,
            empty: html`<p class="soft">Nothing waits for a second person.</p>`,
          }),
        }),
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
        title: `${nameOf(shown)}: ${moneyText(amountOf(shown))}`,
        section: "Approvals",
        back: { name: "Approvals", href: "/operator/approvals" },
        beside: badge(...WORDS[shown.state]),
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
              fact("Because", shown.decided_because),
              fact("Outcome", shown.outcome && inPageWords(shown.outcome)),
            ]),
          }),
        ],
      });
    },
  }),
];
