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
];
