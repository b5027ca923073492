/**
 * Writes events in the tx of the change they tell of (Decision 0032).
 *
 * Cheap on purpose: one statement, however many there are, and nothing that two writers share. The
 * place in line is drawn by a trigger at COMMIT.
 */

import { prepared, type Sql, sql, sqlOf } from "../../infra/db/query.ts";
import { pick } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { chanceBytes } from "../../kit/chance.ts";
import { factsOf } from "./catalogue.ts";
import type { NewEvent } from "./event.ts";

const RANDOM_BYTES = 10;

/** Tells the event's id. */
export async function recordEvent(tx: Tx, event: NewEvent): Promise<string> {
  const [eventId = ""] = await recordEvents(tx, [event]);
  return eventId;
}

/** In the order given, which is the order of their numbers; tells their ids in that order. */
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

/** The same as the beginning of a statement, in which `resource` and `place` are known. */
export function insertEvents(events: readonly NewEvent[]): Sql {
  const each = <T>(of: (event: NewEvent) => T) => events.map(of);
  // The id is a UUID of version 7 (Decision 0067): it begins with the milliseconds, so that
  // neighbours in time are neighbours in the index. The time is asked for once, in a subselect
  // that OFFSET keeps whole: else it would be read anew for each event and wherever it is named.
  // It is rounded as the column rounds it, so that both tell the same millisecond.
  return sql`
    insert into events (event_id, occurred_at, account_number, environment, api_family, event,
      resource, record, only_endpoint_id)
    select substr(millis, 1, 8) || '-' || substr(millis, 9, 4) || '-' || id_rest,
      at, account_number, environment, api_family, event, resource, record, only_endpoint_id
    from (
        select at, lpad(to_hex(floor(extract(epoch from at) * 1000)::bigint), 12, '0') as millis
        from (select (select app_now()::timestamptz(3)) as at offset 0) as moment offset 0
      ) as clock,
      unnest(${each(() => idRest())}::text[],
        ${each((one) => one.accountNumber)}::text[], ${each((one) => one.environment)}::text[],
        ${each((one) => factsOf(one.event).apiFamily)}::text[],
        ${each((one) => one.event)}::text[], ${each((one) => one.resource)}::text[],
        ${each((one) => JSON.stringify(one.record))}::text[],
        ${each((one) => one.onlyEndpointId ?? null)}::uuid[])
      with ordinality as given (id_rest, account_number, environment, api_family, event, resource,
        record, only_endpoint_id, place)`;
}

/** Of a UUID of version 7, what follows the time: version, variant and 74 random bits. */
function idRest(): string {
  const bytes = Buffer.from(chanceBytes(RANDOM_BYTES));
  bytes.writeUInt8(0x70 | (bytes.readUInt8(0) & 0x0f), 0);
  bytes.writeUInt8(0x80 | (bytes.readUInt8(2) & 0x3f), 2);
  const hex = bytes.toString("hex");
  return `${hex.slice(0, 4)}-${hex.slice(4, 8)}-${hex.slice(8)}`;
}
