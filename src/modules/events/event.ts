/**
 * An event: something that happened to an account, told once and for good (Interface §6, Decision
 * 0032).
 *
 * The rule that matters: it is written in the tx of the change, so neither exists alone; it gets
 * its number later, from the sequencer, so that no change waits for another. Its body is made once,
 * with the number, and is from then on what the feed shows and what is signed and sent.
 */

import { Type } from "typebox";
import type { Tx } from "../../infra/db/transaction.ts";
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

const words = (list: readonly string[]) => Type.Union(list.map((word) => Type.Literal(word)));

export const eventView = Type.Object({
  id: Type.String({ examples: ["evt_019a86f0c4d27b1e5a3f9c2d8e4b6a70"] }),
  api_family: words(API_FAMILIES),
  event: words(EVENT_NAMES),
  sequence: Type.Integer({ minimum: 1, description: "Without a gap, in the order of commits." }),
  occurred_at: Type.String({ format: "date-time" }),
  data: Type.Object({}, { description: "The record, as it was after the change." }),
  meta: Type.Object({
    transaction_id: Type.Union([Type.String(), Type.Null()]),
    environment: words(["live", "sandbox"]),
    account_number: Type.String(),
  }),
});

/** The text that is kept, shown, signed and sent. `record` is JSON already, and stays as it is. */
export function bodyOf(event: NumberedEvent, record: string): string {
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
  return `${head.slice(0, -1)},"data":${record},"meta":${meta}}`;
}
