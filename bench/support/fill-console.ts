/**
 * What a merchant with so many payments has beside them, as far as the console lists it: an event
 * for each, deliveries of a month, requests of a week, withdrawals, cards, disputes. Of each at
 * least some pages, so that the pages of few and many show the same number of rows.
 *
 * The ledger stays empty: pages read its sums and balances, which `fillHistory` makes. Comes after
 * that one.
 */

import type pg from "pg";
import { type Filled, fillWith, insertInShares, lighten } from "./fill-history.ts";

/** The endpoint that all deliveries went to; disabled, so that none is sent. */
export const ENDPOINT_ID = "0b5ae24e-0000-4000-8000-000000000001";
const ROWS_MIN = 100;
/** One of so many payments brings a withdrawal, or a card that is kept. */
const PAYMENTS_PER_RARE = 1_000;
const DAYS_OF_HISTORY = 730;
const DAYS_OF_DELIVERIES = 29;
const DAYS_OF_REQUESTS = 6;
const REQUESTS_PER_PAYMENT = 3;

export async function fillConsole(url: URL, filled: Required<Filled>): Promise<void> {
  const { rows, endsAt } = filled;
  const lasting = (days: number) => Math.ceil((rows * days) / DAYS_OF_HISTORY);
  const atLeast = (count: number) => Math.max(ROWS_MIN, Math.floor(count));
  await fillWith(url, async (clients) => {
    const [client] = clients;
    await lighten(client, "events");
    await insertInShares(clients, EVENTS, filled);
    await client.query(FEED, [rows]);
    await client.query(ENDPOINT, [ENDPOINT_ID]);
    const deliveries = Math.min(rows, atLeast(lasting(DAYS_OF_DELIVERIES)));
    await client.query(DELIVERIES, [rows, rows - deliveries + 1, ENDPOINT_ID]);
    await client.query(ATTEMPTS);
    await addRequestDays(client, endsAt);
    const requests = atLeast(lasting(DAYS_OF_REQUESTS) * REQUESTS_PER_PAYMENT);
    await client.query(REQUESTS, [requests, DAYS_OF_REQUESTS, endsAt]);
    const rare = atLeast(rows / PAYMENTS_PER_RARE);
    await client.query(WITHDRAWALS, [rare, endsAt]);
    await client.query(CARDS, [rare, endsAt]);
    await client.query(DISPUTES);
    await client.query(
      "vacuum analyze events, webhook_deliveries, webhook_attempts, logged_requests, " +
        "withdrawals, trusted_cards, disputes",
    );
  });
}

export async function addRequestDays(client: pg.Client, endsAt: string): Promise<void> {
  await client.query(
    "select add_request_day(($1::timestamptz at time zone 'UTC')::date - $2 + day) " +
      "from generate_series(0, $2::int) as day",
    [endsAt, DAYS_OF_REQUESTS],
  );
}

/** The number of a row as a UUID, in their order. */
const uuid = (number: string, kind: string) =>
  `(lpad(to_hex(${number}), 12, '0') || '${kind}' || '7000800000000000')::uuid`;

const WHEN = "$4::timestamptz - interval '2 years' * (($1::bigint - i)::float8 / $1)";
const TRANSACTION_ID = "'TT-' || lpad(upper(to_hex(i)), 26, '0')";

const EVENTS = `
  insert into events (event_id, account_number, environment, api_family, event, resource,
    occurred_at, sequence, body)
  select id, '1234567890', 'live', 'payments_api', name, transaction, at, i,
    '{"id":"' || id || '","api_family":"payments_api","event":"' || name || '","sequence":' || i ||
    ',"occurred_at":"' || at || '","data":{"transaction_id":"' || transaction ||
    '","environment":"live","currency":"TTD","order_id":"order-' || i || '","total":"100.00",' ||
    '"status":"success","method":"credit_card_co","card":{"brand":"visa","last_four":"1111"}},' ||
    '"meta":{"transaction_id":"' || transaction || '","environment":"live",' ||
    '"account_number":"1234567890"}}'
  from generate_series($2::bigint, $3::bigint) as i
  cross join lateral (select ${uuid("i", "0000")}::text as id, ${TRANSACTION_ID} as transaction,
    case when i % 20 = 0 then 'payment.failed' else 'payment.success' end as name,
    date_trunc('milliseconds', ${WHEN}) as at) as made`;

const FEED = `
  insert into event_feeds values ('1234567890', 'live', $1)
  on conflict (account_number, environment) do update set last_sequence = $1`;

