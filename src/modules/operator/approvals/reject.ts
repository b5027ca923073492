/** A second person does not agree, or the first one takes it back: nothing is done. */

import { defineAction } from "../command.ts";
import { claimApproval, endApproval } from "./approval.ts";
import { approvalIdField, entryOf, nameOf } from "./approve.ts";

export const reject = defineAction({
  name: "reject",
  right: "look",
  about: "end a request for a second person, so that nothing is done",
  more: "Also by who asked for it, to take it back.",
  fields: { approval_id: approvalIdField },
  subject: "approval_id",
  example: {
    given: "5f0c2a4e-93b1-4c57-8d6a-1e2f3a4b5c6d",
    shows: "The request for release-withdrawal is rejected. Nothing was done.",
    entry: 16,
  },
  run: (_ctx, { approval_id: approvalId }, act) =>
    act(async (tx, signature) => {
      const row = await claimApproval(tx, approvalId);
      await endApproval(tx, approvalId, {
        state: "rejected",
        by: nameOf(signature),
        because: signature.why,
      });
      return {
        entry: entryOf(row, "approval_rejected"),
        data: { approval_id: approvalId, state: "rejected" },
        text: `The request for ${row.command} is rejected. Nothing was done.`,
      };
    }),
});
