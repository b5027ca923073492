-- Trusted cards: stored by customers, verified and charged by merchants (Decisions 0042, 0043 and
-- 0044). Not breaking: an older version opens payments only, whose sessions look as before.
set local lock_timeout = '5s';

-- A session may now be about a card that is saved, which is no transaction.
alter table checkout_sessions drop constraint a_session_belongs_to_a_transaction;
create function expect_transactions() returns trigger
language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $$
begin
  perform from added
  where purpose <> 'card' and not exists (
    select from transactions where transactions.transaction_id = added.transaction_id);
  if found then
    raise exception 'a session belongs to a transaction'
      using errcode = 'foreign_key_violation', constraint = tg_name, table = tg_table_name;
  end if;
  return null;
end
$$;
-- Once for all of a batch: a look for each row took about ten times as long.
create trigger a_session_belongs_to_a_transaction
  after insert on checkout_sessions
  referencing new table as added
  for each statement execute function expect_transactions();

alter table simulator_sales add column is_amount_secret boolean not null default false;
comment on column simulator_sales.is_amount_secret is
  'The bank''s page does not name the amount: its customer is to read it from the statement.';

create table card_checks (
  transaction_id text collate "C" not null,
  account_number text not null,
  environment text not null,
  amount_minor bigint not null,
  data text not null default '',
  status text not null default 'incomplete',
  message text,
  card_brand text,
  card_last_four text,
  card_uuid uuid,
  given_last_four text,
  exp_month integer,
  exp_year integer,
  holder text,
  wrapped_with text,
  key_box bytea,
  card_box bytea,
  fingerprint bytea,
  return_state text not null default 'none',
  return_reference uuid not null default gen_random_uuid(),
  return_count integer not null default 0,
  next_return_at timestamptz,
  returned_at timestamptz(3),
  created_at timestamptz(3) not null default app_now(),
  finalised_at timestamptz(3),
  constraint a_check_has_its_own_id primary key (transaction_id),
  constraint a_check_belongs_to_a_session
    foreign key (transaction_id) references checkout_sessions (transaction_id),
  constraint a_check_belongs_to_an_account
    foreign key (account_number) references accounts (account_number),
  constraint environment_is_known check (environment in ('live', 'sandbox')),
  constraint amount_is_50_to_99_cents check (amount_minor between 50 and 99),
  constraint data_has_at_most_4096_characters check (char_length(data) <= 4096),
  constraint status_is_known check (status in ('incomplete', 'success', 'failed', 'error')),
  constraint message_is_set_exactly_when_final
    check ((message is not null) = (status <> 'incomplete')),
  constraint finalised_at_is_set_exactly_when_final
    check ((finalised_at is not null) = (status <> 'incomplete')),
  constraint card_is_named_and_shown_by_four_digits
    check ((card_brand is null) = (card_last_four is null) and card_last_four ~ '^[0-9]{4}$'),
  constraint a_given_card_is_kept_whole_and_only_until_the_end check (
    num_nulls(given_last_four, exp_month, exp_year, holder, wrapped_with, key_box, card_box,
      fingerprint) in (0, 8)
    and (card_box is null or (card_uuid is not null and status = 'incomplete'))
  ),
  constraint return_state_is_known check (return_state in ('none', 'due', 'returned', 'rejected')),
  constraint only_what_was_charged_goes_back check (return_state = 'none' or status = 'success'),
  constraint next_return_at_is_set_exactly_while_due
    check ((next_return_at is not null) = (return_state = 'due')),
  constraint returned_at_is_set_exactly_when_returned
    check ((returned_at is not null) = (return_state = 'returned'))
);
create index card_checks_to_return on card_checks (next_return_at)
  where next_return_at is not null;
create index card_checks_open on card_checks (account_number) where status = 'incomplete';
comment on table card_checks is
  'The small amount that proves a card, of 0.50 to 0.99 USD: charged by a session that saves a '
  'card, given back when the card is verified or deleted. No merchant ever has it, so it stands '
  'in no history and no balance.';
