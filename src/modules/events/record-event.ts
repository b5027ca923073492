/**
 * Writes events in the tx of their change (Decision 0032): one statement for any number of them,
 * which takes no lock that two writers share. A trigger queues them for numbering at COMMIT.
 */

import { prepared, type Sql, sql, sqlOf } from "../../infra/db/query.ts";
import { pick } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { unnest } from "../../infra/db/unnest.ts";
import { chanceBytes } from "../../kit/chance.ts";
import { factsOf } from "./catalogue.ts";
import type { NewEvent } from "./event.ts";

const RANDOM_BYTES = 10;

/** Returns the event's id. */
export async function recordEvent(tx: Tx, event: NewEvent): Promise<string> {
  const [eventId = ""] = await recordEvents(tx, [event]);
  return eventId;
}

/** They are numbered in this order. Returns their ids in the same order. */
export async function recordEvents(tx: Tx, events: readonly NewEvent[]): Promise<string[]> {
  if (events.length === 0) return [];
  const made = await tx.rows(
    prepared(
      "record-events",
      sqlOf(
        pick(tables.events, "event_id"),
      )`${insertEvents(events)} order by place returning event_id`,
    ),
  );
  return made.map(({ event_id }) => event_id);
}

/** The insert without its `returning`, for other statements: it knows `resource` and `place`. */
export function insertEvents(events: readonly NewEvent[]): Sql {
  const rows = events.map((event) => ({
    ...event,
    idRest: idRest(),
    apiFamily: factsOf(event.event).apiFamily,
    record: JSON.stringify(event.record),
  }));
  // The id is a UUID of version 7 (Decision 0067): it begins with the milliseconds, so that
  // neighbours in time are neighbours in the index. OFFSET keeps the subselect from being inlined:
  // the clock is read once. It is rounded as the column rounds it, so that both agree.
  return sql`
    insert into events (event_id, occurred_at, account_number, environment, api_family, event,
      resource, record, only_endpoint_id)
    select substr(millis, 1, 8) || '-' || substr(millis, 9, 4) || '-' || id_rest,
      at, account_number, environment, api_family, event, resource, record, only_endpoint_id
    from (
        select at, lpad(to_hex(floor(extract(epoch from at) * 1000)::bigint), 12, '0') as millis
        from (select (select app_now()::timestamptz(3)) as at offset 0) as moment offset 0
      ) as clock,
      ${unnest("source", rows, COLUMNS, { ordinal: "place" })}`;
}

const COLUMNS = {
  idRest: "text",
  accountNumber: "text",
  environment: "text",
  apiFamily: "text",
  event: "text",
  resource: "text",
  record: "text",
  onlyEndpointId: "uuid",
};

/** The part of a UUIDv7 after the time: version, variant and 74 random bits. */
function idRest(): string {
  const bytes = Buffer.from(chanceBytes(RANDOM_BYTES));
  bytes.writeUInt8(0x70 | (bytes.readUInt8(0) & 0x0f), 0);
  bytes.writeUInt8(0x80 | (bytes.readUInt8(2) & 0x3f), 2);
  const hex = bytes.toString("hex");
  return `${hex.slice(0, 4)}-${hex.slice(4, 8)}-${hex.slice(8)}`;
}
