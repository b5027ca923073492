-- A bank may send a completed withdrawal back (Decision 0101). Not breaking: an older version that
-- still runs reads such rows, and moves none of them.
set local lock_timeout = '5s';

create or replace function withdrawal_may_move(p_from text, p_to text) returns boolean
language sql immutable parallel safe
as $$
  select case p_from
    when 'pending' then p_to in ('processing', 'held', 'cancelled')
    when 'processing' then p_to in ('completed', 'failed', 'held')
    when 'held' then p_to in ('pending', 'failed')
    when 'completed' then p_to = 'returned'
    else false
  end
$$;

alter table withdrawals
  drop constraint status_is_known,
  drop constraint completed_at_is_set_exactly_when_completed,
  drop constraint what_is_held_or_failed_says_why,
  drop constraint what_was_processed_was_paid_out_once_or_more,
  add constraint status_is_known check (status in
    ('pending', 'processing', 'held', 'completed', 'failed', 'cancelled', 'returned')) not valid,
  -- Of a returned one, too: it was paid then, and the money came back later.
  add constraint completed_at_is_set_exactly_when_it_was_paid
    check ((completed_at is not null) = (status in ('completed', 'returned'))) not valid,
  add constraint what_is_held_or_not_paid_says_why
    check ((status_reason is not null) = (status in ('held', 'failed', 'returned'))) not valid,
  add constraint what_was_processed_was_paid_out_once_or_more check (
    payout_count >= case when status in ('processing', 'completed', 'returned') then 1 else 0 end
  ) not valid;
alter table withdrawals
  validate constraint status_is_known,
  validate constraint completed_at_is_set_exactly_when_it_was_paid,
  validate constraint what_is_held_or_not_paid_says_why,
  validate constraint what_was_processed_was_paid_out_once_or_more;

drop trigger an_ended_withdrawal_never_changes on withdrawals;
create trigger an_ended_withdrawal_never_changes
  before update on withdrawals
  for each row when (
    old.status in ('completed', 'failed', 'cancelled', 'returned')
    and not (old.status = 'completed' and new.status = 'returned')
  )
  execute function refuse_by_name();
create trigger a_returned_withdrawal_was_paid_when_it_was_paid
  before update on withdrawals
  for each row when (
    new.status = 'returned' and old.completed_at is distinct from new.completed_at
  )
  execute function refuse_by_name();

create or replace function expect_withdrawal_posting() returns trigger
language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $$
declare
  expected text;
  is_each_time boolean;
begin
  expected := case
    when tg_op = 'INSERT' then 'requested'
    when new.status = 'processing' then 'sent'
    when old.status = 'processing' and new.status = 'held' then 'stopped'
    when new.status in ('completed', 'failed', 'cancelled', 'returned') then new.status
  end;
  if expected is null then
    return null;
  end if;
  is_each_time := expected in ('sent', 'stopped');
  if (
    select sum(amount_minor) from ledger_transfers
    where environment = new.environment
      and posting_id = 'withdrawal_' || expected || ' ' || new.transaction_id
        || case when is_each_time then ' ' || new.payout_count else '' end
  ) is distinct from (new.amount_minor + case when is_each_time then 0 else new.fee_minor end) then
    raise exception 'a withdrawal moves with its money'
      using errcode = 'check_violation', constraint = tg_name, table = tg_table_name;
  end if;
  return null;
end
$$;
