/**
 * The rows that a payment leaves behind, for many at once: those of a checkout in the sandbox as
 * the service writes them, in the state in which they stay.
 *
 * `bench_payments` says what a payment of each number is like; all tables are written from it. Its
 * ids are as random and as near to their neighbours in time as real ones. Those of one merchant are
 * alike in every size, but for their times and ids: of ten, one is by the same customer and card;
 * of twenty, one was declined; of five, one is in US dollars.
 */

/** Crockford's digits, as in `kit/ids.ts`. */
const BASE32 = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const TIME_CHARACTERS = 10;

export interface Size {
  readonly merchants: number;
  readonly paymentsEach: number;
}

/** Those of the most recent days are what such rows are kept for. */
export const HISTORY_DAYS = 730;
const DAY_MS = 86_400_000;

/** Its customer is everybody's tenth. */
export const REGULAR = { email: "anika@example.com", lastFour: "4242" };

const timePart = Array.from(
  { length: TIME_CHARACTERS },
  (_, at) => `substr('${BASE32}', ((ms >> ${5 * (TIME_CHARACTERS - 1 - at)}) & 31)::int + 1, 1)`,
).join(" || ");

/** A UUID of version 7 of a moment, the same whenever it is asked for. */
const uuidAt = (ms: string, seed: string) =>
  `(lpad(to_hex(${ms}), 12, '0') || '7' || substr(md5(${seed}), 1, 3) || '8' ||
    substr(md5(${seed}), 4, 15))::uuid::text`;

