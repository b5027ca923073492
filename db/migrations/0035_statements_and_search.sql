-- What the console reads (Decision 0088): payments found by e-mail, card, amount and what became of
-- them; the ledger added up by time; and why payments failed. Not breaking: an older version writes
-- none of it, but while it runs it may count a failure without its reason. Payments wait while it
-- runs, because the table is written anew and its indexes with it, about a minute for each two
-- million payments: with that many, upgrade in a quiet hour.
set local lock_timeout = '5s';

alter table transactions add column result_email text collate "C" generated always as (
  case when status <> 'incomplete' then lower(customer ->> 'email') end) stored;
comment on column transactions.result_email is
  'The customer''s e-mail in small letters, to search by, from the result on: so its index is '
  'written once, and an e-mail that is added before changes no index.';

create index transactions_by_email
  on transactions (account_number, environment, result_email, created_at, transaction_id)
  where result_email is not null;
create index transactions_by_last_four
  on transactions (account_number, environment, card_last_four, created_at, transaction_id)
  where card_last_four is not null;
create index transactions_by_customer_total
  on transactions (account_number, environment, utc_month(created_at), customer_total_minor,
    created_at, transaction_id)
  where status = 'success' and customer_total_minor > total_minor;
comment on index transactions_by_customer_total is
  'What the customer paid, where it is more than the total, which has an index of its own.';
create index transactions_by_status_desc
  on transactions (account_number, environment, status_desc, currency, created_at, transaction_id)
  where status_desc <> 'Normal';

create index withdrawals_held
  on withdrawals (account_number, environment, updated_at)
  where status = 'held';

create function span_start(p_span text, p_at timestamptz)
  returns timestamptz
  language sql
  stable parallel safe
as $$
  select case p_span when 'quarter' then date_bin('15 minutes', p_at, '2000-01-01Z')
    else date_trunc(p_span, p_at, 'UTC') end
$$;
comment on function span_start(text,timestamptz) is
  'When the quarter of an hour, hour, day or month (UTC) began. A quarter of an hour, because '
  'every time zone in use begins its days at one.';

create table statement_positions (
  ledger_account_id bigint not null,
  entry bigint not null,
  constraint a_chain_is_added_up_to_one_entry primary key (ledger_account_id),
  constraint a_chain_is_of_a_ledger_account
    foreign key (ledger_account_id) references ledger_accounts (ledger_account_id)
) with (fillfactor=50);
comment on table statement_positions is
  'The last entry of a merchant''s ledger account that is part of statement_sums. Entries have no '
  'gap in any snapshot, so those after it are exactly what has yet to be added.';

create table statement_sums (
  account_number text not null,
  environment text not null,
  span text not null,
  starts_at timestamptz not null,
  currency text not null,
  occasion text not null,
  entry_count bigint not null,
  moved_minor bigint not null,
  fee_minor bigint not null,
  constraint a_span_is_added_up_once
    primary key (account_number, environment, span, starts_at, currency, occasion),
  constraint currency_is_known check (currency in ('TTD', 'USD', 'BBD', 'XCD', 'JMD', 'GYD')),
  constraint environment_is_known check (environment in ('live', 'sandbox')),
  constraint span_is_known check (span in ('quarter', 'hour', 'day', 'month'))
) with (fillfactor=80);
comment on table statement_sums is
  'What came into and went out of a merchant''s balance, by quarter of an hour, hour, day and '
  'month (UTC) and by what it was for. Together with the entries after statement_positions exactly '
  'the ledger, in every snapshot.';
comment on column statement_sums.fee_minor is
  'What the house kept of payments: what the customer paid is moved_minor and this.';

create table payment_failures (
  account_number text not null,
  environment text not null,
  span text not null,
  starts_at timestamptz not null,
  currency text not null,
  code text not null,
  failure_count bigint not null,
  message text not null,
  constraint a_reason_is_counted_once
    primary key (account_number, environment, span, starts_at, currency, code),
  constraint currency_is_known check (currency in ('TTD', 'USD', 'BBD', 'XCD', 'JMD', 'GYD')),
  constraint environment_is_known check (environment in ('live', 'sandbox')),
  constraint span_is_known check (span in ('quarter', 'hour', 'day', 'month'))
) with (fillfactor=80);
comment on table payment_failures is
  'How many payments failed or ended in an error, by the code of their result and by when they '
  'did. Together with those in transaction_count_changes exactly as many as there are.';
comment on column payment_failures.message is 'The result in words, of one of them.';

alter table transaction_count_changes
  add column failed_at timestamptz,
  add column message text;
comment on column transaction_count_changes.failed_at is
  'Of a payment that just failed or ended in an error: when; otherwise null. Its message likewise.';

create function result_code(p_message text)
  returns text
  language sql
  immutable parallel safe
as $$ select coalesce(substring(p_message from '^\[([0-9]-R[A-Za-z0-9]{1,8})\]'), 'none') $$;
comment on function result_code(text) is 'The code that a result begins with: 2-R05 of [2-R05].';

create or replace function count_moved_transaction()
  returns trigger
  language plpgsql
as $$
begin
  insert into transaction_count_changes
  select new.account_number, new.environment, date_trunc('hour', new.created_at, 'UTC'),
    moved.status, new.currency, moved.change,
    case when moved.status in ('failed', 'error') then new.finalised_at end,
    case when moved.status in ('failed', 'error') then new.message end
  from (values (old.status, -1), (new.status, 1)) as moved (status, change);
  return null;
end
$$;

-- The lock above is held, so each failure is counted here or by the trigger.
insert into payment_failures
select account_number, environment, span, span_start(span, finalised_at), currency,
  result_code(message), count(*), max(message)
from transactions cross join unnest(array['quarter', 'hour', 'day', 'month']) as span
where status in ('failed', 'error')
group by 1, 2, 3, 4, 5, 6;
