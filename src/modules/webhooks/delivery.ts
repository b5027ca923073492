/**
 * A delivery: one event for one endpoint, and what its owner sees of it (Decisions 0033 and 0034).
 *
 * There is one per endpoint and event, however often it is tried, so a receiver that gets it twice
 * sees the same id. Its row alone says when it is due (Decision 0137). A receiver's response is
 * foreign text: it was cut to 1,024 characters on arrival, is shown only inside JSON, and comes
 * only from addresses that we may connect to (Decision 0035). Signatures are never shown: a fresh
 * one would pass as ours.
 */

import { type Queryable, sqlOf } from "../../infra/db/query.ts";
import { columns, pick, type Row, text } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import {
  countSchema,
  EXAMPLE,
  orNull,
  textSchema,
  timestampSchema,
  uuidSchema,
  wordSchema,
} from "../../kit/response-schema.ts";
import { Type } from "../../kit/schema.ts";
import { viewOf } from "../../kit/view-of.ts";
import { EVENT_NAMES } from "../events/catalogue.ts";
import { plainHeaders } from "./sign-webhook.ts";

export type DeliveryRow = Row<typeof tables.webhook_deliveries>;

export type DeliveryState = DeliveryRow["state"];

export type AttemptRow = Row<typeof tables.webhook_attempts>;

export const ATTEMPT_COLUMNS = columns(tables.webhook_attempts);

export const STATES = ["waiting", "delivered", "failed", "cancelled"] as const;

/** More come only from resending by hand; the latest show what is wrong. */
const ATTEMPTS_SHOWN_MAX = 20;

const EVENT = "payment.success";

const attemptView = Type.Object(
  {
    attempt: countSchema("Its number, from 1.", 1, { minimum: 1 }),
    began_at: timestampSchema("When it was sent."),
    duration_ms: orNull(countSchema("How long it took; null while it is under way.", 84)),
    response_status: orNull(countSchema("What was answered; null when nothing was.", 200)),
    response_head: orNull(textSchema("The beginning of what was answered.", "ok")),
    failure: orNull(
      textSchema(
        "Why there was no answer, such as `timeout: …` or `connect_failed: …`. Null when there " +
          "was one, whatever its status, and while the attempt is under way.",
        "timeout: no answer within 15 seconds",
      ),
      null,
    ),
  },
  { title: "DeliveryAttempt" },
);

const requestView = Type.Object(
  {
    url: textSchema("Where it is sent.", "https://shop.example.com/webhooks"),
    headers: Type.Record(Type.String(), {
      description: "Without times and signatures, which are of each attempt.",
      examples: [plainHeaders({ eventId: EXAMPLE.eventId, event: EVENT, timestamp: "" })],
    }),
    body: textSchema(
      "Byte for byte what is signed and sent.",
      `{"id":"${EXAMPLE.eventId}","…":"…"}`,
    ),
  },
  { description: "As it is sent now." },
);

export const deliveryView = Type.Object(
  {
    id: uuidSchema("Of the delivery."),
    event: wordSchema(EVENT_NAMES, "The event's name.", EVENT),
    event_id: textSchema("The event's `id`.", EXAMPLE.eventId),
    sequence: countSchema("The event's `sequence`.", 2),
    state: wordSchema(STATES, "What became of it.", "delivered"),
    attempt_count: countSchema("All attempts, also those not shown.", 1),
    attempts: Type.Array(attemptView, {
      description: `The latest ${ATTEMPTS_SHOWN_MAX}, oldest first.`,
    }),
    request: requestView,
    next_attempt_at: orNull(timestampSchema("When it is tried again."), null),
    created_at: timestampSchema("When the event was numbered."),
    ended_at: orNull(timestampSchema("When it was delivered, given up or cancelled.")),
  },
  { title: "Delivery" },
);

const DELIVERY = pick(
  tables.webhook_deliveries,
  "delivery_id",
  "event_id",
  "sequence",
  "state",
  "attempt_count",
  "due_at",
  "created_at",
  "ended_at",
);

const SHOWN = {
  ...DELIVERY,
  event: tables.events.event,
  body: text,
  url: tables.webhook_endpoints.url,
};

/** In the order of the ids. */
export async function showDeliveries(
  db: Queryable,
  deliveryIds: readonly string[],
): Promise<DeliveryView[]> {
  const rows = await db.rows(sqlOf(SHOWN)`
    select ${columns(DELIVERY, "delivery")}, event, body, url
    from unnest(${deliveryIds}::uuid[]) with ordinality as wanted (delivery_id, number)
    join webhook_deliveries as delivery using (delivery_id)
    join webhook_endpoints using (endpoint_id)
    join events using (event_id)
    order by number`);
  const attempts = await db.rows(sqlOf(tables.webhook_attempts)`
    select ${ATTEMPT_COLUMNS}
    from unnest(${deliveryIds}::uuid[]) as wanted (wanted_id)
    cross join lateral (
      select * from webhook_attempts where delivery_id = wanted_id
      order by attempt desc limit ${ATTEMPTS_SHOWN_MAX}
    ) as latest
    order by delivery_id, attempt`);
  const byDelivery = Map.groupBy(attempts, ({ delivery_id }) => delivery_id);
  return rows.map((row) =>
    viewDelivery({ ...row, attempts: byDelivery.get(row.delivery_id) ?? [] }),
  );
}

export type DeliveryView = ReturnType<typeof viewDelivery>;

type ViewRow = Row<typeof SHOWN> & { readonly attempts: readonly AttemptRow[] };

const viewDelivery = viewOf(deliveryView.properties, (row: ViewRow) => ({
  id: row.delivery_id,
  sequence: Number(row.sequence),
  attempts: row.attempts.map(({ delivery_id: _, ...attempt }) => attempt),
  request: { url: row.url, headers: headersOf(row), body: row.body },
  next_attempt_at: row.due_at,
}));

/** Without times, which belong to each attempt. */
function headersOf({ event_id: eventId, event }: ViewRow): Record<string, string> {
  const headers = Object.entries(plainHeaders({ eventId, event, timestamp: "" }));
  return Object.fromEntries(headers.filter(([, value]) => value !== ""));
}
