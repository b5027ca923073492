/**
 * A delivery: one event on its way to one endpoint (Decision 0034). Its row is the truth about it;
 * jobs only say that it may be time to look.
 *
 * The rule that matters: there is one delivery per endpoint and event, however often it is tried,
 * so that whoever receives it twice sees the same id twice.
 */

import { columns, type Row } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";

export type DeliveryRow = Row<typeof tables.webhook_deliveries>;

export type DeliveryState = DeliveryRow["state"];

export type AttemptRow = Row<typeof tables.webhook_attempts>;

export const ATTEMPT_COLUMNS = columns(tables.webhook_attempts);
