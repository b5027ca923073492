-- Refunds and disputes: what goes back of what a customer paid, and the simulated acquirer's own
-- journal (Decisions 0029 and 0030). Not breaking.
set local lock_timeout = '5s';

alter table transactions
  add column refund_pending_minor bigint not null default 0,
  add column disputed_minor bigint not null default 0,
  add constraint no_more_goes_back_than_was_paid check (
    refund_pending_minor >= 0 and disputed_minor >= 0
    and refunded_minor + refund_pending_minor + disputed_minor <= customer_total_minor
  ),
  add constraint only_what_was_paid_goes_back
    check (status = 'success' or (refund_pending_minor = 0 and disputed_minor = 0));
comment on column transactions.refunded_minor is 'Given back to the customer by refunds.';
comment on column transactions.refund_pending_minor is
  'Asked to be given back, and neither given back nor rejected yet.';
comment on column transactions.disputed_minor is
  'Taken back by chargebacks and fraud, or held for a chargeback that is open.';

create table refunds (
  refund_id uuid not null default gen_random_uuid(),
  transaction_id text collate "C" not null,
  amount_minor bigint not null,
  reason text,
  state text not null default 'requested',
  attempt_count integer not null default 0,
  next_try_at timestamptz default app_now(),
  leased_until timestamptz,
  rejected_because text,
  created_at timestamptz(3) not null default app_now(),
  ended_at timestamptz(3),
  constraint a_refund_has_its_own_id primary key (refund_id),
  constraint a_refund_belongs_to_a_transaction
    foreign key (transaction_id) references transactions (transaction_id),
  constraint amount_is_positive check (amount_minor > 0),
  constraint reason_has_1_to_255_characters check (char_length(reason) between 1 and 255),
  constraint state_is_known
    check (state in ('requested', 'submitted', 'unknown', 'refunded', 'rejected')),
  constraint only_what_was_tried_has_left_the_house check (
    case state
      when 'requested' then attempt_count = 0
      when 'rejected' then attempt_count >= 0
      else attempt_count > 0
    end
  ),
  constraint next_try_at_is_set_exactly_while_under_way
    check ((next_try_at is null) = (state in ('refunded', 'rejected'))),
  constraint nobody_works_on_what_has_ended
    check (leased_until is null or state in ('submitted', 'unknown')),
  constraint rejected_because_is_set_exactly_when_rejected
    check ((rejected_because is not null) = (state = 'rejected')),
  constraint ended_at_is_set_exactly_when_ended
    check ((ended_at is not null) = (state in ('refunded', 'rejected')))
);
create index refunds_by_transaction on refunds (transaction_id, created_at);
create index refunds_under_way on refunds (next_try_at) where next_try_at is not null;
comment on table refunds is
  'An intent to give money back, written before anybody outside is told. Its id is the reference '
  'that the gateway knows it by.';
comment on column refunds.state is
  'requested: nobody outside was told. submitted: the gateway is being told, or was when a process '
  'died. unknown: its answer was lost. refunded, rejected: the end.';
comment on column refunds.leased_until is
  'A process is talking to the gateway, and will have stopped by then.';

create trigger a_refund_begins_requested
  before insert on refunds
  for each row when (new.state <> 'requested')
  execute function refuse_by_name();
create trigger a_refund_moves_along_its_table
  before update on refunds
  for each row when (
    old.state <> new.state
    and not case old.state
      when 'requested' then new.state in ('submitted', 'rejected')
      when 'submitted' then new.state in ('unknown', 'refunded', 'rejected')
      when 'unknown' then new.state in ('refunded', 'rejected')
      else false
    end
  )
  execute function refuse_by_name();
create trigger what_was_asked_for_is_never_changed
  before update on refunds
  for each row when (
    (old.refund_id, old.transaction_id, old.amount_minor, old.reason, old.created_at)
    is distinct from
    (new.refund_id, new.transaction_id, new.amount_minor, new.reason, new.created_at)
  )
  execute function refuse_by_name();
create trigger refunds_are_never_removed
  before delete or truncate on refunds
  for each statement execute function refuse_change();

-- The sums of a transaction are moved here and nowhere else, so that the check on them holds
-- whoever writes a refund or a dispute.
create function move_refund_sums() returns trigger
language plpgsql
as $$
begin
  if tg_op = 'INSERT' then
    update transactions
    set refund_pending_minor = refund_pending_minor + new.amount_minor
    where transaction_id = new.transaction_id;
  else
    update transactions
    set refund_pending_minor = refund_pending_minor - new.amount_minor,
      refunded_minor = refunded_minor
        + case new.state when 'refunded' then new.amount_minor else 0 end
    where transaction_id = new.transaction_id;
  end if;
  return null;
