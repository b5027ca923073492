import { oneOf } from "../../../kit/fields/choice.ts";
import { withDefault } from "../../../kit/fields/field.ts";
import { ENVIRONMENTS } from "../../transactions/transaction.ts";
import { asked } from "../command.ts";

/** Live is what an operator is asked about. */
export const environmentField = withDefault(
  asked(oneOf(ENVIRONMENTS), ENVIRONMENTS.join("|"), "Whose; live if absent."),
  "live",
);
