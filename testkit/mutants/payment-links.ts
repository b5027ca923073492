/** Bugs of getting paid without code: payment links, their slots and results, and receipts. */

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of other files

import type { Mutant } from "./mutant.ts";

const LINKS = "src/modules/payment-links";
const SLOTS = "test/api/payment-links/slots.test.ts";

export const paymentLinkMutants: readonly Mutant[] = [
  {
    name: "full-link-takes-cards",
    breaks: "a card is sent for a link that was paid as often as it may be",
    change: {
      file: `${LINKS}/link-slots.ts`,
      find: 'return max_payments !== null && slots_taken >= max_payments ? "full" : "taken";',
      replace: 'return "taken";',
    },
    caughtBy: [SLOTS],
  },
  {
    name: "failed-card-keeps-its-slot",
    breaks: "a declined card leaves a link sold out that nobody paid",
    change: {
      file: `${LINKS}/link-slots.ts`,
      find: "if (held.length === 0) return;",
      replace: "if (held.length >= 0) return;",
    },
    caughtBy: [SLOTS],
  },
  {
    name: "unsigned-result-believed",
    breaks: "anybody reads what became of a payment, and its message, with an address made up",
    change: {
      file: `${LINKS}/show-done.ts`,
      find: "const isTrue = await isSigned(ctx, offer, parameters);",
      replace: "const isTrue = (await isSigned(ctx, offer, parameters)) || true;",
    },
    caughtBy: ["test/api/payment-links/outcome.test.ts"],
  },
  {
    name: "form-of-another-link-taken",
    breaks: "an order that one link's page gave out is paid at another link",
    change: {
      file: `${LINKS}/show-link.ts`,
      find: "boundTo: `${slug} ${orderId}`",
      replace: "boundTo: `${slug && orderId}`",
    },
    caughtBy: ["test/api/payment-links/page.test.ts"],
  },
  {
    name: "receipts-sent-without-limit",
    breaks: "somebody's mailbox is filled with one receipt",
    change: {
      file: "src/modules/receipts/send-receipt.ts",
      find: "if (!granted) throw new TooManyAttempts(retryAfterSeconds);",
      replace: "",
    },
    caughtBy: ["test/api/receipts/send.test.ts"],
  },
  {
    name: "typed-expiry-shown-again",
    breaks: "the expiry of a card is written into a page, where caches and others may keep it",
    change: {
      file: "src/modules/checkout/form/form-values.ts",
      find: 'const NEVER_KEPT = ["number", "expiry", "cvv"]',
      replace: 'const NEVER_KEPT = ["number", "cvv"]',
    },
    caughtBy: ["test/api/checkout/page.test.ts"],
  },
  {
    name: "link-paid-after-its-end",
    breaks: "a payment begins at a link that has expired while its page stood open",
    change: {
      file: `${LINKS}/open-payment.ts`,
      find: "if (offer.expires_at !== null && offer.expires_at <= at) return undefined;",
      replace: "",
    },
    caughtBy: ["test/api/payment-links/outcome.test.ts"],
  },
  {
    name: "switched-off-link-takes-cards",
    breaks: "once it was answered that a link is off, cards on open pages are still charged",
    change: {
      file: `${LINKS}/link-slots.ts`,
      find: '  if (!is_active) return "off";\n',
      replace: "  void is_active;\n",
    },
    caughtBy: [SLOTS],
  },
  {
    name: "link-totals-count-what-failed",
    breaks: "a merchant reads that a link brought in more than it did",
    change: {
      file: `${LINKS}/link-purpose.ts`,
      find: "await countPaid(tx, idsOf(true));",
      replace: "await countPaid(tx, [...idsOf(true), ...unpaid]);",
    },
    caughtBy: [SLOTS],
  },
  {
    name: "result-of-another-link-shown",
    breaks: "a signed result of one link shows its customer's payment at another",
    change: {
      file: `${LINKS}/show-done.ts`,
      find: "and payment_link = ${link_id} and status <> 'incomplete'`",
      replace: "and ${link_id}::uuid is not null and status <> 'incomplete'`",
    },
    caughtBy: ["test/api/payment-links/outcome.test.ts"],
  },
  {
    name: "link-page-without-limit",
    breaks: "one address opens payments of a link until its merchant's list is full of them",
    change: {
      file: `${LINKS}/page-routes.ts`,
      find: '    limit: { name: "payment_request", per: "address" },\n',
      replace: "",
    },
    caughtBy: ["test/api/http/page-limits.test.ts"],
  },
];
