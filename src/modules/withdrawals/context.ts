/** What withdrawals need: banks, and failpoints, which only tests use. */

import type { AccountsContext } from "../accounts/context.ts";
import type { Banks } from "./payouts/bank.ts";

/** Every step between the request and the end at which a process may die. */
export const WITHDRAWAL_STEPS = [
  "create: written",
  "create: told",
  "create: money held",
  "cancel: moved",
  "dispatch: moved",
  "dispatch: claimed",
  "pay: ordered",
  "pay: answered",
  "pay: answer lost",
  "ask: due",
  "outcome: taken up",
  "outcome: withdrawal held",
  "outcome: moved",
  "outcome: kept",
] as const;

export type WithdrawalStep = (typeof WITHDRAWAL_STEPS)[number];

export interface PayoutContext extends Pick<AccountsContext, "config" | "db" | "log"> {
  readonly banks: Banks;
  /** Called at each step. Does nothing in the service. */
  readonly failpoint: (step: WithdrawalStep) => void | Promise<void>;
}

export type WithdrawalsContext = AccountsContext & PayoutContext;
