/** Lists what waits for a second person, and what was decided last. */

import { amountIn } from "../amount-cell.ts";
import { defineRead } from "../command.ts";
import { limitOption } from "../fields.ts";
import { reportList } from "../render.ts";
import { listApprovals, viewApproval } from "./approval.ts";

export const approvals = defineRead({
  name: "approvals",
  about: "list what waits for a second person, and what was decided last",
  fields: { limit: limitOption(50) },
  example: {
    given: "",
    shows: `Approvals
  none`,
  },
  async run({ db }, { limit: max }) {
    const rows = (await listApprovals(db, max + 1)).map(viewApproval);
    return reportList(
      { title: "Approvals", name: "approvals", rows, max },
      {
        approval: "approval_id",
        command: "command",
        record: "transaction_id",
        amount: ({ amount, currency }) => amountIn(currency, amount),
        "asked by": "asked_by",
        why: "why",
        asked: "asked_at",
        state: "state",
        "ends by": "expires_at",
      },
    );
  },
});
