/** Gives up a refund that the gateway has surely not done (Decisions 0029 and 0031). */

import { NotFound, ServiceError } from "../../../kit/errors.ts";
import { text } from "../../../kit/fields/text.ts";
import { UUID } from "../../../kit/ids.ts";
import { createGateways } from "../../gateway/create-gateways.ts";
import { askAboutRefund, rejectRefund as reject } from "../../transactions/refund-reject.ts";
import { asked, defineAction, type OperatorContext } from "../command.ts";

class UnknownRefund extends ServiceError {
  constructor(refundId: string) {
    super({ status: 404, code: "unknown_refund", message: `There is no refund ${refundId}.` });
  }
}

const refundIdField = asked(
  text({
    max: 36,
    pattern: UUID,
    patternRefusal: "The refund id must look like 5f0c2a4e-93b1-4c57-8d6a-1e2f3a4b5c6d.",
  }),
  "refund_id",
  "As show-payment tells it.",
);

export const rejectRefund = defineAction({
  name: "reject-refund",
  about: "give up a refund that the gateway has not done",
  more:
    "The merchant has the held money back. It is refused while the refund is being submitted, " +
    "and when the gateway has done it or cannot tell.",
  fields: { refund_id: refundIdField },
  subject: "refund_id",
  example: {
    given: "5f0c2a4e-93b1-4c57-8d6a-1e2f3a4b5c6d",
    shows: `Refund 5f0c2a4e-93b1-4c57-8d6a-1e2f3a4b5c6d is rejected.
The merchant has its money back.
Audit entry 7.`,
  },
  async run(ctx, { refund_id: refundId }, act) {
    // Before the tx: nobody outside is called inside one.
    const known = await ask(ctx, refundId);
    return act(async (tx, signature) => {
      const { transaction_id } = await reject(tx, { asked: known, ...signature });
      return {
        data: { refund_id: refundId, transaction_id, status: "rejected" },
        text: `Refund ${refundId} is rejected.\nThe merchant has its money back.`,
      };
    });
  },
});

async function ask(ctx: OperatorContext, refundId: string) {
  try {
    return await askAboutRefund({ ...ctx, gateways: createGateways(ctx) }, refundId);
  } catch (error) {
    throw error instanceof NotFound ? new UnknownRefund(refundId) : error;
  }
}
