-- Transactions: the record every payment hangs on, and how many there are (Decisions 0026, 0027).
-- Not breaking.
set local lock_timeout = '5s';

create table transactions (
  transaction_id text collate "C" not null,
  account_number text not null,
  environment text not null,
  country_code text not null,
  currency text not null,
  order_id text collate "C" not null,
  total_minor bigint not null,
  customer_total_minor bigint not null,
  fee_minor bigint not null,
  tax_minor bigint not null,
  net_minor bigint not null,
  refunded_minor bigint not null default 0,
  fee_structure text not null,
  method text not null,
  origin text,
  status text not null default 'incomplete',
  status_desc text not null default 'Normal',
  message text,
  card_brand text,
  card_last_four text,
  customer jsonb not null default '{}',
  data text not null default '',
  created_at timestamptz(3) not null default app_now(),
  finalised_at timestamptz(3),
  constraint a_transaction_has_its_own_id primary key (transaction_id),
  constraint a_transaction_belongs_to_an_account
    foreign key (account_number) references accounts (account_number),
  constraint environment_is_known check (environment in ('live', 'sandbox')),
  constraint platform_is_known check (country_code in ('BB', 'GD', 'GY', 'JM', 'TT')),
  constraint transaction_id_names_its_environment_and_platform check (
    starts_with(transaction_id,
      case environment when 'sandbox' then 'SB-' else '' end || country_code || '-')
    and char_length(transaction_id) = case environment when 'sandbox' then 32 else 29 end
  ),
  constraint currency_is_known check (currency in ('TTD', 'USD', 'BBD', 'XCD', 'JMD', 'GYD')),
  constraint order_id_has_1_to_64_characters check (char_length(order_id) between 1 and 64),
  constraint total_is_positive check (total_minor > 0),
  constraint the_customer_pays_the_total_and_a_share_of_the_fee
    check (customer_total_minor >= total_minor),
  constraint the_merchant_gets_the_total_less_a_share_of_the_fee
    check (net_minor between 0 and total_minor),
  constraint both_shares_are_the_fee check (customer_total_minor - net_minor = fee_minor),
  constraint tax_is_part_of_the_fee check (tax_minor between 0 and fee_minor),
  constraint fee_structure_is_known
    check (fee_structure in ('customer_pay', 'merchant_absorb', 'split')),
  constraint who_pays_the_fee_follows_its_structure check (
    case fee_structure
      when 'customer_pay' then net_minor = total_minor
      when 'merchant_absorb' then customer_total_minor = total_minor
      else customer_total_minor - total_minor - (total_minor - net_minor) between 0 and 1
    end
  ),
  constraint no_more_is_refunded_than_was_paid
    check (refunded_minor between 0 and customer_total_minor),
  constraint only_what_was_paid_is_refunded check (refunded_minor = 0 or status = 'success'),
  constraint method_has_1_to_32_characters check (char_length(method) between 1 and 32),
  constraint origin_has_1_to_32_characters check (char_length(origin) between 1 and 32),
  constraint status_is_known check (status in ('incomplete', 'success', 'failed', 'error')),
  constraint status_desc_is_known check (
    status_desc in ('Normal', 'Refund Requested', 'Refunded', 'Refund Rejected',
      'Chargeback Pending', 'Chargeback Processed', 'Fraud Confirmed')
  ),
  constraint only_what_was_paid_has_a_history check (status_desc = 'Normal' or status = 'success'),
  constraint message_is_set_exactly_when_final
    check ((message is not null) = (status <> 'incomplete')),
  constraint finalised_at_is_set_exactly_when_final
    check ((finalised_at is not null) = (status <> 'incomplete')),
  constraint card_is_named_and_shown_by_four_digits
    check ((card_brand is null) = (card_last_four is null) and card_last_four ~ '^[0-9]{4}$'),
  constraint customer_is_an_object check (jsonb_typeof(customer) = 'object'),
  constraint data_has_at_most_4096_characters check (char_length(data) <= 4096)
);
comment on table transactions is
  'One attempt to pay one order. What was agreed when it began stays as it is; the result is '
  'written once.';
