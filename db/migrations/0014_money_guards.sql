-- Records of money hold against any SQL, as the books do: sums, ends and words that nothing stands
-- behind are refused, at the latest by COMMIT (Decisions 0024, 0029 and 0030). Not breaking.
set local lock_timeout = '5s';

create or replace function refuse_change() returns trigger
language plpgsql
as $$
begin
  raise exception '% is append-only', tg_table_name
    using errcode = 'check_violation', constraint = tg_name, table = tg_table_name;
end
$$;

-- Depth 0: the statement itself, not one of the triggers that add up refunds and disputes.
create trigger sums_move_only_with_refunds_and_disputes
  before update on transactions
  for each row when (
    pg_trigger_depth() = 0
    and (old.refunded_minor, old.refund_pending_minor, old.disputed_minor)
      is distinct from (new.refunded_minor, new.refund_pending_minor, new.disputed_minor)
  )
  execute function refuse_by_name();

create trigger an_ended_refund_never_changes
  before update on refunds
  for each row when (old.ended_at is not null)
  execute function refuse_by_name();
create trigger tries_are_only_added
  before update on refunds
  for each row when (new.attempt_count < old.attempt_count)
  execute function refuse_by_name();
create trigger a_dispute_does_not_begin_released
  before insert on disputes
  for each row when (new.state = 'released')
  execute function refuse_by_name();

-- At COMMIT, because record and money are written one after the other. Each costs one look into an
-- index, on which the settings keep it however small the tables were when it was planned.
create function expect_payment_posting() returns trigger
language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $$
begin
  if (
    select sum(amount_minor) from ledger_transfers
    where environment = new.environment
      and posting_id = 'payment_approved ' || new.transaction_id
  ) is distinct from new.customer_total_minor then
    raise exception 'a success has its posting'
      using errcode = 'check_violation', constraint = tg_name, table = tg_table_name;
  end if;
  return null;
end
$$;
create constraint trigger a_success_has_its_posting
  after update on transactions
  deferrable initially deferred
  for each row when (old.status <> 'success' and new.status = 'success')
  execute function expect_payment_posting();

create function expect_refund_posting() returns trigger
language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $$
begin
  if (
    select sum(amount_minor) from ledger_transfers
    where environment
        = case when starts_with(new.transaction_id, 'SB-') then 'sandbox' else 'live' end
      and posting_id
        = case new.state when 'refunded' then 'refund_paid ' else 'refund_rejected ' end
          || new.refund_id::text
  ) is distinct from new.amount_minor then
    raise exception 'an ended refund has its posting'
      using errcode = 'check_violation', constraint = tg_name, table = tg_table_name;
  end if;
  return null;
end
$$;
create constraint trigger an_ended_refund_has_its_posting
  after update on refunds
  deferrable initially deferred
  for each row when (old.ended_at is null and new.ended_at is not null)
  execute function expect_refund_posting();

-- By what the payment says at COMMIT: within one tx the words may have moved on.
create function expect_dispute() returns trigger
language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $$
declare
  words text;
begin
  select status_desc into words from transactions where transaction_id = new.transaction_id;
  if words not in ('Chargeback Pending', 'Chargeback Processed', 'Fraud Confirmed') then
    return null;
  end if;
  perform from disputes
  where transaction_id = new.transaction_id
    and kind = case words when 'Fraud Confirmed' then 'fraud' else 'chargeback' end
    and state = case words when 'Chargeback Pending' then 'open' else 'processed' end;
  if not found then
    raise exception 'a dispute stands behind its status desc'
      using errcode = 'check_violation', constraint = tg_name, table = tg_table_name;
  end if;
  return null;
end
$$;
create constraint trigger a_dispute_stands_behind_its_status_desc
  after update on transactions
  deferrable initially deferred
  for each row when (
    old.status_desc <> new.status_desc
    and new.status_desc in ('Chargeback Pending', 'Chargeback Processed', 'Fraud Confirmed')
  )
  execute function expect_dispute();