comment on column card_checks.card_box is
  'The card that is being tried, sealed, until its bank has said yes or no: an answer may come to '
  'another process than the one that was given the card. The CVV is never written.';
comment on column card_checks.return_reference is 'What the gateway knows the return by.';

create trigger a_final_check_stays_final
  before update on card_checks
  for each row when (
    old.status <> 'incomplete'
    and (old.status, old.message, old.card_brand, old.card_last_four, old.finalised_at)
      is distinct from
      (new.status, new.message, new.card_brand, new.card_last_four, new.finalised_at)
  )
  execute function refuse_by_name();
create trigger what_was_agreed_is_never_changed
  before update on card_checks
  for each row when (
    (old.transaction_id, old.account_number, old.environment, old.amount_minor, old.data,
      old.created_at, old.return_reference)
    is distinct from
    (new.transaction_id, new.account_number, new.environment, new.amount_minor, new.data,
      new.created_at, new.return_reference)
  )
  execute function refuse_by_name();
create trigger a_return_moves_along_its_table
  before update on card_checks
  for each row when (
    old.return_state <> new.return_state
    and not case old.return_state
      when 'none' then new.return_state = 'due'
      when 'due' then new.return_state in ('returned', 'rejected')
      else false
    end
  )
  execute function refuse_by_name();
create trigger card_checks_are_never_removed
  before delete or truncate on card_checks
  for each statement execute function refuse_change();

-- At COMMIT, because record and money are written one after the other.
create function expect_check_posting() returns trigger
language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off
as $$
begin
  if (
    select sum(amount_minor) from ledger_transfers
    where environment = new.environment
      and posting_id
        = case new.return_state when 'returned' then 'card_check_returned '
            else 'card_check_charged ' end || new.transaction_id
  ) is distinct from new.amount_minor then
    raise exception 'what a check moves has its posting'
      using errcode = 'check_violation', constraint = tg_name, table = tg_table_name;
  end if;
  return null;
end
$$;
create constraint trigger what_a_check_moves_has_its_posting
  after update on card_checks
  deferrable initially deferred
  for each row when (
    (old.status <> 'success' and new.status = 'success')
    or (old.return_state <> 'returned' and new.return_state = 'returned')
  )
  execute function expect_check_posting();

create table trusted_cards (
  card_uuid uuid not null,
  transaction_id text collate "C" not null,
  account_number text not null,
  environment text not null,
  card_type text not null,
  last_four text not null,
  exp_month integer not null,
  exp_year integer not null,
  holder text not null,
  state text not null default 'unverified',
  try_count integer not null default 0,
  verify_expires_at timestamptz(3) not null,
  verified_at timestamptz(3),
  deleted_at timestamptz(3),
  deleted_because text,
  key_version integer not null default 1,
  wrapped_with text,
  key_box bytea,
  card_box bytea,
  fingerprint bytea,
  created_at timestamptz(3) not null default app_now(),
  constraint a_card_has_its_own_uuid primary key (card_uuid),
  constraint a_check_makes_one_card unique (transaction_id),
  constraint a_card_was_proved_by_a_check
    foreign key (transaction_id) references card_checks (transaction_id),
  constraint a_card_belongs_to_an_account
    foreign key (account_number) references accounts (account_number),
  constraint environment_is_known check (environment in ('live', 'sandbox')),
  constraint card_type_is_known check (card_type in ('visa', 'mastercard')),
  constraint a_card_is_told_by_its_last_four check (last_four ~ '^[0-9]{4}$'),
  constraint exp_month_is_a_month check (exp_month between 1 and 12),
  constraint state_is_known check (state in ('unverified', 'verified', 'deleted')),
  constraint three_wrong_tries_delete_a_card
    check (try_count between 0 and 3 and (try_count < 3 or state = 'deleted')),
  constraint a_verified_card_knows_when
    check (verified_at is not null or state <> 'verified'),
  constraint deleted_at_is_set_exactly_when_deleted check (
    (deleted_at is not null) = (state = 'deleted')
    and (deleted_because is not null) = (state = 'deleted')
  ),
  constraint a_deleted_card_is_gone_and_no_other check (
    num_nulls(wrapped_with, key_box, card_box, fingerprint)
      = case state when 'deleted' then 4 else 0 end
  )
);
create index trusted_cards_by_account
  on trusted_cards (account_number, environment, created_at, card_uuid)
  where state <> 'deleted';