end
$$;
create trigger a_new_refund_is_pending
  after insert on refunds
  for each row execute function move_refund_sums();
create trigger an_ended_refund_is_pending_no_more
  after update of state on refunds
  for each row when (old.ended_at is null and new.ended_at is not null)
  execute function move_refund_sums();

create table disputes (
  dispute_id uuid not null default gen_random_uuid(),
  transaction_id text collate "C" not null,
  kind text not null,
  amount_minor bigint not null,
  covered_minor bigint not null,
  state text not null,
  opened_at timestamptz(3) not null default app_now(),
  ended_at timestamptz(3),
  constraint a_dispute_has_its_own_id primary key (dispute_id),
  constraint a_dispute_belongs_to_a_transaction
    foreign key (transaction_id) references transactions (transaction_id),
  constraint kind_is_known check (kind in ('chargeback', 'fraud')),
  constraint a_chargeback_is_about_money
    check (amount_minor > 0 or (kind = 'fraud' and amount_minor = 0)),
  constraint the_merchant_covers_at_most_the_amount
    check (covered_minor between 0 and amount_minor),
  constraint state_is_known check (state in ('open', 'processed', 'released')),
  constraint fraud_is_processed_at_once check (kind = 'chargeback' or state = 'processed'),
  constraint ended_at_is_set_exactly_when_ended check ((ended_at is null) = (state = 'open'))
);
create unique index a_transaction_has_one_dispute_at_a_time
  on disputes (transaction_id) where state = 'open';
create index disputes_by_transaction on disputes (transaction_id, opened_at);
comment on table disputes is
  'Money that the bank of a card takes back, or wants to: chargebacks, and fraud, which is '
  'processed the moment it is confirmed. Who and why is in audit_entries.';
comment on column disputes.covered_minor is
  'What the merchant had of it; the rest is our loss when it is processed.';

create trigger a_dispute_ends_once
  before update on disputes
  for each row when (old.state <> 'open')
  execute function refuse_by_name();
create trigger what_is_disputed_is_never_changed
  before update on disputes
  for each row when (
    (old.dispute_id, old.transaction_id, old.kind, old.amount_minor, old.covered_minor,
      old.opened_at)
    is distinct from
    (new.dispute_id, new.transaction_id, new.kind, new.amount_minor, new.covered_minor,
      new.opened_at)
  )
  execute function refuse_by_name();
create trigger disputes_are_never_removed
  before delete or truncate on disputes
  for each statement execute function refuse_change();

create function move_disputed_sum() returns trigger
language plpgsql
as $$
begin
  update transactions
  set disputed_minor = disputed_minor
    + case tg_op when 'INSERT' then new.amount_minor else -new.amount_minor end
  where transaction_id = new.transaction_id;
  return null;
end
$$;
create trigger a_dispute_takes_its_amount
  after insert on disputes
  for each row when (new.state <> 'released')
  execute function move_disputed_sum();
create trigger a_released_dispute_gives_it_back
  after update of state on disputes
  for each row when (old.state = 'open' and new.state = 'released')
  execute function move_disputed_sum();

create table simulator_refunds (
  reference text collate "C" not null,
  transaction_id text collate "C" not null,
  currency text not null,
  amount_minor bigint not null,
  call_count integer not null default 1,
  outcome text,
  known_at timestamptz,
  done_at timestamptz,
  constraint a_reference_is_worked_on_once primary key (reference),
  constraint amount_is_positive check (amount_minor > 0),
  constraint outcome_is_known check (outcome in ('refunded', 'rejected')),
  constraint what_was_done_has_its_time check (
    (outcome is null) = (done_at is null) and (outcome is null) = (known_at is null)
  )
);
comment on table simulator_refunds is
  'The journal of the simulated acquirer. It stands for a machine that is not ours: no other table '
  'refers to it, and it is never written in a tx of ours.';
comment on column simulator_refunds.outcome is
  'Null: a call came and was lost on the way, so the acquirer has never seen the reference.';
comment on column simulator_refunds.known_at is
  'Until then the acquirer says that it does not know yet.';

create function simulator_keeps_its_word() returns trigger
language plpgsql
as $$
begin
  if old.outcome is not null and (old.outcome, old.amount_minor, old.done_at)
    is distinct from (new.outcome, new.amount_minor, new.done_at)
  then
    raise exception 'the simulated acquirer keeps its word'
      using errcode = 'check_violation', constraint = tg_name;
  end if;
  return new;
end
$$;
create trigger what_the_simulator_did_stays_done
  before update on simulator_refunds
  for each row execute function simulator_keeps_its_word();
create trigger simulator_refunds_are_never_removed
  before delete or truncate on simulator_refunds
  for each statement execute function refuse_change();
