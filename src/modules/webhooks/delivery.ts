/**
 * A delivery: one event on its way to one endpoint (Decision 0034). Its row is the truth about it;
 * jobs only say that it may be time to look.
 *
 * The rule that matters: there is one delivery per endpoint and event, however often it is tried,
 * so that whoever receives it twice sees the same id twice.
 */

import { sql } from "../../infra/db/query.ts";

export type DeliveryState = "waiting" | "delivered" | "failed" | "cancelled";

export interface DeliveryRow {
  readonly delivery_id: string;
  readonly endpoint_id: string;
  readonly event_id: string;
  readonly sequence: bigint;
  readonly resource: string;
  readonly state: DeliveryState;
  readonly attempt_count: number;
  readonly round: number;
  readonly round_attempt_count: number;
  readonly due_at: Date | null;
  readonly created_at: Date;
  readonly ended_at: Date | null;
}

export interface AttemptRow {
  readonly delivery_id: string;
  readonly attempt: number;
  readonly began_at: Date;
  readonly duration_ms: number | null;
  readonly response_status: number | null;
  readonly response_head: string | null;
  readonly failure: string | null;
}

export const ATTEMPT_COLUMNS = sql`
  delivery_id, attempt, began_at, duration_ms, response_status, response_head, failure`;
