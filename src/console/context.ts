/**
 * The merchant's console, `/console`: pages over the use cases of the modules (Decision 0085). A
 * page is a caller like any other; it has no rule and no statement of its own beyond reading lists.
 */

import type { AccountsContext } from "../modules/accounts/context.ts";
import type { BusinessContext } from "../modules/business/logo.ts";
import type { GatewayContext } from "../modules/gateway/port.ts";
import type { PeopleContext } from "../modules/people/context.ts";
import type { TransactionsContext } from "../modules/transactions/find-transaction.ts";
import type { WithdrawalsContext } from "../modules/withdrawals/context.ts";
import type { LiveStreams } from "./live/live-streams.ts";

export interface ConsoleContext
  extends AccountsContext,
    PeopleContext,
    BusinessContext,
    GatewayContext,
    TransactionsContext,
    WithdrawalsContext {
  readonly liveStreams: LiveStreams;
}
