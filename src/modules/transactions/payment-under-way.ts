/** An account with a payment under way stays open: its money could not arrive (Decision 0022). */

import { sqlOf } from "../../infra/db/query.ts";
import type { ReasonToStayOpen } from "../accounts/context.ts";

export const OPEN_PAYMENT = "The account still has an open payment.";

export const paymentUnderWay: ReasonToStayOpen = async (tx, accountNumber) => {
  const open = await tx.maybeOne(sqlOf({})`
    select from transactions
    where account_number = ${accountNumber} and environment in ('live', 'sandbox')
      and status = 'incomplete'
    limit 1`);
  return open === undefined ? undefined : OPEN_PAYMENT;
};