comment on column transactions.total_minor is
  'What the merchant asked for. The customer pays this and a share of the fee, the merchant gets '
  'this less a share of it.';
comment on column transactions.refunded_minor is
  'Given back or asked to be given back, of what the customer paid.';
comment on column transactions.data is
  'The string that the merchant wants to see again, byte for byte. Nobody reads it.';
comment on column transactions.created_at is
  'Whole milliseconds, so that a program that knows no smaller ones can name a place in the list.';

create function total_band(p_total_minor bigint) returns integer
language sql immutable parallel safe
as $$
  select width_bucket(p_total_minor, '{
      100,125,160,200,250,315,400,500,630,800,1000,1250,1600,2000,2500,3150,4000,5000,
      6300,8000,10000,12500,16000,20000,25000,31500,40000,50000,63000,80000,100000,125000,
      160000,200000,250000,315000,400000,500000,630000,800000,1000000,1250000,1600000,
      2000000,2500000,3150000,4000000,5000000,6300000,8000000,10000000,12500000,16000000,
      20000000,25000000,31500000,40000000,50000000,63000000,80000000,100000000
    }'::bigint[])
$$;
comment on function total_band is
  'Ten bands from one power of ten to the next. Rows of one band stand in the order of time, so a '
  'range of totals is read in that order band by band. Whole numbers, because logarithms differ '
  'from machine to machine.';

create function utc_month(p_at timestamptz) returns timestamp
language sql immutable parallel safe
as $$ select date_trunc('month', p_at at time zone 'UTC') $$;

create unique index an_order_has_one_live_transaction
  on transactions (account_number, environment, order_id)
  where status in ('incomplete', 'success');
create index failed_transactions_by_order
  on transactions (account_number, environment, order_id, created_at, transaction_id)
  where status in ('failed', 'error');
create index transactions_by_time
  on transactions (account_number, environment, created_at, transaction_id);
create index transactions_by_status
  on transactions (account_number, environment, status, currency, created_at, transaction_id)
  include (total_minor);
create index transactions_by_total
  on transactions
    (account_number, environment, utc_month(created_at), total_minor, created_at, transaction_id)
  include (status, currency);
create index transactions_by_band
  on transactions
    (account_number, environment, total_band(total_minor), created_at, transaction_id)
  include (total_minor, status, currency);
comment on index transactions_by_total is
  'Month by month, so that new rows touch the pages of this month only. By total alone each would '
  'touch a page of its own, anywhere in the index.';
comment on index failed_transactions_by_order is
  'Together with the index of live ones it finds every attempt at an order, and each row is in '
  'one of the two only.';

-- The name of the trigger is the rule, and is told like the name of a constraint.
create function refuse_by_name() returns trigger
language plpgsql
as $$
begin
  raise exception '%', replace(tg_name, '_', ' ')
    using errcode = 'check_violation', constraint = tg_name, table = tg_table_name;
end
$$;

create function transaction_may_move(p_from text, p_to text) returns boolean
language sql immutable parallel safe
as $$
  select case p_from
    when 'Normal' then p_to in ('Refund Requested', 'Chargeback Pending', 'Fraud Confirmed')
    when 'Refund Requested'
      then p_to in ('Refunded', 'Refund Rejected', 'Chargeback Pending', 'Fraud Confirmed')
    when 'Refunded' then p_to in ('Refund Requested', 'Chargeback Pending', 'Fraud Confirmed')
    when 'Refund Rejected'
      then p_to in ('Refund Requested', 'Chargeback Pending', 'Fraud Confirmed')
    when 'Chargeback Pending'
      then p_to in ('Chargeback Processed', 'Normal', 'Refund Requested', 'Refunded',
        'Refund Rejected', 'Fraud Confirmed')
    else false
  end
