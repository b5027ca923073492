/** What waits for a second person about a payment or a withdrawal, told on its page. */

import { type HtmlValue, html } from "../kit/html.ts";
import { listWaitingAbout, viewApproval } from "../modules/operator/approvals/approval.ts";
import { notice } from "../parts/notice.ts";
import { titleOf } from "./approval-facts.ts";
import type { OperatorConsoleContext } from "./context.ts";

export interface Waiting {
  readonly told: HtmlValue;
  /** Of these actions, those that nobody has asked for yet. */
  without(actions: readonly string[]): readonly string[];
}

export async function waitingAbout(
  { db }: OperatorConsoleContext,
  transactionId: string,
): Promise<Waiting> {
  const waiting = (await listWaitingAbout(db, transactionId)).map(viewApproval);
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
