/** Bugs of payment requests: signatures, orders that are replaced, the customer's e-mail. */

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of other files

import type { Mutant } from "./mutant.ts";

const CHECKOUT = "src/modules/checkout";

export const paymentRequestMutants: readonly Mutant[] = [
  {
    name: "request-signature-not-checked",
    breaks: "anybody opens payments in a shop's name with a signature of zeros",
    change: {
      file: `${CHECKOUT}/request/request-signature.ts`,
      find: '!SHA256_HEX.test(given) || !sameBytes(Buffer.from(given, "hex"), expected)',
      replace: "!SHA256_HEX.test(given)",
    },
    caughtBy: ["test/api/checkout/signed-requests.test.ts"],
  },
  {
    name: "unsigned-request-taken-where-required",
    breaks: "somebody else occupies the order numbers of a shop that requires signatures",
    change: {
      file: `${CHECKOUT}/request/merchants.ts`,
      find: "= asked.account_number and requires_signature",
      replace: "= asked.account_number and false",
    },
    caughtBy: ["test/api/checkout/signed-requests.test.ts"],
  },
  {
    name: "tried-payment-replaced",
    breaks: "a customer's card is being charged while the shop is given a second page to pay at",
    change: {
      file: `${CHECKOUT}/request/known-orders.ts`,
      find: "if (session.attempt_count > 0) throw",
      replace: "if (session.attempt_count > 5) throw",
    },
    caughtBy: ["test/api/checkout/replaced.test.ts", "test/api/checkout/orders.test.ts"],
  },
  {
    name: "replaced-order-without-lock",
    breaks: "changed requests that come together are refused, though no card was tried",
    change: {
      file: `${CHECKOUT}/request/known-orders.ts`,
      find: "  await lockOrder(tx, request);\n",
      replace: "  void lockOrder;\n",
    },
    caughtBy: ["test/api/checkout/replace-races.test.ts"],
  },
  {
    name: "replaced-page-of-anybody",
    breaks: "a stranger who requests an order first is led to the page of its customer",
    change: {
      file: `${CHECKOUT}/session/newer-payment.ts`,
      find: "and newer.customer <@ older.customer as is_shown",
      replace: "as is_shown",
    },
    caughtBy: ["test/api/checkout/replaced-page.test.ts"],
  },
  {
    name: "replaced-payment-leads-to-the-shop",
    breaks: "a shop takes a replaced payment for the end of its order",
    change: {
      file: `${CHECKOUT}/page/form-replies.ts`,
      find: "const back = isReplaced(session) ? undefined : await returnUrl(ctx, session);",
      replace: "const back = await returnUrl(ctx, session);",
    },
    caughtBy: ["test/api/checkout/replaced-page.test.ts"],
  },
  {
    name: "order-of-the-other-environment",
    breaks: "a trial in the sandbox blocks the order when it is meant",
    change: {
      file: `${CHECKOUT}/request/known-orders.ts`,
      find: "where account_number = ${accountNumber} and environment = ${environment}",
      replace: "where account_number = ${accountNumber} and ${environment}::text is not null",
    },
    caughtBy: ["test/api/checkout/environments.test.ts"],
  },
  {
    name: "any-form-changes-the-email",
    breaks: "the e-mail that a merchant sent is replaced by one that somebody posts to the page",
    change: {
      file: `${CHECKOUT}/form/email-field.ts`,
      find: "if (!asksEmail) return { email: undefined };",
      replace: "if (!asksEmail && form.email === undefined) return { email: undefined };",
    },
    caughtBy: ["src/modules/checkout/form/email-field.test.ts"],
  },
  {
    name: "email-of-the-first-form",
    breaks: "the e-mails of customers who pay at the same moment are mixed up",
    change: {
      file: `${CHECKOUT}/session/begin-attempts.ts`,
      find: "from fit join given using (attempt_id)",
      replace: "from fit cross join given",
    },
    caughtBy: ["test/api/checkout/asked-email.test.ts"],
  },
];