const iso = (at: string) => `to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** `bench_merchants` has who they are; the last payment was made at `endsAtMs`. */
export function paymentsFunction({ merchants, paymentsEach }: Size, endsAtMs: number): string {
  const rows = merchants * paymentsEach;
  return `
  create function bench_payments(from_n bigint, to_n bigint) returns table (
    n bigint, k bigint, account_number text, merchant bigint, transaction_id text, ms bigint,
    sale text, currency text, total bigint, fee bigint, status text, code text, message text,
    last_four text, email text, created_at timestamptz, finalised_at timestamptz
  ) language sql stable as $$
  select n, k, account_number, number,
    'SB-TT-' || ${timePart} || upper(substr(md5('payment ' || n), 1, 16)), ms,
    md5('sale ' || n)::uuid::text, case when k % 5 = 0 then 'USD' else 'TTD' end,
    total, total * 35 / 1000 + 170, status,
    case status when 'success' then '00' when 'failed' then '05' else '98' end,
    case status when 'success' then '[1-R00]: Transaction is approved.'
      when 'failed' then '[2-R05]: Transaction is declined.'
      else '[3-R98]: Transaction timed out.' end,
    case when k % 10 = 3 then '${REGULAR.lastFour}' else lpad((k % 1000)::text, 4, '1') end,
    case when k % 10 = 3 then '${REGULAR.email}'
      else 'customer' || k % 50000 || '@example.com' end,
    to_timestamp(ms / 1000.0), to_timestamp((ms + 20000) / 1000.0)
  from generate_series(from_n, to_n) as n
  cross join lateral (
    select (n - 1) / ${merchants} + 1 as k, (n - 1) % ${merchants} as merchant,
      ${endsAtMs} - (${rows} - n) * ${HISTORY_DAYS * DAY_MS} / ${rows} as ms
  ) as placed
  cross join lateral (
    select 500 + k * 7919 % 100000 as total, case when k % 1000 = 501 then 'error'
      when k % 20 = 7 then 'failed' else 'success' end as status
  ) as priced
  join bench_merchants on number = merchant
  $$`;
}

/** Each takes the first and the last number of a share. */
export const PAYMENTS = `
  with made as materialized (select * from bench_payments($1, $2)), paid as (
    insert into transactions (transaction_id, account_number, environment, country_code, currency,
      order_id, total_minor, customer_total_minor, fee_minor, tax_minor, net_minor, fee_structure,
      method, origin, status, message, card_brand, card_last_four, cvv_answer, customer,
      sale_reference, created_at, finalised_at)
    select transaction_id, account_number, 'sandbox', 'TT', currency, 'order-' || k, total,
      total + fee, fee, 0, total, 'customer_pay', 'credit_card_co', 'shop', status, message,
      'visa', last_four, 'M', jsonb_build_object('email', email), sale::uuid, created_at,
      finalised_at
    from made
  ), opened as (
    insert into checkout_sessions (transaction_id, token_key_id, token_digest, request_digest,
      response_url, is_avs, state, attempt_count, expires_at, ended_at)
    select transaction_id, 'development', sha256(('token ' || n)::bytea),
      sha256(('request ' || n)::bytea), 'https://shop.example/paid?cart=7', false, 'ended', 1,
      created_at + interval '3 minutes', finalised_at
    from made
  ), tried as (
    insert into checkout_attempts (transaction_id, number, state, card_brand, card_last_four,
      outcome_code, message, began_at, ended_at, leased_until, cvv_answer, language)
    select transaction_id, 1, case status when 'success' then 'approved' else 'declined' end,
      'visa', last_four, code, 'Transaction is told.', created_at, finalised_at, finalised_at, 'M',
      'en'
    from made
  )
  insert into simulator_sales (reference, transaction_id, currency, amount_minor, card_brand,
    card_last_four, cvv, is_bank_silent, outcome, code, done_at, known_at)
  select sale, transaction_id, currency, total + fee, 'visa', last_four, 'M', false,
    case status when 'success' then 'approved' else 'declined' end, code, finalised_at,
    finalised_at
  from made`;

export const EVENTS = `
  insert into events (event_id, account_number, environment, api_family, event, resource,
    occurred_at, sequence, body)
  select id, account_number, 'sandbox', 'payments_api', event, transaction_id, at, sequence,
    '{"id":"' || id || '","api_family":"payments_api","event":"' || event || '","sequence":' ||
    sequence || ',"occurred_at":"' || ${iso("at")} || '","data":{"transaction_id":"' ||
    transaction_id || '","order_id":"order-' || k ||
    '","environment":"sandbox","country_code":"TT","currency":"' || currency || '","total":"' ||
    total || '","customer_total":"' || total + fee || '","fee":"' || fee || '","net":"' || total ||
    '","fee_structure":"customer_pay","method":"credit_card_co","origin":"shop","status":"' ||
    status || '","status_desc":"Normal","message":"' || message || '","card":"visa **** ' ||
    last_four || '","checks":{"avs":null,"cvv":"M"},"customer":{"email":"' || email ||
    '"},"data":"","language":null,"description":null,"items":null,"payment_link":null,' ||
    '"link_reference":null,"refunded_total":"0.00","created_at":"' || ${iso("created_at")} ||
    '","finalised_at":"' || ${iso("finalised_at")} || '","total_credited":"' || total ||
    '","currency_credited":"' || currency || '"},"meta":{"transaction_id":"' || transaction_id ||
    '","environment":"sandbox","account_number":"' || account_number || '"}}'
  from bench_payments($1, $2)
  cross join lateral (values
    ('payment.created', 2 * k - 1, created_at, ${uuidAt("ms", "'created ' || n")}),
    ('payment.' || status, 2 * k, finalised_at, ${uuidAt("ms + 20000", "'ended ' || n")})
  ) as told (event, sequence, at, id)`;

/** Of the last days: how many is what such rows are kept for. */
export const DELIVERIES = `
  with due as materialized (
    select event_id, sequence, resource, occurred_at, md5(events.account_number)::uuid as endpoint,
      gen_random_uuid() as delivery
    from bench_payments($1, $2) as made
    join events on events.account_number = made.account_number
      and events.environment = 'sandbox' and sequence in (2 * k - 1, 2 * k)
  ), made as (
    insert into webhook_deliveries (delivery_id, endpoint_id, event_id, sequence, resource, state,
      attempt_count, round_attempt_count, created_at, ended_at)
    select delivery, endpoint, event_id, sequence, resource, 'delivered', 1, 1, occurred_at,
      occurred_at + interval '40 milliseconds'
    from due
  )
  insert into webhook_attempts (delivery_id, attempt, began_at, duration_ms, response_status,
    response_head)
  select delivery, 1, occurred_at, 34, 204, '' from due`;

export const MAILS = `
  insert into mails (mail_id, reason, recipient, state, attempt_count, next_try_at, created_at,
    ended_at)
  select gen_random_uuid(), 'receipt ' || transaction_id, email, 'sent', 1, null, finalised_at,
    finalised_at
  from bench_payments($1, $2) where status = 'success'`;

export const REQUESTS = `
  insert into logged_requests (request_id, account_number, environment, at, method, path, status,
    duration_ms, address, order_id, request_body, response_body, detail)
  select ${uuidAt("ms", "'request ' || n")}::uuid, account_number, 'sandbox', created_at, 'POST',
    '/plugins/payments/request', 200, 12, '203.0.113.7', 'order-' || k,
    '{"account_number":"' || account_number || '","country_code":"TT","currency":"' || currency ||
      '","environment":"sandbox","fee_structure":"customer_pay","method":"credit_card_co",' ||
      '"order_id":"order-' || k || '","origin":"shop","response_url":' ||
      '"https://shop.example/paid?cart=7","total":"100.00","email":"' || email || '"}',
    '{"message":"OK","url":"http://pay.example.com/checkout/[masked]","transaction_id":"' ||
      transaction_id || '"}',
    '{"request":{"content-type":"application/json"},"response":{"content-type":' ||
      '"application/json; charset=utf-8"}}'
  from bench_payments($1, $2)`;
