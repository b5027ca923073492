/** What a payment's request said was bought: its items and what each of them costs. */

import type { HtmlValue } from "../../kit/html.ts";
import { money } from "../../kit/money.ts";
import { itemAmount, type OrderItem } from "../../modules/transactions/order-items.ts";
import type { PaidRow } from "../../modules/transactions/refund.ts";
import { emptyState } from "../../parts/empty-state.ts";
import { moneyHtml } from "../../parts/money.ts";
import { panel } from "../../parts/panel.ts";
import { table } from "../../parts/table.ts";

export function itemsPanel({ items, currency, total_minor }: PaidRow): HtmlValue {
  if (items === null) return undefined;
  return panel({
    heading: "Items",
    isFlush: true,
    content: table<OrderItem>({
      caption: "Items",
      rows: items,
      empty: emptyState({ heading: "No items" }),
      columns: [
        { label: "Item", phone: "lead", cell: ({ name }) => name },
        { label: "Quantity", align: "end", cell: ({ quantity }) => String(quantity) },
        {
          label: "Price",
          align: "end",
          cell: ({ unit_price_minor }) => moneyHtml(money(currency, BigInt(unit_price_minor))),
        },
        {
          label: "Amount",
          align: "end",
          phone: "side",
          cell: (item) => moneyHtml(itemAmount(item, currency)),
        },
      ],
      foot: { Item: "Total", Amount: moneyHtml(money(currency, total_minor)) },
    }),
  });
}
