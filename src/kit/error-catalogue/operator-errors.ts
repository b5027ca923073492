/** Errors of the operator's commands, which are printed in a terminal. */

import { entries } from "./entry.ts";

const TERMINAL = { status: 409, origin: "terminal" } as const;

export const OPERATOR_ERRORS = entries(TERMINAL, {
  unknown_account: {
    status: 404,
    title: "Unknown account",
    statement: "No account has this number.",
    hint: "Check the account number.",
    example: "There is no account 1234567890.",
  },
  unknown_payment: {
    status: 404,
    title: "Unknown payment",
    statement: "No payment has this transaction id.",
    hint: "Check the transaction id.",
    example: "There is no payment TT-01K9ZJ8Y2QK3V7M5D9T4X6B8R0.",
  },
  unknown_refund: {
    status: 404,
    title: "Unknown refund",
    statement: "No refund has this id.",
    hint: "Find the refund's id with show-payment.",
    example: "There is no refund 3f0c2b9e-8d41-4a7c-9a53-0b1e6f2d7c84.",
  },
  unknown_withdrawal: {
    status: 404,
    title: "Unknown withdrawal",
    statement: "No withdrawal has this transaction id.",
    hint: "Check the transaction id.",
    example: "There is no withdrawal TT-01K9ZJ8Y2QK3V7M5D9T4X6B8R0.",
  },
  unknown_batch: {
    status: 404,
    title: "Unknown bank file",
    statement: "No bank file has this message id.",
    hint: "List the files with bank-files.",
    example: "There is no bank file WW-20261115-1. List them with bank-files.",
  },
  account_refuses: {
    title: "State of the account",
    statement: "The state of the account does not allow the command, or is the one it would set.",
    hint: "Look at the account with show-account.",
    example: "Account 1234567890 is frozen already.",
  },
  withdrawal_refuses: {
    title: "State of the withdrawal",
    statement: "The state of the withdrawal does not allow the command.",
    hint: "Look at the withdrawal with show-withdrawal.",
    example: "TT-01K9ZJ8Y2QK3V7M5D9T4X6B8R0 is held already.",
  },
  refund_cannot_be_rejected: {
    title: "Refund cannot be rejected",
    statement: "The refund has ended, or the gateway may have carried it out.",
    hint: "Look at the payment with show-payment.",
    example: "The refund cannot be rejected: the gateway has done it.",
  },
  dispute_forbidden: {
    title: "Dispute not possible",
    statement: "The state of the payment allows no such dispute.",
    hint: "Look at the payment with show-payment.",
    example: "The transaction was not paid: it is failed.",
  },
  disputed_too_much: {
    status: 422,
    title: "Disputed too much",
    statement: "The amount is larger than what is neither refunded nor disputed.",
    hint: "Dispute at most what is left.",
    example: "The amount is more than is neither refunded nor disputed: 25.00 USD.",
  },
  no_key_to_rotate: {
    title: "No signing keys",
    statement: "The service has not been started yet, so it has no signing keys.",
    hint: "Start the service once.",
    example: "There are no signing keys yet: the first start of the service makes them.",
  },
  wrapping_key_missing: {
    title: "Wrapping key missing",
    statement: "Cards are sealed with a wrapping key that is not configured.",
    hint: "Put the key back into the setting WRAPPING_KEYS.",
    example: "The wrapping key 2026a, which cards are sealed with, is not in WRAPPING_KEYS.",
  },
  payout_key_missing: {
    status: 503,
    title: "Wrapping key missing",
    statement: "Payout details are sealed with a wrapping key that is not configured.",
    hint: "Put the key back into the setting WRAPPING_KEYS.",
    example:
      "The numbers of TT-01K9ZJ8Y2QK3V7M5D9T4X6B8R0 are sealed with the wrapping key 2026a, " +
      "which is not configured. Put it back into the setting WRAPPING_KEYS.",
  },
  file_refused: {
    status: 400,
    title: "File cannot be read or written",
    statement: "A file that was named is not there, cannot be read, or would be overwritten.",
    hint: "Check the path and its permissions.",
    example: "There is no such file: status.xml",
  },
  bad_status_file: {
    status: 400,
    title: "Not a status report",
    statement: "The file is not a payment status report that can be read.",
    hint: "Ask the bank for a pain.002 file in UTF-8.",
    example: "The file is not UTF-8. Nothing was changed.",
  },
  too_many_payouts: {
    title: "Too many payouts",
    statement: "There are more payouts than one export holds.",
    hint: "Ask for one platform at a time with --country.",
    example:
      "There are more than 10000 payouts of live. Ask for one platform at a time with --country.",
  },
  no_payout_account: {
    title: "No account to pay from",
    statement: "No account of the operator's is configured for this currency and platform.",
    hint: "Name it in the setting PAYOUT_ACCOUNTS.",
    example: "There is no account to pay TTD of TT from. Name it in the setting PAYOUT_ACCOUNTS.",
  },
  nothing_to_pay: {
    title: "Nothing to pay",
    statement: "No withdrawal of this currency and platform waits to be paid.",
    hint: "List the withdrawals that wait with stuck-withdrawals.",
    example:
      "No withdrawal in TTD of TT waits to be paid. Those of frozen accounts are left out; " +
      "stuck-withdrawals shows them.",
  },
  paid_by_the_simulator: {
    title: "Paid by the simulated bank",
    statement: "Live withdrawals are paid by the simulated bank, so no bank file can be made.",
    hint: "Start the service with LIVE_PAYOUTS=files.",
    example:
      "The simulated bank pays live withdrawals here. To try bank files, start the service and " +
      "run this command with LIVE_PAYOUTS=files.",
  },
  unknown_webhook: {
    status: 404,
    title: "Unknown webhook endpoint",
    statement: "There is no webhook endpoint with this id.",
    hint: "List those that fail with failing-webhooks.",
    example: "There is no webhook endpoint 0f7d3a52-8a3e-4d0c-9a39-2f4f1c7b6e10.",
  },
  webhook_refuses: {
    title: "Webhook endpoint cannot be revived",
    statement: "The endpoint works, or its owner disabled it.",
    hint: "Look at it with show-webhook; only its owner enables what the owner disabled.",
    example: "Webhook endpoint 0f7d3a52-8a3e-4d0c-9a39-2f4f1c7b6e10 is active and does not fail.",
  },
  search_too_wide: {
    status: 400,
    title: "Search too wide",
    statement: "The search would read every payment, because no index answers it.",
    hint: "Add --account, or --since with a day.",
    example:
      "--email needs --account or --since: payments have no index by e-mail, so all of that " +
      "account or since that day are read.",
  },
});
