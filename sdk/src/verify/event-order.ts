/**
 * The order in which we write the fields of an event, by which a body that some language sorted
 * anew can be put back. Only the explaining verifier needs it: nobody should rely on an order.
 */

import { RECORD_NAMES } from "./names.ts";

const EVENT = ["id", "api_family", "event", "sequence", "occurred_at", "data", "meta"];
const META = ["transaction_id", "environment", "account_number"];

const CHECKS = ["avs", "cvv"];

/** By the first word of an event's name. */
const RECORDS: Readonly<Record<string, readonly string[]>> = {
  payment: [...RECORD_NAMES.Transaction, "total_credited", "currency_credited"],
  withdrawal: RECORD_NAMES.Withdrawal,
  trusted_card: RECORD_NAMES.TrustedCard,
  webhook: RECORD_NAMES.WebhookEndpoint,
};

type Fields = Readonly<Record<string, unknown>>;

export function inOurOrder(event: Fields): Fields {
  const kind = String(event.event).split(".")[0] ?? "";
  const { data, meta } = event;
  const put = {
    ...event,
    ...(isFields(data) ? { data: recordInOrder(kind, data) } : {}),
    ...(isFields(meta) ? { meta: sorted(meta, META) } : {}),
  };
  return sorted(put, EVENT);
}

function recordInOrder(kind: string, data: Fields): Fields {
  const { customer, checks } = data;
  const put = {
    ...data,
    ...(isFields(checks) ? { checks: sorted(checks, CHECKS) } : {}),
    // PostgreSQL keeps these in its own order: the shorter name first.
    ...(isFields(customer)
      ? { customer: sorted(customer, Object.keys(customer).sort(byLength)) }
      : {}),
  };
  return sorted(put, RECORDS[kind] ?? []);
}

function byLength(one: string, other: string): number {
  return one.length - other.length || (one < other ? -1 : 1);
}

/** Names that the list does not know stay behind those it does. */
function sorted(fields: Fields, order: readonly string[]): Fields {
  const known = order.filter((name) => name in fields);
  const others = Object.keys(fields).filter((name) => !order.includes(name));
  return Object.fromEntries([...known, ...others].map((name) => [name, fields[name]]));
}

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
