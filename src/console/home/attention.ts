/** What needs attention, for the roles that can do something about it. */

import { type Html, type HtmlValue, html } from "../../kit/html.ts";
import type { AttentionItem } from "../../modules/statements/read-attention.ts";
import { moneyText } from "../../parts/money.ts";
import { type NoticeParts, notice } from "../../parts/notice.ts";
import { timeHtml } from "../../parts/time.ts";
import { PAYMENTS } from "../payments/payment-filters.ts";
import type { Visitor } from "../visitor.ts";

/** More would push everything else off the screen. */
const ITEMS_MAX = 5;

export function attentionList(visitor: Visitor, items: readonly AttentionItem[]): HtmlValue {
  const own = items.filter((item) => isFor(visitor, item));
  if (own.length === 0) return undefined;
  const more = own.length - ITEMS_MAX;
  return html`<section class="stack" aria-label="Needs attention">
${own.slice(0, ITEMS_MAX).map((item) => notice(wordsOf(visitor, item)))}
${more > 0 && html`<p class="soft">And ${more} more.</p>`}
</section>`;
}

function isFor({ mayDo }: Visitor, { kind }: AttentionItem): boolean {
  if (kind === "webhook") return mayDo("keys");
  if (kind === "withdrawal_held") return mayDo("withdrawals");
  return true;
}

function wordsOf({ timeZone }: Visitor, item: AttentionItem): NoticeParts {
  const day = (at: Date) => timeHtml(at, timeZone, "date");
  switch (item.kind) {
    case "unverified":
      return {
        tone: "warn",
        heading: "This account is not verified yet",
        text: "Live payments can be taken once it is. The sandbox works meanwhile.",
      };
    case "dispute":
      return {
        tone: "warn",
        heading: `A customer disputes ${moneyText(item.amount)}`,
        text: html`Order ${item.orderId}, opened on ${day(item.openedAt)}`,
        action: link(`${PAYMENTS}/${item.transactionId}`, "See the payment"),
      };
    case "withdrawal_held":
      return {
        tone: "warn",
        heading: `A withdrawal of ${moneyText(item.amount)} is held`,
        text: html`Since ${day(item.since)}${item.reason !== "" && `: ${item.reason}`}`,
        action: link(`/console/withdrawals/${item.transactionId}`, "See the withdrawal"),
      };
    case "webhook":
      return {
        tone: item.isDisabled ? "bad" : "warn",
        heading: item.isDisabled
          ? "A webhook endpoint is switched off"
          : "A webhook endpoint is failing",
        text: html`${item.url}, since ${day(item.since)}. ${waitingWords(item.waiting)}`,
        action: link("/console/developers/webhooks", "See the webhooks"),
      };
  }
}

function waitingWords(count: number): string {
  if (count === 0) return "No events are waiting.";
  return count === 1
    ? "1 event is waiting."
    : `${count.toLocaleString("en-GB")} events are waiting.`;
}

function link(href: string, text: string): Html {
  return html`<a href="${href}">${text}</a>`;
}
