/** What happened to a payment, in words. */

import type { Html } from "../../kit/html.ts";
import type { TimelineItem } from "../../modules/statements/read-timeline.ts";
import { NEXT_REFUND_STATE, type RefundState } from "../../modules/transactions/refund.ts";
import type { Tone } from "../../parts/badge.ts";
import { moneyText } from "../../parts/money.ts";
import { timeHtml } from "../../parts/time.ts";
import { type TimelineEntry, timeline } from "../../parts/timeline.ts";
import { cardWords } from "./payment-words.ts";
import { resultWords } from "./result-words.ts";

type Words = Pick<TimelineEntry, "tone" | "title"> & { readonly detail?: string | null };
type Item<Kind extends TimelineItem["kind"]> = Extract<TimelineItem, { kind: Kind }>;

export function paymentTimeline(items: readonly TimelineItem[], timeZone: string): Html {
  const entries = items.map((item) => {
    const { tone, title, detail } = wordsOf(item);
    const at = timeHtml(item.at, timeZone, "seconds");
    return detail ? { tone, title, at, detail } : { tone, title, at };
  });
  return timeline("What happened", entries);
}

function wordsOf(item: TimelineItem): Words {
  switch (item.kind) {
    case "requested":
      return { tone: "plain", title: "Payment requested" };
    case "attempt":
      return attemptWords(item);
    case "result":
      return item.status === "success"
        ? RESULTS.success
        : { ...RESULTS[item.status], detail: resultWords(item.message) };
    case "refund_requested":
      return {
        tone: isOver(item.state) ? "plain" : "progress",
        title: `Refund of ${moneyText(item.amount)} requested${byWhom(item)}`,
        detail: item.reason,
      };
    case "refund_ended":
      return item.state === "refunded"
        ? { tone: "good", title: `${moneyText(item.amount)} refunded` }
        : { tone: "warn", title: `Refund of ${moneyText(item.amount)} rejected` };
    case "dispute_opened":
      return item.dispute === "fraud"
        ? { tone: "bad", title: `Fraud confirmed: ${moneyText(item.amount)} went back` }
        : { tone: "warn", title: `Disputed: ${moneyText(item.amount)}` };
    case "dispute_ended":
      return item.state === "processed"
        ? { tone: "bad", title: `Dispute lost: ${moneyText(item.amount)} went back` }
        : { tone: "good", title: `Dispute released: ${moneyText(item.amount)} is yours again` };
    case "webhook":
      return webhookWords(item);
  }
}

function byWhom({ isByOperator }: { readonly isByOperator: boolean }): string {
  return isByOperator ? " by Windward" : "";
}

/** A request that was answered is no longer under way: a later entry says what came of it. */
function isOver(state: RefundState): boolean {
  return NEXT_REFUND_STATE[state].length === 0;
}

const RESULTS: Readonly<Record<Item<"result">["status"], Words>> = {
  success: { tone: "good", title: "Paid" },
  failed: { tone: "bad", title: "Failed" },
  error: { tone: "bad", title: "Ended in an error" },
};

const ATTEMPTS: Readonly<Record<Item<"attempt">["state"], readonly [Tone, string]>> = {
  submitted: ["progress", "sent to the card's bank"],
  challenged: ["progress", "the card's bank asks the customer"],
  unknown: ["progress", "the answer is still unknown"],
  approved: ["good", "approved"],
  declined: ["bad", "declined"],
  void_due: ["warn", "approved too late, being reversed"],
  voided: ["warn", "approved too late, reversed"],
};

function attemptWords(item: Item<"attempt">): Words {
  const [tone, words] = ATTEMPTS[item.state];
  const asked = item.wasChallenged && item.endedAt !== null ? "The bank asked the customer. " : "";
  const isSaid = item.state === "declined" && item.message !== null;
  const detail = `${asked}${isSaid ? resultWords(item.message) : ""}`;
  return { tone, title: `${cardWords(item.cardBrand, item.lastFour)}: ${words}`, detail };
}

const DELIVERIES: Readonly<Record<Item<"webhook">["state"], readonly [Tone, string]>> = {
  waiting: ["progress", "waits to be delivered"],
  delivered: ["good", "delivered"],
  failed: ["bad", "failed"],
  cancelled: ["plain", "cancelled"],
};

function webhookWords({ state, event, url, attemptCount }: Item<"webhook">): Words {
  const [tone, words] = DELIVERIES[state];
  const times = attemptCount === 1 ? "1 attempt" : `${attemptCount} attempts`;
  return { tone, title: `Webhook ${event} ${words}`, detail: `${url}, ${times}` };
}
