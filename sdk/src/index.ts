/** What `@windward/sdk` offers. */

export type { components, paths } from "./api-types.ts";
export type { Call } from "./call.ts";
export { type Consumer, type ConsumerOptions, createConsumer, type Trouble } from "./consumer.ts";
export { type CursorStore, createMemoryStore } from "./cursor-store.ts";
export type {
  Lists,
  PaymentLink,
  Transaction,
  TrustedCard,
  Walk,
  WindwardEvent,
  Withdrawal,
} from "./lists.ts";
export { signPaymentRequest } from "./sign-payment-request.ts";
export { explainRedirect } from "./verify/explain-redirect.ts";
export { explainRequest, type RequestFacts } from "./verify/explain-request.ts";
export type { RedirectFacts } from "./verify/explain-signature.ts";
export { explainWebhook, type WebhookFacts } from "./verify/explain-webhook.ts";
export type { Explanation, Mistake } from "./verify/explanation.ts";
export { explanationText } from "./verify/explanation-text.ts";
export { type Reason, VerificationError } from "./verify/verification-error.ts";
export {
  type RedirectChecks,
  type VerifiedRedirect,
  verifyRedirect,
} from "./verify/verify-redirect.ts";
export {
  type VerifiedWebhook,
  verifyWebhook,
  type WebhookChecks,
  type WebhookEvent,
} from "./verify/verify-webhook.ts";
export { createWindward, type Windward, type WindwardOptions } from "./windward.ts";
export { WindwardError } from "./windward-error.ts";
