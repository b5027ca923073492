/** Bugs where money leaves, and in the cards that customers leave with merchants. */

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of other files

import type { Mutant } from "./mutant.ts";

const CARDS = "src/modules/trusted-cards";
const WITHDRAWALS = "src/modules/withdrawals";

export const moneyOutMutants: readonly Mutant[] = [
  {
    name: "payout-ordered-again-unasked",
    breaks: "after a lost answer a withdrawal is paid again without asking what became of it",
    change: {
      file: `${WITHDRAWALS}/payouts/pay-out.ts`,
      find: "if (ask_count > 1) {",
      replace: "if (ask_count > 99) {",
    },
    caughtBy: ["test/api/withdrawals/payouts.test.ts"],
  },
  {
    name: "payout-of-a-frozen-account",
    breaks: "an order that was lost is sent again although the account was frozen since",
    change: {
      file: `${WITHDRAWALS}/payout.ts`,
      find: "      and ${OF_AN_ACTIVE_ACCOUNT}`);\n  return found !== undefined;",
      replace: "`);\n  return found !== undefined;",
    },
    caughtBy: ["test/api/withdrawals/frozen.test.ts"],
  },
  {
    name: "payout-sent-past-its-lease",
    breaks: "a worker that slept orders a payout that an operator may give up meanwhile",
    change: {
      file: `${WITHDRAWALS}/payout.ts`,
      find: "and payouts.leased_until > app_now() + make_interval(secs => ${leaseSeconds})",
      replace: "and ${leaseSeconds}::int > 0",
    },
    caughtBy: ["test/api/withdrawals/races.test.ts"],
  },
  {
    name: "withdrawal-without-lock",
    breaks: "a withdrawal is cancelled and paid at once",
    change: {
      file: `${WITHDRAWALS}/move-withdrawal.ts`,
      find: "where transaction_id = ${transactionId} for no key update`);",
      replace: "where transaction_id = ${transactionId}`);",
    },
    caughtBy: ["test/api/withdrawals/races.test.ts"],
  },
  {
    name: "two-workers-claim-one-payout",
    breaks: "two workers ask the bank about the same payout at once",
    change: {
      file: `${WITHDRAWALS}/payouts/payout-loop.ts`,
      find: "order by next_ask_at limit 1\n      for no key update skip locked",
      replace: "order by next_ask_at limit 1",
    },
    caughtBy: ["test/api/withdrawals/payouts.test.ts", "test/api/withdrawals/races.test.ts"],
  },
  {
    name: "withdrawal-of-another-tenant",
    breaks: "an account reads and cancels the withdrawals of others",
    change: {
      file: `${WITHDRAWALS}/withdrawal.ts`,
      find: "where transaction_id = ${transactionId} and account_number = ${accountNumber}",
      replace: "where transaction_id = ${transactionId} and ${accountNumber}::text is not null",
    },
    caughtBy: ["test/reach.test.ts"],
  },
  {
    name: "withdrawal-of-the-other-environment",
    breaks: "a test key cancels a live withdrawal",
    change: {
      file: `${WITHDRAWALS}/withdrawal.ts`,
      find: "and environment = coalesce(${environment}, environment)",
      replace: "and ${environment}::text is not distinct from ${environment}",
    },
    caughtBy: ["test/reach.test.ts"],
  },
  {
    name: "withdrawal-fee-not-held",
    breaks: "the fee is taken from an account that has nothing left for it",
    change: {
      file: "src/modules/ledger/recipes.ts",
      find: '["available", "held", amount],\n    ["available", "held", fee],',
      replace: '["available", "held", amount],',
    },
    caughtBy: ["test/api/withdrawals/create.test.ts"],
  },
  {
    name: "fee-of-a-failed-withdrawal-kept",
    breaks: "a withdrawal that the bank rejected costs its fee",
    change: {
      file: "src/modules/ledger/recipes.ts",
      find: '["payouts_in_transit", "available", amount],\n    ["held", "available", fee],',
      replace: '["payouts_in_transit", "available", amount],\n    ["held", "fee_income", fee],',
    },
    caughtBy: ["src/modules/ledger/recipes.test.ts"],
  },
  {
    name: "one-withdrawal-a-day-too-many",
    breaks: "the daily limit lets one more through than is told",
    change: {
      file: `${WITHDRAWALS}/create-withdrawal.ts`,
      find: "max: config.withdrawals.perDayMax,",
      replace: "max: config.withdrawals.perDayMax + 1,",
    },
    caughtBy: ["test/api/withdrawals/daily-limit.test.ts"],
  },
  {
    name: "answer-to-an-ended-payout-taken",
    breaks: "an old answer of a paused worker moves a withdrawal that has gone on since",
    change: {
      file: `${WITHDRAWALS}/payouts/take-outcome.ts`,
      find: "number = ${number} and is_open`);\n  return found",
      replace: "number = ${number}`);\n  return found",
    },
    caughtBy: ["test/api/withdrawals/payouts.test.ts", "test/api/withdrawals/races.test.ts"],
  },
  {
    name: "card-of-another-tenant",
    breaks: "a merchant charges the cards that were left with others",
    change: {
      file: `${CARDS}/trusted-card.ts`,
      find: "where card_uuid = ${uuid} and account_number = ${accountNumber}",
      replace: "where card_uuid = ${uuid} and ${accountNumber}::text is not null",
    },
    caughtBy: ["test/reach.test.ts"],
  },
  {
    name: "card-of-the-other-environment",
    breaks: "a test key charges a live card",
    change: {
      file: `${CARDS}/trusted-card.ts`,
      find: "and environment = coalesce(${environment}, environment) and ${IS_THERE}",
      replace: "and ${environment}::text is not distinct from ${environment} and ${IS_THERE}",
    },
    caughtBy: ["test/reach.test.ts"],
  },
  {
    name: "fourth-guess-at-the-amount",
    breaks: "guessing at a card's small amount has one more try",
    change: {
      file: `${CARDS}/verify-card.ts`,
      find: "const TRIES_MAX = 3;",
      replace: "const TRIES_MAX = 4;",
    },
    caughtBy: ["test/api/trusted-cards/verify.test.ts"],
  },
  {
    name: "unverified-card-charged",
    breaks: "a card is charged that nobody has shown to be theirs",
    change: {
      file: `${CARDS}/charge-card.ts`,
      find: 'if (card.state !== "verified")',
      replace: 'if (card.state === "deleted")',
    },
    caughtBy: ["test/api/trusted-cards/charge.test.ts"],
  },
  {
    name: "charge-of-a-foreign-card",
    breaks: "a direct write to the database pays with another merchant's card",
    change: {
      file: `${CARDS}/charging-purpose.ts`,
      find: "return card.account_number === payment.accountNumber && ",
      replace: "return ",
    },
    caughtBy: ["test/api/trusted-cards/moved-charge.test.ts"],
  },
  {
    name: "guesses-not-counted",
    breaks: "a live card that is saved anew can be guessed at anew, for ever",
    change: {
      file: `${CARDS}/verify-card.ts`,
      find: "  await countWrongAmount(tx, guessed, { uuid });\n",
      replace: "",
    },
    caughtBy: ["test/api/trusted-cards/guessing.test.ts"],
  },
];
