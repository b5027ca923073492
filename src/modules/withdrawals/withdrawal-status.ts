/**
 * What may become of a withdrawal: one table, which the code moves by, the metadata shows and the
 * database repeats as `withdrawal_may_move`, the one that decides (Interface §3.3, Decision 0045).
 */

export const WITHDRAWAL_STATUSES = {
  pending: {
    description: "Asked for. Amount and fee are held, and no bank has been told.",
    next: ["processing", "held", "cancelled"],
  },
  processing: {
    description: "The bank has been told to pay.",
    next: ["completed", "failed", "held"],
  },
  held: {
    description: "Stopped until somebody has looked at it.",
    next: ["pending", "failed"],
  },
  completed: { description: "Paid.", next: [] },
  failed: { description: "Not paid. Amount and fee are back in the balance.", next: [] },
  cancelled: {
    description: "Taken back by its owner. Amount and fee are back in the balance.",
    next: [],
  },
} as const satisfies Record<string, { description: string; next: readonly string[] }>;

export type WithdrawalStatus = keyof typeof WITHDRAWAL_STATUSES;

export const STATUS_NAMES = Object.keys(WITHDRAWAL_STATUSES) as WithdrawalStatus[];

export function mayMove(from: WithdrawalStatus, to: WithdrawalStatus): boolean {
  return nextOf(from).includes(to);
}

export function isFinal(status: WithdrawalStatus): boolean {
  return nextOf(status).length === 0;
}

function nextOf(status: WithdrawalStatus): readonly WithdrawalStatus[] {
  return WITHDRAWAL_STATUSES[status].next;
}
