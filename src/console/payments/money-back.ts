/** What of a payment went back, or may: its refunds and its disputes. */

import type { HtmlValue } from "../../kit/html.ts";
import { money } from "../../kit/money.ts";
import type { DisputeRow } from "../../modules/transactions/dispute.ts";
import { openDisputeWords } from "../../modules/transactions/dispute-words.ts";
import type { PaidRow, RefundRow, RefundState } from "../../modules/transactions/refund.ts";
import { badge, type Tone } from "../../parts/badge.ts";
import { emptyState } from "../../parts/empty-state.ts";
import { moneyHtml, moneyText } from "../../parts/money.ts";
import { panel } from "../../parts/panel.ts";
import { table } from "../../parts/table.ts";
import { timeHtml } from "../../parts/time.ts";

/** How far we are with the gateway is not shown. */
const REFUNDS: Readonly<Record<RefundState, readonly [Tone, string]>> = {
  requested: ["progress", "Under way"],
  submitted: ["progress", "Under way"],
  unknown: ["progress", "Under way"],
  refunded: ["good", "Refunded"],
  rejected: ["warn", "Rejected"],
};

const DISPUTES: Readonly<Record<DisputeRow["state"], readonly [Tone, string]>> = {
  open: ["warn", "Open"],
  processed: ["bad", "Charged back"],
  released: ["good", "Released"],
};

interface Parts {
  readonly paid: PaidRow;
  readonly refunds: readonly RefundRow[];
  readonly disputes: readonly DisputeRow[];
}

/** The last refund is the one that was just asked for; its end mostly comes within seconds. */
export function refundWords({ paid, refunds }: Parts): Record<string, string> {
  const last = refunds.at(-1);
  if (last?.state !== "refunded") return {};
  const amount = moneyText(money(paid.currency, last.amount_minor));
  return { refund: `The refund is done: ${amount} goes back to the customer's card.` };
}

export function refundsPanel({ paid, refunds }: Parts, timeZone: string): HtmlValue {
  if (refunds.length === 0) return undefined;
  return panel({
    heading: "Refunds",
    isFlush: true,
    content: table<RefundRow>({
      caption: "Refunds",
      rows: refunds,
      empty: emptyState({ heading: "No refunds" }),
      columns: [
        {
          label: "Amount",
          phone: "lead",
          cell: ({ amount_minor }) => moneyHtml(money(paid.currency, amount_minor)),
        },
        { label: "State", phone: "side", cell: ({ state }) => badge(...REFUNDS[state]) },
        {
          label: "Requested",
          phone: "note",
          cell: ({ created_at }) => timeHtml(created_at, timeZone),
        },
        { label: "Ended", cell: ({ ended_at }) => ended_at && timeHtml(ended_at, timeZone) },
        {
          label: "Reason",
          cell: ({ reason, is_by_operator }) =>
            [is_by_operator && "By Windward", reason].filter(Boolean).join(": "),
        },
      ],
    }),
  });
}

export function disputesPanel({ paid, disputes }: Parts, timeZone: string): HtmlValue {
  if (disputes.length === 0) return undefined;
  const open = disputes.find(({ state }) => state === "open");
  return panel({
    heading: "Disputes",
    text: open && openDisputeWords(open.answer_by).join(" "),
    isFlush: true,
    content: table<DisputeRow>({
      caption: "Disputes",
      rows: disputes,
      empty: emptyState({ heading: "No disputes" }),
      columns: [
        {
          label: "Amount",
          phone: "lead",
          cell: ({ amount_minor }) => moneyHtml(money(paid.currency, amount_minor)),
        },
        { label: "State", phone: "side", cell: ({ state }) => badge(...DISPUTES[state]) },
        {
          label: "Kind",
          cell: ({ kind }) => (kind === "fraud" ? "Fraud" : "Chargeback"),
        },
        {
          label: "Opened",
          phone: "note",
          cell: ({ opened_at }) => timeHtml(opened_at, timeZone),
        },
        { label: "Ended", cell: ({ ended_at }) => ended_at && timeHtml(ended_at, timeZone) },
      ],
    }),
  });
}
