/** Bugs of the hosted checkout, from the submitted card to the result. */

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of other files

import type { Mutant } from "./mutant.ts";

const CHECKOUT = "src/modules/checkout";

export const checkoutMutants: readonly Mutant[] = [
  {
    name: "tried-session-expired-as-untried",
    breaks: "an order whose card is being decided by its bank is told to have timed out",
    change: {
      file: `${CHECKOUT}/session/expire-untried.ts`,
      find: "and purpose = 'payment' and attempt_count = 0",
      replace: "and purpose = 'payment'",
    },
    caughtBy: ["test/api/checkout/session-untried.test.ts"],
  },
  {
    name: "saving-expired-with-payments",
    breaks: "while somebody is late to save a card, all orders end one by one",
    change: {
      file: `${CHECKOUT}/session/expire-untried.ts`,
      find: "and purpose = 'payment' and attempt_count = 0",
      replace: "and attempt_count = 0",
    },
    caughtBy: ["test/api/checkout/session-untried.test.ts"],
  },
  {
    name: "expired-session-pays",
    breaks: "a card is charged after the customer was told that the time is over",
    change: {
      file: `${CHECKOUT}/session/submit-card.ts`,
      find: 'state === "ended" || is_over || attempt_count !== seenAttempts',
      replace: 'state === "ended" || attempt_count !== seenAttempts',
    },
    caughtBy: ["test/api/checkout/session-time.test.ts"],
  },
  {
    name: "form-sent-twice-charges-twice",
    breaks: "a form that is sent again tries another card",
    change: {
      file: `${CHECKOUT}/session/submit-card.ts`,
      find: "is_over || attempt_count !== seenAttempts",
      replace: "is_over || attempt_count < seenAttempts",
    },
    caughtBy: [
      "test/api/checkout/session-races.test.ts",
      "test/api/checkout/session-cards.test.ts",
    ],
  },
  {
    name: "session-without-lock",
    breaks: "two cards at once are both tried as the first",
    change: {
      file: `${CHECKOUT}/session/session.ts`,
      find: "where session.transaction_id = ${transactionId} for update of session`",
      replace: "where session.transaction_id = ${transactionId}`",
    },
    caughtBy: ["test/api/checkout/session-races.test.ts"],
  },
  {
    name: "click-that-came-together-counts",
    breaks: "two clicks of one moment are two attempts, and the whole batch is refused for it",
    change: {
      file: `${CHECKOUT}/session/begin-attempts.ts`,
      find: "select distinct on (transaction_id) asked.* from asked",
      replace: "select asked.* from asked",
    },
    caughtBy: ["test/api/checkout/together.test.ts"],
  },
  {
    name: "old-form-goes-with-the-others",
    breaks: "a form that was sent before tries a card again, in the company of others",
    change: {
      file: `${CHECKOUT}/session/begin-attempts.ts`,
      find: "where attempt_count = seen_attempts and not exists (",
      replace: "where not exists (",
    },
    caughtBy: ["test/api/checkout/together.test.ts"],
  },
  {
    name: "time-over-goes-with-the-others",
    breaks: "a card is charged after the time, in the company of others",
    change: {
      file: `${CHECKOUT}/session/begin-attempts.ts`,
      find: "and state || '' = 'open' and expires_at > (select app_now())",
      replace: "and state || '' = 'open'",
    },
    caughtBy: ["test/api/checkout/session-time.test.ts"],
  },
  {
    name: "told-result-approved-together",
    breaks: "an approval after the result was told is refused with all that came beside it",
    change: {
      file: `${CHECKOUT}/session/session.ts`,
      find: "and purpose = any(${purposes}) and state || '' = 'open'",
      replace: "and purpose = any(${purposes})",
    },
    caughtBy: ["test/api/checkout/together.test.ts"],
  },
  {
    name: "answer-about-another-session",
    breaks: "an attempt is approved while the session of another is held",
    change: {
      file: `${CHECKOUT}/session/change-attempt.ts`,
      find: "      and attempt.transaction_id = given.transaction_id\n",
      replace: "",
    },
    caughtBy: ["test/api/checkout/together.test.ts"],
  },
  {
    name: "one-bad-checkout-spoils-the-batch",
    breaks: "what the database refuses of one is refused to all that came beside it",
    change: {
      file: `${CHECKOUT}/session/or-left-out.ts`,
      find: "if (error instanceof Unavailable && !hasWaited) throw error;",
      replace: "throw error;",
    },
    caughtBy: ["test/api/checkout/together.test.ts"],
  },
  {
    name: "batch-waits-for-a-held-session",
    breaks: "one session that somebody holds keeps every other customer waiting",
    change: {
      file: `${CHECKOUT}/session/begin-attempts.ts`,
      find: "order by transaction_id for update skip locked",
      replace: "order by transaction_id for update",
    },
    caughtBy: ["test/api/checkout/together.test.ts"],
  },
  {
    name: "approvals-wait-for-a-held-session",
    breaks: "one session that somebody holds keeps every other approval waiting",
    change: {
      file: `${CHECKOUT}/session/session.ts`,
      find: "for update of checkout_sessions skip locked",
      replace: "for update of checkout_sessions",
    },
    caughtBy: ["test/api/checkout/together.test.ts"],
  },
  {
    name: "cards-given-back-twice",
    breaks: "tried cards are forgotten that were declined",
    change: {
      file: `${CHECKOUT}/session/card-windows.ts`,
      find: "greatest(count - greatest(returned_count - newer_count, 0), 0)::int",
      replace: "greatest(count - returned_count, 0)::int",
    },
    caughtBy: ["test/api/checkout/card-windows.test.ts"],
  },
  {
    name: "open-after-the-last-card",
    breaks: "the fifth declined card ends nothing, and the customer waits for a page to go on",
    change: {
      file: `${CHECKOUT}/session/take-answer.ts`,
      find: "session.attempt_count < ATTEMPTS_MAX",
      replace: "session.attempt_count <= ATTEMPTS_MAX",
    },
    caughtBy: ["test/api/checkout/session-cards.test.ts"],
  },
  {
    name: "late-approval-kept",
    breaks: "a customer who was told of a decline is charged all the same",
    change: {
      file: `${CHECKOUT}/session/take-answer.ts`,
      find: 'if (answer.outcome === "approved" && state === "declined") {',
      replace: 'if (answer.outcome === "approved" && state === "voided") {',
    },
    caughtBy: [
      "test/api/checkout/session-trouble.test.ts",
      "test/api/checkout/session-time.test.ts",
    ],
  },
  {
    name: "result-that-only-the-primary-has",
    breaks: "a merchant ships for a payment that is gone when the standby takes over",
    change: {
      file: `${CHECKOUT}/session/end-session.ts`,
      find: "  await ctx.db.waitForStandby();\n",
      replace: "",
    },
    caughtBy: ["test/faults/standby.test.ts"],
  },
  {
    name: "result-signed-with-the-hash-key",
    breaks: "whoever has the weaker of a merchant's keys can forge a result",
    change: {
      file: `${CHECKOUT}/result/result-parameters.ts`,
      find: "return [...told, ...hash, signature(told, keys.signingSecret)];",
      replace: "return [...told, ...hash, signature(told, keys.hashKey)];",
    },
    caughtBy: ["test/api/checkout/results.test.ts"],
  },
  {
    name: "form-of-any-page-believed",
    breaks: "another site can send a customer's card form",
    change: {
      file: `${CHECKOUT}/page/form-token.ts`,
      find: "sameBytes(digestOf(pepper, token), bytes)",
      replace: "digestOf(pepper, token).length >= bytes.length",
    },
    caughtBy: ["test/api/checkout/page.test.ts"],
  },
  {
    name: "one-address-closes-a-bank",
    breaks: "declines of one address close a merchant's page to the customers of a bank",
    change: {
      file: `${CHECKOUT}/session/card-testing.ts`,
      find: "return Math.min(share, Math.ceil(perBin / 2));",
      replace: "return Math.max(share, perBin);",
    },
    caughtBy: ["test/api/checkout/card-testing.test.ts"],
  },
  {
    name: "every-ipv6-address-is-somebody-else",
    breaks: "one customer's /64 tries out as many cards as it has addresses",
    change: {
      file: `${CHECKOUT}/session/card-testing.ts`,
      find: "const address = limitedAddress(tried.address);",
      replace: "const { address } = tried;",
    },
    caughtBy: ["test/api/checkout/card-testing.test.ts"],
  },
  {
    name: "declines-of-both-environments-together",
    breaks: "cards declined in the sandbox close the live page",
    change: {
      file: `${CHECKOUT}/session/card-testing.ts`,
      find: "windowKey(`declined ${name}`, `${environment} ${subject}`);",
      replace: "windowKey(`declined ${name}`, subject + environment.slice(9));",
    },
    caughtBy: ["test/api/checkout/environments.test.ts"],
  },
];
