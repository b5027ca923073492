-- Withdrawals: money that leaves a merchant's balance, how it is told to a bank, and the simulated
-- bank's own journal (Decisions 0045, 0046, 0047, 0048 and 0049). Not breaking.
set local lock_timeout = '5s';

create table withdrawals (
  transaction_id text collate "C" not null,
  reference uuid not null default gen_random_uuid(),
  account_number text not null,
  environment text not null,
  country_code text not null,
  withdrawal_type text not null,
  currency text not null,
  amount_minor bigint not null,
  fee_minor bigint not null,
  status text not null default 'pending',
  status_reason text,
  data text not null default '',
  bank_name text,
  bank_account_last_four text,
  bank_account_type text,
  bank_branch text,
  name_in_bank text,
  foreign_bank jsonb,
  recipient_name text,
  email text,
  phone text,
  id_type text,
  id_number_last_four text,
  numbers_sealed bytea not null,
  wrapping_key_id text not null,
  payout_count integer not null default 0,
  dispatch_at timestamptz(3) not null default app_now(),
  created_at timestamptz(3) not null default app_now(),
  updated_at timestamptz(3) not null default app_now(),
  completed_at timestamptz(3),
  deleted_at timestamptz(3),
  constraint a_withdrawal_has_its_own_id primary key (transaction_id),
  constraint a_reference_is_of_one_withdrawal unique (reference),
  constraint a_withdrawal_belongs_to_an_account
    foreign key (account_number) references accounts (account_number),
  constraint environment_is_known check (environment in ('live', 'sandbox')),
  constraint platform_is_known check (country_code in ('BB', 'GD', 'GY', 'JM', 'TT')),
  constraint transaction_id_names_its_environment_and_platform check (
    starts_with(transaction_id,
      case environment when 'sandbox' then 'SB-' else '' end || country_code || '-')
    and char_length(transaction_id) = case environment when 'sandbox' then 32 else 29 end
  ),
  constraint withdrawal_type_is_known
    check (withdrawal_type in ('normal', 'sub_banked', 'sub_unbanked')),
  constraint currency_is_known check (currency in ('TTD', 'USD', 'BBD', 'XCD', 'JMD', 'GYD')),
  constraint amount_is_positive check (amount_minor > 0),
  constraint fee_is_not_negative check (fee_minor >= 0),
  constraint status_is_known check (
    status in ('pending', 'processing', 'held', 'completed', 'failed', 'cancelled')
  ),
  constraint what_is_held_or_failed_says_why
    check ((status_reason is not null) = (status in ('held', 'failed'))),
  constraint reason_has_1_to_255_characters check (char_length(status_reason) between 1 and 255),
  constraint data_has_at_most_4096_characters check (char_length(data) <= 4096),
  constraint a_bank_has_a_name_a_number_and_a_holder check (
    num_nulls(bank_name, bank_account_last_four, name_in_bank)
      = case withdrawal_type when 'sub_unbanked' then 3 else 0 end
  ),
  constraint type_and_branch_come_together
    check ((bank_account_type is null) = (bank_branch is null)),
  constraint bank_account_type_is_known check (bank_account_type in ('chequing', 'savings')),
  constraint only_an_own_bank_is_abroad check (
    foreign_bank is null
    or (jsonb_typeof(foreign_bank) = 'object' and withdrawal_type = 'normal' and currency = 'USD')
  ),
  constraint who_is_paid_for_a_main_merchant_is_known check (
    num_nulls(email, phone, id_type, id_number_last_four)
      = case withdrawal_type when 'normal' then 4 else 0 end
  ),
  constraint only_a_person_without_a_bank_is_named_as_recipient
    check ((recipient_name is null) = (withdrawal_type <> 'sub_unbanked')),
  constraint id_type_is_known check (id_type in ('driver_permit', 'national_id', 'passport')),
  constraint only_the_ends_of_numbers_are_in_clear check (
    bank_account_last_four ~ '^[A-Za-z0-9]{4}$' and id_number_last_four ~ '^[A-Z0-9-]{4}$'
  ),
  constraint numbers_are_sealed check (octet_length(numbers_sealed) > 28),
  constraint what_was_processed_was_paid_out_once_or_more
    check (payout_count >= case when status in ('processing', 'completed') then 1 else 0 end),
  constraint completed_at_is_set_exactly_when_completed
    check ((completed_at is not null) = (status = 'completed')),
  constraint deleted_at_is_set_exactly_when_cancelled
    check ((deleted_at is not null) = (status = 'cancelled'))
);
create index withdrawals_by_time
  on withdrawals (account_number, environment, created_at, transaction_id);
