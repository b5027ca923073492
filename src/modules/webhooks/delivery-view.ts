/**
 * What an endpoint's owner sees of a delivery: what is sent, what was tried and what came back
 * (Decision 0033).
 *
 * The rule that matters: what a receiver answered is foreign text. It was cut to 1,024 characters
 * when it came, stands in JSON and nowhere else, and comes from addresses that we may connect to
 * only (Decision 0035). Signatures are never shown: one that is fresh would pass as ours.
 */

import { Type } from "typebox";
import { type Queryable, sql } from "../../infra/db/query.ts";
import { ATTEMPT_COLUMNS, type AttemptRow, type DeliveryState } from "./delivery.ts";
import { plainHeaders } from "./sign-webhook.ts";

export const STATES = [
  "waiting",
  "delivered",
  "failed",
  "cancelled",
] as const satisfies readonly DeliveryState[];

/** More than this many are the traces of sending again by hand; the latest tell what is wrong. */
const ATTEMPTS_SHOWN_MAX = 20;

const maybe = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const time = Type.String({ format: "date-time" });

export const deliveryView = Type.Object({
  id: Type.String({ format: "uuid" }),
  event: Type.String(),
  event_id: Type.String(),
  sequence: Type.Integer(),
  state: Type.Union(STATES.map((state) => Type.Literal(state))),
  attempt_count: Type.Integer({ description: "All attempts, also those not shown." }),
  attempts: Type.Array(
    Type.Object({
      attempt: Type.Integer(),
      began_at: time,
      duration_ms: maybe(Type.Integer()),
      response_status: maybe(Type.Integer()),
      response_head: maybe(Type.String({ description: "The beginning of what was answered." })),
      failure: maybe(
        Type.String({
          description:
            "Why there was no answer, such as `timeout: …` or `connect_failed: …`. Null when " +
            "there was one, whatever its status, and while the attempt is under way.",
        }),
      ),
    }),
    { description: `The latest ${ATTEMPTS_SHOWN_MAX}, oldest first.` },
  ),
  request: Type.Object(
    {
      url: Type.String(),
      headers: Type.Record(Type.String(), Type.String()),
      body: Type.String({ description: "Byte for byte what is signed and sent." }),
    },
    { description: "As it is sent now; times and signatures are of each attempt." },
  ),
  next_attempt_at: maybe(time),
  created_at: time,
  ended_at: maybe(time),
});

interface ShownRow {
  delivery_id: string;
  event: string;
  event_id: string;
  sequence: bigint;
  state: DeliveryState;
  attempt_count: number;
  url: string;
  body: string;
  due_at: Date | null;
  created_at: Date;
  ended_at: Date | null;
}

/** Those deliveries, in the order given. */
export async function showDeliveries(db: Queryable, deliveryIds: readonly string[]) {
  const rows = await db.rows<ShownRow>(sql`
    select delivery.delivery_id, event, event_id, delivery.sequence, delivery.state, attempt_count,
      url, body, due_at, delivery.created_at, ended_at
    from unnest(${deliveryIds}::uuid[]) with ordinality as wanted (delivery_id, place)
    join webhook_deliveries as delivery using (delivery_id)
    join webhook_endpoints using (endpoint_id)
    join events using (event_id)
    order by place`);
  const attempts = await db.rows<AttemptRow>(sql`
    select ${ATTEMPT_COLUMNS}
    from unnest(${deliveryIds}::uuid[]) as wanted (wanted_id)
    cross join lateral (
      select * from webhook_attempts where delivery_id = wanted_id
      order by attempt desc limit ${ATTEMPTS_SHOWN_MAX}
    ) as latest
    order by delivery_id, attempt`);
  const byDelivery = Map.groupBy(attempts, ({ delivery_id }) => delivery_id);
  return rows.map((row) => viewDelivery(row, byDelivery.get(row.delivery_id) ?? []));
}

function viewDelivery(row: ShownRow, attempts: readonly AttemptRow[]) {
  return {
    id: row.delivery_id,
    event: row.event,
    event_id: row.event_id,
    sequence: Number(row.sequence),
    state: row.state,
    attempt_count: row.attempt_count,
    attempts: attempts.map(({ delivery_id: _, ...attempt }) => attempt),
    request: { url: row.url, headers: headersOf(row), body: row.body },
    next_attempt_at: row.due_at,
    created_at: row.created_at,
    ended_at: row.ended_at,
  };
}

/** The time is told with each attempt. */
function headersOf({ event_id: eventId, event }: ShownRow): Record<string, string> {
  const headers = Object.entries(plainHeaders({ eventId, event, timestamp: "" }));
  return Object.fromEntries(headers.filter(([, value]) => value !== ""));
}
