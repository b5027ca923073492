/**
 * An event: something that happened to an account, which never changes once it is written
 * (Interface §6, Decision 0032).
 *
 * It is written in the tx of the change, so neither exists alone. The sequencer numbers it later,
 * so that no change waits for another. Its body is made once, with the number, and is what the feed
 * shows and what webhooks sign and send.
 */

import { type Sql, sql } from "../../infra/db/query.ts";
import { bigint, pick, type Row, word } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
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
import { ENVIRONMENTS, type Environment } from "../../kit/vocabulary.ts";
import { API_FAMILIES, EVENT_NAMES, type EventName, TRANSACTION_SUBJECTS } from "./catalogue.ts";

export interface NewEvent {
  readonly accountNumber: string;
  readonly environment: Environment;
  readonly event: EventName;
  /** The id of the record that changed; events of one record are delivered in order. */
  readonly resource: string;
  /** The `data` of the body: the record as it is after the change. */
  readonly record: object;
  /** For an event that only one webhook endpoint receives, such as a test. */
  readonly onlyEndpointId?: string;
}

/** Of an event with its number, for what follows from it. */
export const NUMBERED = {
  ...pick(tables.events, "event_id", "account_number", "environment", "resource"),
  event: word<EventName>(),
  only_endpoint_id: tables.events.only_endpoint_id,
  sequence: bigint,
};

export type NumberedEvent = Row<typeof NUMBERED>;

/** Further work in the tx that numbers events; set by `app.ts`. */
export interface AfterNumbering {
  readonly name: string;
  /** Of `one`, with the columns of `NUMBERED`: whether it is handed over. */
  readonly wanted: Sql;
  /** Of `one` as well: whether a mail to members may follow from it, which is then noted. */
  readonly noted?: Sql;
  run(tx: Tx, events: readonly NumberedEvent[]): Promise<void>;
}

/** Fifteen digits: exact numbers in every client. */
export const SEQUENCE_MAX = 999_999_999_999_999;

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
        environment: wordSchema(ENVIRONMENTS, "Where it happened.", "sandbox"),
        account_number: textSchema("Whose it is.", EXAMPLE.accountNumber),
      },
      { description: "The same for every kind of event." },
    ),
  },
  { title: "Event" },
);

/**
 * The body, of `events` and `numbered.sequence`: the record in its frame. It is JSON already, and
 * so are names and ids of ours within quotes; a resource may be of any letters.
 */
export const BODY = sql`
  '{"id":"' || events.event_id || '","api_family":"' || api_family || '","event":"' || event
    || '","sequence":' || numbered.sequence || ',"occurred_at":"'
    || to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
    || '","data":' || record || ',"meta":{"transaction_id":'
    || case when split_part(event, '.', 1) = any(${TRANSACTION_SUBJECTS})
      then to_json(resource)::text else 'null' end
    || ',"environment":"' || events.environment || '","account_number":"'
    || events.account_number || '"}}'`;
