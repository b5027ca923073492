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
    shows: [
      "Approvals",
      "  approval                              command             " +
        "record                         amount       asked by           why          " +
        "asked                 state    ends by",
      "  5f0c2a4e-93b1-4c57-8d6a-1e2f3a4b5c6d  release-withdrawal  " +
        "TT-01KGWQ6Y7RN5C0P8V3T2M4X9ZD  6000.00 TTD  anika@example.com  ticket 4711  " +
        "2026-11-15 06:32:08Z  waiting  2026-11-16 06:32:08Z",
    ].join("\n"),
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
