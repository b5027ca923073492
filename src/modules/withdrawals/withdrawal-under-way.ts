/** An account whose withdrawal is under way stays open: it may come back (Decision 0022). */

import { sqlOf } from "../../infra/db/query.ts";
import type { ReasonToStayOpen } from "../accounts/context.ts";

export const OPEN_WITHDRAWAL = "The account still has an open withdrawal.";

export const withdrawalUnderWay: ReasonToStayOpen = async (tx, accountNumber) => {
  const open = await tx.maybeOne(sqlOf({})`
    select from withdrawals
    where account_number = ${accountNumber} and status in ('pending', 'processing', 'held')
    limit 1`);
  return open === undefined ? undefined : OPEN_WITHDRAWAL;
};
