/**
 * The order in which we write the fields of an event, by which a body that some language sorted
 * anew can be put back. Only the explaining verifier needs it: nobody should rely on an order.
 */

const EVENT = ["id", "api_family", "event", "sequence", "occurred_at", "data", "meta"];
const META = ["transaction_id", "environment", "account_number"];

/** By the first word of an event's name. */
const RECORDS: Readonly<Record<string, string>> = {
  payment:
    "transaction_id order_id environment country_code currency total customer_total fee net " +
    "fee_structure method origin status status_desc message card customer data refunded_total " +
    "created_at finalised_at total_credited currency_credited",
  withdrawal:
    "transaction_id reference withdrawal_type environment currency amount fee status " +
    "status_description data bank_name bank_account bank_account_type bank_branch name_in_bank " +
    "recipient_name email phone id_type id_number created_at updated_at completed_at deleted_at",
  trusted_card:
    "uuid environment card_type pan exp_month exp_year name verified verify_expires_at created_at",
  webhook:
    "id url environment events description status disabled_because failing_since " +
    "previous_secret_until created_at changed_at",
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
  const { customer } = data;
  // PostgreSQL keeps these in its own order: the shorter name first.
  const put = isFields(customer)
    ? { ...data, customer: sorted(customer, Object.keys(customer).sort(byLength)) }
    : data;
  return sorted(put, (RECORDS[kind] ?? "").split(" "));
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
