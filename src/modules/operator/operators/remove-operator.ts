/** Ends somebody's access to `/operator` at once; what they did stays in the audit trail. */

import { OperatorError } from "../../../kit/errors.ts";
import { demandOperator, removeOperator as remove } from "../../people/operators/operator.ts";
import { defineAction } from "../command.ts";
import { emailField } from "./operator-fields.ts";

export const removeOperator = defineAction({
  name: "remove-operator",
  right: "manage",
  about: "end an operator's access at once",
  more: "Their sessions and links end on every process. One admin must stay.",
  fields: { email: emailField },
  subject: "email",
  example: {
    given: "anika@example.com",
    shows: "anika@example.com is no operator any more.",
    entry: 3,
  },
  run: (_ctx, { email }, act) =>
    act(async (tx) => {
      const operator = await demandOperator(tx, email);
      if (operator.removed_at !== null) throw new OperatorError(`${email} was removed already.`);
      await remove(tx, operator);
      return {
        entry: { action: "operator_removed", detail: { operator: email } },
        data: { email },
        text: `${email} is no operator any more.`,
      };
    }),
});
