/** What `@windward/sdk` offers. */

export type { components, paths } from "./api-types.ts";
export { type Consumer, type ConsumerOptions, createConsumer, type Trouble } from "./consumer.ts";
export { type CursorStore, createMemoryStore } from "./cursor-store.ts";
export type { Lists, Transaction, TrustedCard, Walk, WindwardEvent, Withdrawal } from "./lists.ts";
export { type Call, createWindward, type Windward, type WindwardOptions } from "./windward.ts";
export { WindwardError } from "./windward-error.ts";
