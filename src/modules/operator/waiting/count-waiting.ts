/** How much waits for somebody of the operator: for the menu of every page, so up to a limit. */

import { type Queryable, sqlOf } from "../../../infra/db/query.ts";
import { int } from "../../../infra/db/row.ts";
import type { ApprovableBy } from "../approvals/approvable.ts";
import { waitingFor } from "../approvals/approval.ts";
import { IS_LIVE_AND_HELD, IS_LIVE_AND_OPEN } from "./read-waiting.ts";

/** So many are counted: beyond, it is only known that there are more. */
export const COUNTED_MAX = 99;

const COUNTS = { approvals: int, withdrawals: int, disputes: int };

export function countWaiting(db: Queryable, by: ApprovableBy) {
  return db.one(sqlOf(COUNTS)`
    select
      (select count(*)::int from (
        select from approvals where ${waitingFor(by)} limit ${COUNTED_MAX + 1}) as one)
        as approvals,
      (select count(*)::int from (
        select from withdrawals where ${IS_LIVE_AND_HELD} limit ${COUNTED_MAX + 1}) as one)
        as withdrawals,
      (select count(*)::int from (
        select from disputes where ${IS_LIVE_AND_OPEN} limit ${COUNTED_MAX + 1}) as one)
        as disputes`);
}
