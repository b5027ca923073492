/** Rejects a refund that the gateway has surely not done (Decisions 0029 and 0031). */

import { NoSuchRecord, NotFound } from "../../../kit/errors.ts";
import { askAboutRefund, rejectRefund as reject } from "../../transactions/reject-refund.ts";
import { defineAction } from "../command.ts";
import { uuidField } from "../fields.ts";
import { ofRefund } from "./moved-money.ts";

export const rejectRefund = defineAction({
  name: "reject-refund",
  right: "money",
  moves: (tx, input) => ofRefund(tx, input.refund_id),
  about: "reject a refund that the gateway has not done",
  more:
    "The merchant has the held money back. It is refused while the refund is being submitted, " +
    "and when the gateway has done it or cannot tell.",
  fields: { refund_id: uuidField("refund", "As show-payment shows it.") },
  subject: "refund_id",
  example: {
    given: "5f0c2a4e-93b1-4c57-8d6a-1e2f3a4b5c6d",
    shows: `Refund 5f0c2a4e-93b1-4c57-8d6a-1e2f3a4b5c6d is rejected.
The merchant has its money back.`,
    entry: 7,
  },
  async run(ctx, { refund_id: refundId }, act) {
    // Before the tx: no network call is made inside one.
    const asking = { ...ctx, gateways: ctx.gateways() };
    const inquiry = await askAboutRefund(asking, refundId).catch((error: unknown) => {
      if (!(error instanceof NotFound)) throw error;
      throw new NoSuchRecord(`There is no refund ${refundId}.`);
    });
    return act(async (tx, signature) => {
      const { transaction_id } = await reject(tx, { inquiry, ...signature });
      return {
        data: { refund_id: refundId, transaction_id, status: "rejected" },
        text: `Refund ${refundId} is rejected.\nThe merchant has its money back.`,
      };
    });
  },
});