const ENDPOINT = `
  insert into webhook_endpoints (endpoint_id, account_number, environment, url, status,
    disabled_because, secret_key_id, secret_box)
  values ($1, '1234567890', 'live', 'https://shop.example.com/webhooks', 'disabled', 'asked',
    'bench', '')`;

const DELIVERIES = `
  insert into webhook_deliveries (delivery_id, endpoint_id, event_id, sequence, resource, state,
    attempt_count, round_attempt_count, created_at, ended_at)
  select ${uuid("sequence", "1111")}, $3, event_id, sequence, resource,
    case when sequence % 50 = 0 then 'failed' else 'delivered' end, 1, 1, occurred_at,
    occurred_at + interval '40 milliseconds'
  from events
  where account_number = '1234567890' and environment = 'live' and sequence between $2 and $1`;

const ATTEMPTS = `
  insert into webhook_attempts (delivery_id, attempt, began_at, duration_ms, response_status,
    response_head)
  select delivery_id, 1, created_at, 34, case state when 'failed' then 500 else 200 end, 'ok'
  from webhook_deliveries`;

/** Three of four by keys, of both environments; one of ten was refused. */
const REQUESTS = `
  insert into logged_requests (request_id, account_number, environment, at, method, path, status,
    code, duration_ms, credential, address, order_id, request_body, response_body, detail)
  select ${uuid("i", "2222")}, '1234567890', case when i % 4 = 0 then 'any' else 'live' end,
    $3::timestamptz - make_interval(days => $2) * (($1::bigint - i)::float8 / $1),
    case when i % 3 = 0 then 'GET' else 'POST' end,
    case when i % 3 = 0 then '/transactions/TT-' || i else '/plugins/payments/request' end,
    case when i % 10 = 0 then 400 else 200 end,
    case when i % 10 = 0 then 'field_required' end, 12,
    case when i % 4 = 0 then 'grant ' || ${uuid("i", "3333")} else 'k_bench' || i % 5 end,
    '203.0.113.7', 'order-' || i,
    '{"account_number":"1234567890","order_id":"order-' || i || '","total":"100.00","currency":' ||
      '"TTD","fee_structure":"customer_pay","method":"credit_card","origin":"shop"}',
    '{"url":"https://pay.example.com/checkout/[masked]","message":"ok","transaction_id":"TT-' ||
      i || '"}',
    '{"request":{"content-type":"application/json"},"response":{"content-type":' ||
      '"application/json; charset=utf-8"}}'
  from generate_series(1, $1::bigint) as i`;

const WITHDRAWALS = `
  insert into withdrawals (transaction_id, account_number, environment, country_code,
    withdrawal_type, currency, amount_minor, fee_minor, status, status_reason, bank_name,
    bank_account_last_four, bank_account_type, bank_branch, name_in_bank, numbers_sealed,
    wrapping_key_id, payout_count, created_at, updated_at, completed_at)
  select 'TT-' || lpad(upper(to_hex(i)), 26, 'Z'), '1234567890', 'live', 'TT', 'normal', 'TTD',
    100000 + i, 500, case when i % 100 = 0 then 'failed' else 'completed' end,
    case when i % 100 = 0 then 'The bank knows no such account.' end, 'First Citizens', '6789',
    'savings', 'Park Street', 'Sea Grape Books', decode(repeat('00', 40), 'hex'), 'bench', 1, at,
    at, case when i % 100 <> 0 then at end
  from generate_series(1, $1::bigint) as i
  cross join lateral (select $2::timestamptz - interval '2 years' * (($1::bigint - i)::float8 / $1)
    as at) as made`;

const CARDS = `
  insert into trusted_cards (card_uuid, transaction_id, account_number, environment, card_type,
    last_four, exp_month, exp_year, holder, state, verify_expires_at, verified_at, wrapped_with,
    key_box, card_box, fingerprint, created_at)
  select ${uuid("i", "4444")}, 'TT-' || lpad(upper(to_hex(i)), 26, 'Y'), '1234567890', 'live',
    'visa', lpad((i % 1000)::text, 4, '1'), 12, 2030, 'Anika Mohammed', 'verified', at, at,
    'bench', '', '', '', at
  from generate_series(1, $1::bigint) as i
  cross join lateral (select $2::timestamptz - interval '2 years' * (($1::bigint - i)::float8 / $1)
    as at) as made`;

const DISPUTES = `
  insert into disputes (transaction_id, kind, amount_minor, covered_minor, state, opened_at)
  select transaction_id, 'chargeback', total_minor, total_minor, 'open', created_at
  from transactions
  where account_number = '1234567890' and environment = 'live'
    and status_desc = 'Chargeback Pending'`;
