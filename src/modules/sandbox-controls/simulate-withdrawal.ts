/**
 * Moves a sandbox withdrawal as its bank or an operator would, on request (Decision 0102): through
 * the one function that moves a status. The simulated bank's journal is decided in the same tx, so
 * an answer of the bank that comes at the same moment says the same or finds it moved.
 */

import { recordAudit } from "../../infra/audit.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { type Caller, demandSandbox } from "../../infra/http/caller.ts";
import { scrub } from "../../kit/scrub.ts";
import type { Environment } from "../../kit/vocabulary.ts";
import { holdCredential } from "../auth/hold-credential.ts";
import {
  lockWithdrawal,
  moveWithdrawal,
  type WithdrawalMove,
} from "../withdrawals/move-withdrawal.ts";
import { forcePayout } from "../withdrawals/payouts/sandbox-bank.ts";
import {
  findWithdrawal,
  mayMove,
  STATUS_NAMES,
  type WithdrawalRow,
  type WithdrawalStatus,
} from "../withdrawals/withdrawal.ts";
import { DecidedOtherwise, SimulationRefused } from "./simulation-refused.ts";

/** So long the bank leaves it to the next simulation; then it pays, as it would have at once. */
const BANK_WAITS_SECONDS = 600;

const STATUS_OF = {
  process: "processing",
  complete: "completed",
  fail: "failed",
  hold: "held",
  release: "pending",
  return: "returned",
} as const satisfies Record<string, WithdrawalStatus>;

export type WithdrawalOutcome = keyof typeof STATUS_OF;

export const WITHDRAWAL_OUTCOMES = Object.keys(STATUS_OF) as WithdrawalOutcome[];

const REASONS: Partial<Record<WithdrawalOutcome, string>> = {
  fail: "The bank rejected the payment.",
  hold: "The bank is looking at the payment.",
  return: "The bank sent the payment back.",
};

/** Outcomes that tell the owner why. */
export const TAKE_REASON = Object.keys(REASONS);

export function allowedWithdrawalOutcomes({ status }: WithdrawalRow): WithdrawalOutcome[] {
  return WITHDRAWAL_OUTCOMES.filter((outcome) => mayMove(status, STATUS_OF[outcome]));
}

export function withdrawalRefused(
  outcome: WithdrawalOutcome,
  status: WithdrawalStatus,
): SimulationRefused {
  const needs = STATUS_NAMES.filter((from) => mayMove(from, STATUS_OF[outcome]));
  return new SimulationRefused(`The outcome ${outcome}`, needs, `the withdrawal is ${status}`);
}

export interface WithdrawalSimulation {
  readonly transactionId: string;
  readonly environment: Environment | undefined;
  readonly outcome: WithdrawalOutcome;
  readonly reason: string | undefined;
}

/** Returns the withdrawal as it is then. */
export async function simulateWithdrawal(
  tx: Tx,
  caller: Caller,
  { transactionId, environment, outcome, reason }: WithdrawalSimulation,
): Promise<WithdrawalRow> {
  await holdCredential(tx, caller, "read");
  demandSandbox(caller, environment);
  const { accountNumber } = caller;
  await findWithdrawal(tx, { transactionId, accountNumber, environment: "sandbox" });
  const row = await lockWithdrawal(tx, transactionId);
  if (!mayMove(row.status, STATUS_OF[outcome])) throw withdrawalRefused(outcome, row.status);
  await forceBank(tx, row, outcome);
  await recordAudit(tx, caller, "withdrawal_simulated", {
    detail: { transaction_id: transactionId, outcome },
  });
  return moveWithdrawal(tx, transactionId, moveOf(outcome, reason));
}

function moveOf(outcome: WithdrawalOutcome, given: string | undefined): WithdrawalMove {
  const reason = scrub(given ?? REASONS[outcome] ?? "");
  switch (outcome) {
    case "process":
      return { to: "processing", how: { leaseSeconds: BANK_WAITS_SECONDS } };
    case "complete":
      return { to: "completed" };
    case "fail":
      return { to: "failed", reason };
    case "hold":
      return { to: "held", reason };
    case "release":
      return { to: "pending" };
    case "return":
      return { to: "returned", reason };
  }
}

/** What the bank answers from now on, where it has the order. */
async function forceBank(tx: Tx, row: WithdrawalRow, outcome: WithdrawalOutcome): Promise<void> {
  const wanted = BANK_OUTCOME[outcome];
  if (wanted === undefined || row.payout_count === 0) return;
  const decided = await forcePayout(tx, row, wanted);
  if (decided !== (wanted === "held" ? null : wanted))
    throw new DecidedOtherwise(outcome, `${decided} it`);
}

const BANK_OUTCOME: Partial<Record<WithdrawalOutcome, "paid" | "rejected" | "held">> = {
  complete: "paid",
  fail: "rejected",
  hold: "held",
};
