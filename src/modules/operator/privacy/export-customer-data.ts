/** Gives everything that is held about a customer (Decision 0122). Signed, because it is read. */

import { digestOf } from "../../privacy/customer.ts";
import { exportCustomer } from "../../privacy/export-customer.ts";
import { demandAccount } from "../accounts/account.ts";
import { amountIn } from "../amount-cell.ts";
import { defineAction } from "../command.ts";
import { reportBlocks, tableBlock, words } from "../render.ts";
import { customerOf, customerOptions } from "./customer-options.ts";

export const exportCustomerData = defineAction({
  name: "export-customer-data",
  right: "risk",
  about: "give everything that is held about a customer",
  more:
    "Of one account, or of all, for the customer to have: payments, refunds, cards tried and " +
    "saved (their last four digits), mails, and requests of merchants' programs that mention the " +
    "customer. With --json it is complete. The audit trail names a digest of the address.",
  fields: customerOptions,
  subject: "email",
  example: {
    given: "anika@example.com --account 1234567890",
    shows: [
      "Payments",
      "  payment                        account     order    total       status   created",
      "  TT-01KGWQ6Y7RN5C0P8V3T2M4X9ZD  1234567890  order-1  100.00 TTD  success  " +
        "2026-11-15 06:32:03Z",
      "And 0 saved cards, 0 mails, 0 requests. With --json all of it is shown.",
    ].join("\n"),
    entry: 13,
  },
  async run({ db, config }, input, act) {
    await demandAccount(db, input.account);
    const customer = customerOf(input);
    // Before the tx, because it looks at every account; given only once the entry is there.
    const data = await exportCustomer(db, customer);
    const { payments, saved_cards: cards, mails, requests } = data;
    const rows = payments.map((payment) => ({
      ...payment,
      created: new Date(payment.created_at),
    }));
    const table = tableBlock("Payments", rows, {
      payment: "transaction_id",
      account: "account_number",
      order: "order_id",
      total: ({ total, currency }) => amountIn(currency, total),
      status: "status",
      created: "created",
    });
    const others =
      `And ${cards.length} saved cards, ${mails.length} mails, ${requests.length} requests. ` +
      "With --json all of it is shown.";
    return act(async () => ({
      entry: {
        action: "customer_data_exported",
        ...(input.account !== undefined && { accountNumber: input.account }),
        detail: { customer: digestOf(config, input.email), payments: payments.length },
      },
      ...reportBlocks(data, [table, words(others)]),
      isPersonal: true,
    }));
  },
});