create index trusted_cards_unverified on trusted_cards (verify_expires_at)
  where state = 'unverified';
create index trusted_cards_by_key on trusted_cards (wrapped_with, card_uuid)
  where state <> 'deleted';
-- Their cards are deleted by a sweep, which looks every minute.
create index accounts_closed on accounts (account_number) where status = 'closed';
comment on table trusted_cards is
  'A card that its holder has left with a merchant, to be charged again. Its number is in card_box '
  'alone, sealed with a key of its own that is in key_box, sealed in turn; both are gone once the '
  'card is deleted. The CVV is never written.';
comment on column trusted_cards.key_version is
  'How often it has been sealed anew; bound into both boxes.';
comment on column trusted_cards.fingerprint is
  'Equal for equal numbers of one account, by a key of that account; stays over key rotation. '
  'Wrong amounts are counted by it.';

create trigger a_card_begins_unverified
  before insert on trusted_cards
  for each row when (new.state <> 'unverified' or new.try_count <> 0)
  execute function refuse_by_name();
create trigger a_card_moves_along_its_table
  before update on trusted_cards
  for each row when (
    old.state <> new.state
    and not case old.state
      when 'unverified' then new.state in ('verified', 'deleted')
      when 'verified' then new.state = 'deleted'
      else false
    end
  )
  execute function refuse_by_name();
create trigger tries_are_only_added
  before update on trusted_cards
  for each row when (new.try_count < old.try_count)
  execute function refuse_by_name();
create trigger key_version_is_only_raised
  before update on trusted_cards
  for each row when (new.key_version < old.key_version)
  execute function refuse_by_name();
create trigger what_a_card_is_never_changes
  before update on trusted_cards
  for each row when (
    (old.card_uuid, old.transaction_id, old.account_number, old.environment, old.card_type,
      old.last_four, old.exp_month, old.exp_year, old.holder, old.created_at,
      old.verify_expires_at)
    is distinct from
    (new.card_uuid, new.transaction_id, new.account_number, new.environment, new.card_type,
      new.last_four, new.exp_month, new.exp_year, new.holder, new.created_at,
      new.verify_expires_at)
  )
  execute function refuse_by_name();
create trigger trusted_cards_are_never_removed
  before delete or truncate on trusted_cards
  for each statement execute function refuse_change();

create table card_charges (
  transaction_id text collate "C" not null,
  card_uuid uuid not null,
  constraint a_charge_is_of_one_card primary key (transaction_id),
  constraint a_charge_belongs_to_a_session
    foreign key (transaction_id) references checkout_sessions (transaction_id),
  constraint a_charge_names_a_card
    foreign key (card_uuid) references trusted_cards (card_uuid)
);
create index card_charges_by_card on card_charges (card_uuid);
comment on table card_charges is 'Which stored card a payment is to be made with.';
create trigger card_charges_are_never_changed
  before update or delete or truncate on card_charges
  for each statement execute function refuse_change();

create table card_fingerprint_keys (
  account_number text not null,
  wrapped_with text not null,
  key_box bytea not null,
  constraint an_account_has_one_fingerprint_key primary key (account_number),
  constraint a_fingerprint_key_belongs_to_an_account
    foreign key (account_number) references accounts (account_number)
);
comment on table card_fingerprint_keys is
  'What an account''s cards are recognised with, sealed. Sealed anew when keys rotate, itself '
  'never replaced: fingerprints would no longer be equal.';
