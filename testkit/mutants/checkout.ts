/** Bugs of the hosted checkout, from the submitted card to the result. */

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of other files

import type { Mutant } from "./mutant.ts";

const CHECKOUT = "src/modules/checkout";

export const checkoutMutants: readonly Mutant[] = [
  {
    name: "contradictory-challenge-post-taken",
    breaks: "a post of the bank's page that says two things at once is taken by its last word",
    change: {
      file: `${CHECKOUT}/page/routes.ts`,
      find: "    repeatsMustAgree: true,\n",
      replace: "",
    },
    caughtBy: ["test/api/checkout/challenge-live.test.ts"],
  },
  {
    name: "challenge-frame-leads-the-window",
    breaks: "a bank's page can lead the customer's whole window elsewhere",
    change: {
      file: `${CHECKOUT}/page/render-challenge.ts`,
      find: 'allow-same-origin allow-popups";',
      replace: 'allow-same-origin allow-popups allow-top-navigation";',
    },
    caughtBy: ["test/api/checkout/challenge-live.test.ts"],
  },
  {
    name: "undecided-session-expired",
    breaks: "an order whose card is being decided by its bank is told to have timed out",
    change: {
      file: `${CHECKOUT}/session/end-sessions.ts`,
      find: "if (session === undefined || (attempt && isUndecided(attempt.state))) return [];",
      replace: "if (session === undefined) return [];",
    },
    caughtBy: [
      "test/api/checkout/session-time.test.ts",
      "test/api/checkout/session-races.test.ts",
      "test/api/checkout/replaced.test.ts",
    ],
  },
  {
    name: "stuck-session-keeps-its-batch",
    breaks: "one session that cannot be ended makes all others end one by one, for ever",
    change: {
      file: `${CHECKOUT}/session/sweep.ts`,
      find: "stuck.set(transactionId, true);",
      replace: "stuck.delete(transactionId);",
    },
    caughtBy: ["test/api/checkout/session-untried.test.ts"],
  },
  {
    name: "form-sent-twice-charges-twice",
    breaks: "a form that is sent again tries another card",
    change: {
      file: `${CHECKOUT}/session/begin-attempts.ts`,
      find: "and attempt_count = seen_attempts and attempt_count <",
      replace: "and attempt_count >= seen_attempts and attempt_count <",
    },
    caughtBy: [
      "test/api/checkout/session-races.test.ts",
      "test/api/checkout/session-cards.test.ts",
    ],
  },
  {
    name: "session-without-lock",
    breaks: "two ends of one session are both taken for the first",
    change: {
      file: `${CHECKOUT}/session/session.ts`,
      find: "order by session.transaction_id for update of session ${skipLocked(locks)}`",
      replace: "order by session.transaction_id for share of session ${skipLocked(locks)}`",
    },
    caughtBy: ["test/api/checkout/session-races.test.ts"],
  },
  {
    name: "click-that-came-together-counts",
    breaks: "two clicks of one moment are two attempts, and the whole batch is refused for it",
    change: {
      file: `${CHECKOUT}/session/begin-attempts.ts`,
      find: "select distinct on (transaction_id) * from judged",
      replace: "select * from judged",
    },
    caughtBy: ["test/api/checkout/together.test.ts"],
  },
  {
    name: "card-tried-beside-one-under-way",
    breaks: "a second card is sent while the first is being decided",
    change: {
      file: `${CHECKOUT}/session/begin-attempts.ts`,
      find: "where is_next and not is_under_way",
      replace: "where is_next",
    },
    caughtBy: ["test/api/checkout/together.test.ts"],
  },
  {
    name: "expired-session-pays",
    breaks: "a card is charged after the customer was told that the time is over",
    change: {
      file: `${CHECKOUT}/session/begin-attempts.ts`,
      find: "state = 'open' and expires_at > (select app_now())",
      replace: "state = 'open'",
    },
    caughtBy: ["test/api/checkout/session-time.test.ts"],
  },
  {
    name: "told-result-approved",
    breaks: "an approval after the result was told is taken as if nothing had been told",
    change: {
      file: `${CHECKOUT}/session/judge-answer.ts`,
      find: 'if (attempt.session_state === "ended") return undo(answer);',
      replace: "",
    },
    caughtBy: ["test/api/checkout/together.test.ts"],
  },
  {
    name: "one-bad-checkout-spoils-the-batch",
    breaks: "what the database refuses of one is refused to all that came beside it",
    change: {
      file: "src/infra/db/write-batch.ts",
      find: "if (error instanceof Unavailable && !hasWaited) throw error;",
      replace: "throw error;",
    },
    caughtBy: ["test/api/checkout/together.test.ts"],
  },
  {
    name: "batch-waits-for-a-held-session",
    breaks: "one session that is locked elsewhere keeps every other customer waiting",
    change: {
      file: `${CHECKOUT}/session/begin-attempts.ts`,
      find: "order by transaction_id for update skip locked",
      replace: "order by transaction_id for update",
    },
    caughtBy: ["test/api/checkout/together.test.ts"],
  },
  {
    name: "answers-wait-for-a-held-session",
    breaks: "one session that is locked elsewhere keeps every other answer waiting",
    change: {
      file: `${CHECKOUT}/session/session.ts`,
      find: 'return locks === "wait" ? empty : sql`skip locked`;',
      replace: 'return locks === "wait" ? empty : empty;',
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
      file: `${CHECKOUT}/session/judge-answer.ts`,
      find: "attempt_count - not_taken_count < TRIES_MAX",
      replace: "attempt_count - not_taken_count <= TRIES_MAX",
    },
    caughtBy: ["test/api/checkout/session-cards.test.ts"],
  },
  {
    name: "late-approval-kept",
    breaks: "a customer who was told of a decline is charged all the same",
    change: {
      file: `${CHECKOUT}/session/judge-answer.ts`,
      find: 'if (answer.outcome === "approved" && state === "declined") return',
      replace: 'if (answer.outcome === "approved" && state === "voided") return',
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
      file: `${CHECKOUT}/session/end-sessions.ts`,
      find: "  await ctx.db.waitForStandby();\n",
      replace: "",
    },
    caughtBy: ["test/faults/standby.test.ts"],
  },
  {
    name: "result-signed-with-the-hash-key",
    breaks: "the weaker of a merchant's keys is enough to forge a result",
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
      file: "src/infra/http/own-form.ts",
      find: "sameBytes(digestOf(pepper, form), bytes)",
      replace: "digestOf(pepper, form).length >= bytes.length",
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