create index withdrawals_to_dispatch
  on withdrawals (environment, dispatch_at) where status = 'pending';
create index withdrawals_under_way
  on withdrawals (updated_at) where status in ('pending', 'processing', 'held');
comment on table withdrawals is
  'Money that leaves a merchant''s balance. Where it goes is a copy made when it was asked for; '
  'only its status moves, along its table, with the books and an event.';
comment on column withdrawals.reference is 'What the bank knows it by, in every try.';
comment on column withdrawals.foreign_bank is 'The other columns of foreign_banks, by their names.';
comment on column withdrawals.numbers_sealed is
  'The numbers of account and document as JSON, sealed under a wrapping key and bound to the id.';
comment on column withdrawals.payout_count is 'Again only after the bank had stopped it.';
comment on column withdrawals.dispatch_at is 'Until then its owner can surely think again.';

create function withdrawal_may_move(p_from text, p_to text) returns boolean
language sql immutable parallel safe
as $$
  select case p_from
    when 'pending' then p_to in ('processing', 'held', 'cancelled')
    when 'processing' then p_to in ('completed', 'failed', 'held')
    when 'held' then p_to in ('pending', 'failed')
    else false
  end
$$;

create function withdrawal_moving_columns() returns text[]
language sql immutable parallel safe
as $$
  select '{status, status_reason, payout_count, dispatch_at, updated_at, completed_at,
    deleted_at}'::text[]
$$;

create trigger a_withdrawal_begins_pending
  before insert on withdrawals
  for each row when (new.status <> 'pending' or new.payout_count <> 0)
  execute function refuse_by_name();
create trigger a_withdrawal_moves_along_its_table
  before update on withdrawals
  for each row when (old.status <> new.status and not withdrawal_may_move(old.status, new.status))
  execute function refuse_by_name();
create trigger an_ended_withdrawal_never_changes
  before update on withdrawals
  for each row when (old.status in ('completed', 'failed', 'cancelled'))
  execute function refuse_by_name();
create trigger a_payout_is_counted_as_it_begins
  before update on withdrawals
  for each row when (
    new.payout_count <> old.payout_count
      + case when old.status = 'pending' and new.status = 'processing' then 1 else 0 end
  )
  execute function refuse_by_name();
create trigger what_was_asked_for_is_never_changed
  before update on withdrawals
  for each row when (
    to_jsonb(old) - withdrawal_moving_columns() is distinct from
    to_jsonb(new) - withdrawal_moving_columns()
  )
  execute function refuse_by_name();
create trigger withdrawals_are_never_removed
  before delete or truncate on withdrawals
  for each statement execute function refuse_change();

-- At COMMIT, by one look into an index: record and money are written one after the other.
create function expect_withdrawal_posting() returns trigger
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
    when new.status in ('completed', 'failed', 'cancelled') then new.status
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
create constraint trigger a_new_withdrawal_has_its_posting
  after insert on withdrawals
  deferrable initially deferred
  for each row execute function expect_withdrawal_posting();
create constraint trigger a_moved_withdrawal_has_its_posting
  after update on withdrawals
  deferrable initially deferred
  for each row when (old.status <> new.status)
  execute function expect_withdrawal_posting();

