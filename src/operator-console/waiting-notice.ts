/** What waits for a second person about a payment or a withdrawal, told on its page. */

import { type HtmlValue, html } from "../kit/html.ts";
import { approvals } from "../modules/operator/approvals/approvals.ts";
import { notice } from "../parts/notice.ts";
import { readReport } from "./actions/run-command.ts";
import { type ListedApproval, titleOf } from "./approval-facts.ts";
import type { OperatorConsoleContext } from "./context.ts";
import type { OperatorVisitor } from "./visitor.ts";

export async function listWaiting(
  ctx: OperatorConsoleContext,
  visitor: OperatorVisitor,
): Promise<readonly ListedApproval[]> {
  const { data } = await readReport(ctx, visitor, approvals);
  return (data.approvals as ListedApproval[]).filter(({ state }) => state === "waiting");
}

export interface Waiting {
  readonly told: HtmlValue;
  /** Of these actions, those that nobody has asked for yet. */
  without(actions: readonly string[]): readonly string[];
}

export async function waitingAbout(
  ctx: OperatorConsoleContext,
  visitor: OperatorVisitor,
  transactionId: string,
): Promise<Waiting> {
  const all = await listWaiting(ctx, visitor);
  const waiting = all.filter(({ transaction_id }) => transaction_id === transactionId);
  return {
    told: waiting.map((one) =>
      notice({
        tone: "warn",
        heading: `Waiting for approval: ${titleOf(one)}`,
        text: html`${one.asked_by} asked for it.
<a href="/operator/approvals/${one.approval_id}">Look at it</a>`,
      }),
    ),
    without: (actions) =>
      actions.filter((name) => waiting.every(({ command }) => command !== name)),
  };
}
