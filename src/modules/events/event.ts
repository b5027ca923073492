/**
 * An event: something that happened to an account, told once and for good (Interface §6, Decision
 * 0032).
 *
 * The rule that matters: it is written in the tx of the change, so neither exists alone; it gets
 * its number later, from the sequencer, so that no change waits for another. Its body is made once,
 * with the number, and is from then on what the feed shows and what is signed and sent.
 */

import type { Tx } from "../../infra/db/transaction.ts";
import {
  countSchema,
  EXAMPLE,
  orNull,
  textSchema,
  timestampSchema,
  transactionIdSchema,
  wordSchema,
} from "../../kit/response-schema.ts";
import { Type } from "../../kit/schema.ts";
import type { Environment } from "../../kit/vocabulary.ts";
import { API_FAMILIES, EVENT_NAMES, type EventName, factsOf } from "./catalogue.ts";

export interface NewEvent {
  readonly accountNumber: string;
  readonly environment: Environment;
  readonly event: EventName;
  /** The id of what it happened to; what happens to one thing is delivered in order. */
  readonly resource: string;
  /** The `data` of the body: the record as it is after the change. */
  readonly record: object;
  /** For a test or a notice that one webhook endpoint alone is told. */
  readonly onlyEndpointId?: string;
}

export interface NumberedEvent {
  readonly eventId: string;
  readonly accountNumber: string;
  readonly environment: Environment;
  readonly event: EventName;
  readonly resource: string;
  readonly sequence: bigint;
  readonly occurredAt: Date;
  readonly onlyEndpointId: string | null;
}

/** What else is to be done in the tx that numbers events: given by `app.ts`. */
export type AfterNumbering = (tx: Tx, events: readonly NumberedEvent[]) => Promise<void>;

export const eventView = Type.Object(
  {
    id: textSchema("Of this event, for good: a UUID of version 7.", EXAMPLE.eventId),
    api_family: wordSchema(API_FAMILIES, "`payments_api` for payments and cards."),
    event: wordSchema(EVENT_NAMES, "What happened.", "payment.success"),
    sequence: countSchema("Without a gap, in the order of commits.", 2, { minimum: 1 }),
    occurred_at: timestampSchema("When it was written."),
    data: Type.Object(
      {},
      {
        description:
          "The record, as it was after the change, as its own endpoint shows it; of a payment " +
          "also `total_credited` and `currency_credited`, the net and its currency.",
        additionalProperties: true,
        examples: [{ transaction_id: EXAMPLE.transactionId, status: "success", "…": "…" }],
      },
    ),
    meta: Type.Object(
      {
        transaction_id: orNull(transactionIdSchema("What it is about; null where there is none.")),
        environment: wordSchema(["live", "sandbox"], "Where it happened.", "sandbox"),
        account_number: textSchema("Whose it is.", EXAMPLE.accountNumber),
      },
      { description: "The same for every kind of event." },
    ),
  },
  { title: "Event" },
);

/**
 * The text that is kept, shown, signed and sent, but for the record in its middle: that is JSON
 * already, stays as it is, and need not leave the database to be framed.
 */
export function frameOf(event: NumberedEvent): { before: string; after: string } {
  const { apiFamily, isTransaction } = factsOf(event.event);
  const head = JSON.stringify({
    id: event.eventId,
    api_family: apiFamily,
    event: event.event,
    sequence: Number(event.sequence),
    occurred_at: event.occurredAt,
  });
  const meta = JSON.stringify({
    transaction_id: isTransaction ? event.resource : null,
    environment: event.environment,
    account_number: event.accountNumber,
  });
  return { before: `${head.slice(0, -1)},"data":`, after: `,"meta":${meta}}` };
}