$$;
comment on function transaction_may_move is
  'Which status_desc may follow which. A chargeback that is released leaves what was there before; '
  'one that was processed and a confirmed fraud are the end.';

create trigger a_transaction_begins_incomplete
  before insert on transactions
  for each row when (new.status <> 'incomplete')
  execute function refuse_by_name();
create trigger a_final_status_stays_final
  before update on transactions
  for each row when (old.status <> 'incomplete' and old.status <> new.status)
  execute function refuse_by_name();
create trigger a_result_is_told_once
  before update on transactions
  for each row when (
    old.status <> 'incomplete'
    and (old.message, old.card_brand, old.card_last_four, old.finalised_at)
      is distinct from (new.message, new.card_brand, new.card_last_four, new.finalised_at)
  )
  execute function refuse_by_name();
create trigger status_desc_moves_along_its_table
  before update on transactions
  for each row when (
    old.status_desc <> new.status_desc
    and not transaction_may_move(old.status_desc, new.status_desc)
  )
  execute function refuse_by_name();
create trigger what_was_agreed_is_never_changed
  before update on transactions
  for each row when (
    (old.transaction_id, old.account_number, old.environment, old.country_code, old.currency,
      old.order_id, old.total_minor, old.customer_total_minor, old.fee_minor, old.tax_minor,
      old.net_minor, old.fee_structure, old.method, old.origin, old.customer, old.data,
      old.created_at)
    is distinct from
    (new.transaction_id, new.account_number, new.environment, new.country_code, new.currency,
      new.order_id, new.total_minor, new.customer_total_minor, new.fee_minor, new.tax_minor,
      new.net_minor, new.fee_structure, new.method, new.origin, new.customer, new.data,
      new.created_at)
  )
  execute function refuse_by_name();
create trigger transactions_are_never_removed
  before delete or truncate on transactions
  for each statement execute function refuse_change();

create table transaction_counts (
  account_number text not null,
  environment text not null,
  span text not null,
  starts_at timestamptz not null,
  status text not null,
  currency text not null,
  transaction_count bigint not null,
  constraint a_span_is_counted_once
    primary key (account_number, environment, span, starts_at, status, currency),
  constraint span_is_known check (span in ('hour', 'day', 'month'))
) with (fillfactor = 80);
comment on table transaction_counts is
  'How many transactions an account has by hour, day and month (UTC) of their creation. Together '
  'with transaction_count_changes exactly as many as there are, in every snapshot.';
comment on column transaction_counts.transaction_count is
  'May be below zero for a moment: changes are added up in any order.';

create table transaction_count_changes (
  account_number text not null,
  environment text not null,
  hour timestamptz not null,
  status text not null,
  currency text not null,
  change integer not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);
create index transaction_count_changes_by_account
  on transaction_count_changes (account_number, environment);
comment on table transaction_count_changes is
  'What has yet to be added to transaction_counts. Only ever inserted by those who write '
  'transactions, so none of them waits for another. No key of its own: a row is added up and '
  'deleted, never looked for.';

create function count_new_transactions() returns trigger
language plpgsql
as $$
begin
  insert into transaction_count_changes
  select account_number, environment, date_trunc('hour', created_at, 'UTC'), status, currency,
    count(*)
  from added group by 1, 2, 3, 4, 5;
  return null;
end
$$;
create trigger new_transactions_are_counted
  after insert on transactions
  referencing new table as added
  for each statement execute function count_new_transactions();

create function count_moved_transaction() returns trigger
language plpgsql
as $$
begin
  insert into transaction_count_changes
  select new.account_number, new.environment, date_trunc('hour', new.created_at, 'UTC'),
    moved.status, new.currency, moved.change
  from (values (old.status, -1), (new.status, 1)) as moved (status, change);
  return null;
end
$$;
create trigger moved_transactions_are_counted
  after update of status on transactions
  for each row when (old.status <> new.status)
  execute function count_moved_transaction();
