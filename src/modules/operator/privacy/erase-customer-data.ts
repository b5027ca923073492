/** Erases what is known of a customer, as far as no law needs it (Decision 0122). */

import { digestOf } from "../../privacy/customer.ts";
import { type Erased, eraseCustomer } from "../../privacy/erase-customer.ts";
import { demandAccount } from "../accounts/account.ts";
import { defineAction, type Report } from "../command.ts";
import { customerOf, customerOptions } from "./customer-options.ts";

/** What a form says until all of it is done, and for good if that fails. */
const UNFINISHED =
  "Not all of it is erased yet. Erase the customer's data again: it goes on where it stopped.";

export const eraseCustomerData = defineAction({
  name: "erase-customer-data",
  right: "risk",
  about: "erase what is held about a customer, as far as the books do not need it",
  more:
    "Of one account, or of all; for good. Amounts, times, ids and the last four digits of cards " +
    "stay; saved cards that the customer paid with are deleted. It is refused while a payment, " +
    "refund or chargeback of the customer is not finished. Doing it again does no harm. The " +
    "audit trail names a digest of the address: do not write the address as the reason.",
  fields: customerOptions,
  subject: "email",
  example: {
    given: "anika@example.com --account 1234567890",
    shows:
      "Erased: the customer's data of 1 payments, 0 saved cards and 0 mails; 0 logged requests " +
      "that mention it are blanked.",
    entry: 14,
  },
  async run({ db, config }, input, act) {
    await demandAccount(db, input.account);
    let last: Report | undefined;
    const erased = await eraseCustomer({ db }, customerOf(input), {
      async inTx(work) {
        const { done, ...report } = await act(async (tx) => {
          const batch: Erased = await work(tx);
          const entry = {
            action: "customer_data_erased",
            ...(input.account !== undefined && { accountNumber: input.account }),
            detail: { customer: digestOf(config, input.email), ...batch },
          };
          return { entry, data: {}, text: UNFINISHED, batch };
        });
        last = report;
        return done.batch;
      },
    });
    const { payments, cards, mails, requests } = erased;
    const text =
      `Erased: the customer's data of ${payments} payments, ${cards} saved cards and ${mails} ` +
      `mails; ${requests} logged requests that mention it are blanked.`;
    return {
      data: { ...last?.data, ...erased },
      text: `${text}\nAudit entry ${last?.data.audit_entry}.`,
    };
  },
});
