/** Errors about money that leaves an account. */

import type { ErrorEntry } from "./entry.ts";

export const WITHDRAWAL_ERRORS = {
  insufficient_funds: {
    status: 422,
    title: "Insufficient funds",
    statement: "The available balance is smaller than the amount and its fee.",
    hint: "Check the available balance of that currency and environment with GET /user/.",
    example: "Insufficient funds.",
  },
  no_bank_details: {
    status: 422,
    title: "No bank details for this currency",
    statement: "The payee has no bank details to which this currency can be paid.",
    hint: "Add bank details with POST /user/banks/{type}, or withdraw another currency.",
    example: "There are no bank details for USD.",
  },
  withdrawal_cannot_move: {
    status: 409,
    title: "Status does not allow it",
    statement: "The status of the withdrawal does not allow this change.",
    hint: "Read the withdrawal; GET /withdrawals/meta lists which status can follow which.",
    example: "The withdrawal cannot be cancelled: its status is completed.",
  },
} as const satisfies Record<string, ErrorEntry>;