create table payout_batches (
  batch_id uuid not null default gen_random_uuid(),
  message_id text collate "C" not null,
  environment text not null,
  country_code text not null,
  currency text not null,
  bank_day date not null,
  payment_count integer not null,
  total_minor bigint not null,
  file_sha256 bytea not null,
  file_sealed bytea not null,
  wrapping_key_id text not null,
  made_by text not null,
  made_at timestamptz(3) not null default app_now(),
  constraint a_batch_has_its_own_id primary key (batch_id),
  constraint a_message_id_is_of_one_batch unique (message_id),
  constraint message_id_has_1_to_35_characters check (char_length(message_id) between 1 and 35),
  constraint environment_is_known check (environment in ('live', 'sandbox')),
  constraint a_batch_has_a_payment check (payment_count > 0 and total_minor > 0),
  constraint a_sha256_has_32_bytes check (octet_length(file_sha256) = 32),
  constraint file_is_sealed check (octet_length(file_sealed) > 28)
);
create index payout_batches_by_time on payout_batches (made_at);
comment on table payout_batches is 'A file for the bank; its bytes are sealed: it names accounts.';
create trigger payout_batches_are_never_changed
  before update or delete or truncate on payout_batches
  for each statement execute function refuse_change();

create table payouts (
  transaction_id text collate "C" not null,
  number integer not null,
  batch_id uuid,
  is_open boolean not null default true,
  is_stopped boolean not null default false,
  ask_count integer not null default 0,
  next_ask_at timestamptz,
  leased_until timestamptz,
  began_at timestamptz(3) not null default app_now(),
  ended_at timestamptz(3),
  constraint a_payout_has_its_number primary key (transaction_id, number),
  constraint a_payout_belongs_to_a_withdrawal
    foreign key (transaction_id) references withdrawals (transaction_id),
  constraint a_payout_in_a_file_belongs_to_a_batch
    foreign key (batch_id) references payout_batches (batch_id),
  constraint numbers_begin_at_1 check (number >= 1),
  constraint ended_at_is_set_exactly_when_ended check ((ended_at is null) = is_open),
  constraint next_ask_at_is_set_exactly_while_the_bank_can_be_asked
    check ((next_ask_at is not null) = (is_open and batch_id is null)),
  constraint nobody_works_on_what_has_ended_or_is_in_a_file
    check (leased_until is null or (is_open and batch_id is null))
);
create unique index a_withdrawal_has_one_payout_under_way on payouts (transaction_id)
  where is_open;
create index payouts_to_ask_about on payouts (next_ask_at) where next_ask_at is not null;
create index payouts_by_batch on payouts (batch_id) where batch_id is not null;
create index payouts_by_time on payouts (began_at);
comment on table payouts is
  'An intent to pay a withdrawal out, written before a bank hears of it: by a call, or in a file.';
comment on column payouts.is_stopped is 'Nothing is paid by it, and its money came back.';
create trigger an_ended_payout_never_changes
  before update on payouts
  for each row when (not old.is_open)
  execute function refuse_by_name();
create trigger which_payout_it_is_and_that_it_was_stopped_never_changes
  before update on payouts
  for each row when (
    (old.transaction_id, old.number, old.batch_id, old.began_at, old.is_stopped)
    is distinct from (new.transaction_id, new.number, new.batch_id, new.began_at,
      old.is_stopped and new.is_stopped)
  )
  execute function refuse_by_name();
create trigger payouts_are_never_removed
  before delete or truncate on payouts
  for each statement execute function refuse_change();

create table simulator_payouts (
  reference text collate "C" not null,
  currency text not null,
  amount_minor bigint not null,
  payee_digest bytea not null,
  call_count integer not null default 1,
  outcome text,
  known_at timestamptz,
  done_at timestamptz,
  held_at_attempt integer,
  held_until timestamptz,
  constraint a_reference_is_paid_once primary key (reference),
  constraint amount_is_positive check (amount_minor > 0),
  constraint outcome_is_known check (outcome in ('paid', 'rejected')),
  constraint what_was_done_has_its_time check (
    (outcome is null) = (done_at is null) and (outcome is null) = (known_at is null)
  )
);
comment on table simulator_payouts is
  'The journal of the simulated bank. It stands for a machine that is not ours: no other table '
  'refers to it, and it is never written in a tx of ours. It never holds an account number.';
comment on column simulator_payouts.outcome is
  'Null: a call came and was lost on the way, or the bank has stopped the payment.';
comment on column simulator_payouts.held_at_attempt is
  'The bank has stopped it at this attempt: nothing is paid unless a later one comes.';
create trigger what_the_bank_did_stays_done
  before update on simulator_payouts
  for each row execute function simulator_keeps_its_word();
create trigger simulator_payouts_are_never_removed
  before delete or truncate on simulator_payouts
  for each statement execute function refuse_change();
