/** Bugs in the live acquirer's adapter: money charged, given back or lost twice, or never. */

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of other files

import type { Mutant } from "./mutant.ts";

const POWERTRANZ = "src/modules/gateway/powertranz";
const TESTS = "test/acquirer/powertranz";

export const acquirerMutants: readonly Mutant[] = [
  {
    name: "challenge-of-any-token-completed",
    breaks: "who knows the reference of a sale completes it with a token made up",
    change: {
      file: `${POWERTRANZ}/complete-sale.ts`,
      find: "if (entry === undefined || entry.challenge_digest !== token)",
      replace: "if (entry === undefined || token === undefined)",
    },
    caughtBy: [`${TESTS}/completion.test.ts`],
  },
  {
    name: "unauthenticated-card-completed",
    breaks: "we carry the loss of a fraud that the card's bank would have carried",
    change: {
      file: `${POWERTRANZ}/complete-sale.ts`,
      find: "if (takesUnauthenticated || AUTHENTICATED.includes(authentication)) return undefined;",
      replace: "if (takesUnauthenticated || code !== undefined) return undefined;",
    },
    caughtBy: [`${TESTS}/unauthenticated.test.ts`],
  },
  {
    name: "browser-believed-about-authentication",
    breaks: "a forged post gets a card charged whose customer no bank has authenticated",
    change: {
      file: `${POWERTRANZ}/sale-outcome.ts`,
      find: "  return AUTHENTICATED.includes(authentication);",
      replace: "  return true;",
    },
    caughtBy: [`${TESTS}/unauthenticated.test.ts`],
  },
  {
    name: "completion-sent-twice",
    breaks: "two posts of one customer send the one call that charges twice",
    change: {
      file: `${POWERTRANZ}/sale-journal.ts`,
      find: "where reference = ${reference} and state = 'prepared'",
      replace: "where reference = ${reference} and state in ('prepared', 'completing')",
    },
    caughtBy: [`${TESTS}/completion.test.ts`],
  },
  {
    name: "reversed-sale-approved",
    breaks: "a sale that was undone counts as paid: the merchant is credited what nobody paid",
    change: {
      file: `${POWERTRANZ}/sale-journal.ts`,
      find: "(voided_at is not null or undo_due_at is not null",
      replace: "(undo_due_at is not null",
    },
    caughtBy: [`${TESTS}/doubtful-lookups.test.ts`, `${TESTS}/transport.test.ts`],
  },
  {
    name: "undoing-forgotten-by-lookups",
    breaks: "a sale whose money is being given back is taken for paid by a later look at it",
    change: {
      file: `${POWERTRANZ}/sale-outcome.ts`,
      find: "  if (entry.undo_due_at !== null) return undo(parts, entry);\n",
      replace: "",
    },
    caughtBy: [`${TESTS}/unauthenticated.test.ts`],
  },
  {
    name: "refund-sent-again-unasked",
    breaks: "a refund whose answer was lost is sent again, and the customer has it twice",
    change: {
      file: `${POWERTRANZ}/refund-journal.ts`,
      find: "where entry.state = 'not_found' and",
      replace: "where entry.state in ('sent', 'not_found') and",
    },
    caughtBy: [`${TESTS}/transport.test.ts`, `${TESTS}/lookups.test.ts`],
  },
  {
    name: "invisible-refund-sent-again",
    breaks: "a refund that the acquirer does not show yet is sent a second time",
    change: {
      file: `${POWERTRANZ}/undo.ts`,
      find: 'if (found === "cannot say" || entry.age_seconds < CALL_ENDED_SECONDS)',
      replace: 'if (found === "cannot say" && entry.age_seconds < CALL_ENDED_SECONDS)',
    },
    caughtBy: [`${TESTS}/lookups.test.ts`, `${TESTS}/doubtful-lookups.test.ts`],
  },
  {
    name: "refund-missed-without-proof",
    breaks: "a list that lacks a refund is taken for proof that there is none",
    change: {
      file: `${POWERTRANZ}/lookup.ts`,
      find: "return isWhole && isComplete && !names.includes(undefined)",
      replace: "return isWhole && !names.includes(undefined)",
    },
    caughtBy: [`${TESTS}/doubtful-lookups.test.ts`],
  },
  {
    name: "lookup-of-another-kind-believed",
    breaks: "an error in the form of a record decides a sale",
    change: {
      file: `${POWERTRANZ}/lookup.ts`,
      find: "    answer.errors.length === 0;\n  if (!isOurs)",
      replace: "    true;\n  if (!isOurs && answer.amount === -1)",
    },
    caughtBy: [`${TESTS}/doubtful-lookups.test.ts`],
  },
  {
    name: "void-and-refund-of-one-sale",
    breaks: "a void is under way when the whole is refunded: the money goes back twice",
    change: {
      file: `${POWERTRANZ}/undo.ts`,
      find: 'if (known.outcome === "never seen" && isVoidUnderWay(sale))',
      replace: 'if (known.outcome === "rejected" && isVoidUnderWay(sale))',
    },
    caughtBy: [`${TESTS}/undo.test.ts`, `${TESTS}/lookup-off.test.ts`],
  },
  {
    name: "sale-undone-while-on-the-wire",
    breaks: "a sale that is being charged is called lost, and undone, while its call still runs",
    change: {
      file: `${POWERTRANZ}/sale-outcome.ts`,
      find: "if (found === undefined && entry.age_seconds < CALL_ENDED_SECONDS)",
      replace: "if (found === undefined && entry.age_seconds < 0)",
    },
    caughtBy: [`${TESTS}/lookups.test.ts`],
  },
  {
    name: "approval-of-another-amount",
    breaks: "the acquirer approves one dollar, and the merchant delivers for a hundred",
    change: {
      file: `${POWERTRANZ}/answer.ts`,
      find: "    fits(answer.amount, majorUnits(amount)) &&\n",
      replace: "",
    },
    caughtBy: [`${TESTS}/answers.test.ts`],
  },
  {
    name: "part-approval-taken",
    breaks: "an approval under a condition counts as the whole",
    change: {
      file: `${POWERTRANZ}/answer.ts`,
      find: "!isClean || CONDITIONAL_CODES.has(code))",
      replace: "!isClean)",
    },
    caughtBy: [`${TESTS}/answers.test.ts`],
  },
  {
    name: "acquirer-asked-while-down",
    breaks: "each customer waits a minute for an acquirer that is known to be silent",
    change: {
      file: `${POWERTRANZ}/circuit.ts`,
      find: "if (failures < IN_A_ROW_MAX || isOpen()) return;",
      replace: "if (failures < 100 * IN_A_ROW_MAX || isOpen()) return;",
    },
    caughtBy: [`${TESTS}/circuit.test.ts`],
  },
  {
    name: "redirect-counts-as-an-answer",
    breaks: "a page of the proxy in front decides what became of a sale",
    change: {
      file: `${POWERTRANZ}/client.ts`,
      find: "  if (statusCode !== 200) {",
      replace: "  if (statusCode >= 600) {",
    },
    caughtBy: [`${TESTS}/transport.test.ts`],
  },
  {
    name: "refund-at-the-acquirer-of-today",
    breaks: "after a change of acquirer, refunds go to one that has never seen the sale",
    change: {
      file: "src/modules/gateway/route-orders.ts",
      find: "  return sold ?? preset;\n",
      replace: "  return preset;\n",
    },
    caughtBy: ["test/gateway/routes.test.ts", "test/operator/gateway-routes.test.ts"],
  },
  {
    name: "route-of-tomorrow-holds-today",
    breaks: "sales go to an acquirer whose contract begins next month",
    change: {
      file: "src/modules/gateway/route-orders.ts",
      find: "        and valid_from <= app_now()\n",
      replace: "",
    },
    caughtBy: ["test/gateway/routes.test.ts", "test/operator/gateway-routes.test.ts"],
  },
];
