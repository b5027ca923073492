-- Hosted checkout: keys that sign results, sessions and attempts (Decisions 0036, 0039 and 0040).
-- Not breaking.
set local lock_timeout = '5s';

create table payment_keys (
  account_number text not null,
  environment text not null,
  sealed_with text not null,
  hash_key_box bytea not null,
  signing_secret_box bytea not null,
  changed_at timestamptz(3) not null default app_now(),
  constraint an_account_has_one_payment_key_an_environment
    primary key (account_number, environment),
  constraint a_payment_key_belongs_to_an_account
    foreign key (account_number) references accounts (account_number),
  constraint environment_is_known check (environment in ('live', 'sandbox'))
);
comment on table payment_keys is
  'What a merchant checks results with, sealed: the key of the MD5 hash and the secret of the '
  'signature.';

create table checkout_sessions (
  transaction_id text collate "C" not null,
  purpose text not null default 'payment',
  token_key_id text not null,
  token_digest bytea not null,
  request_digest bytea not null,
  response_url text not null,
  is_avs boolean not null,
  card_type text,
  state text not null default 'open',
  attempt_count integer not null default 0,
  expires_at timestamptz(3) not null,
  ended_at timestamptz(3),
  constraint a_session_is_of_one_transaction primary key (transaction_id),
  constraint a_session_belongs_to_a_transaction
    foreign key (transaction_id) references transactions (transaction_id),
  constraint a_token_opens_one_session unique (token_digest),
  constraint purpose_is_known check (purpose in ('payment', 'card', 'charge')),
  constraint card_type_is_known check (card_type in ('visa', 'mastercard')),
  constraint state_is_known check (state in ('open', 'ended')),
  constraint a_session_has_at_most_5_attempts check (attempt_count between 0 and 5),
  constraint ended_at_is_set_exactly_when_ended check ((ended_at is not null) = (state = 'ended'))
);
create index checkout_sessions_open on checkout_sessions (expires_at) where state = 'open';
comment on table checkout_sessions is
  'The time in which a customer may pay. Its token is worked out anew from a key and the '
  'transaction''s id; only the digest is kept.';
comment on column checkout_sessions.request_digest is
  'Tells whether the same order was asked for with the same words.';

create table checkout_attempts (
  attempt_id uuid not null default gen_random_uuid(),
  transaction_id text collate "C" not null,
  number integer not null,
  state text not null default 'submitted',
  card_brand text not null,
  card_last_four text not null,
  challenge_token text,
  challenge_html text,
  outcome_code text,
  message text,
  avs_answer text,
  ask_count integer not null default 0,
  next_ask_at timestamptz,
  leased_until timestamptz,
  began_at timestamptz(3) not null default app_now(),
  ended_at timestamptz(3),
  constraint an_attempt_has_its_own_id primary key (attempt_id),
  constraint an_attempt_has_its_number unique (transaction_id, number),
  constraint an_attempt_belongs_to_a_session
    foreign key (transaction_id) references checkout_sessions (transaction_id),
  constraint state_is_known check (
    state in ('submitted', 'challenged', 'unknown', 'approved', 'declined', 'void_due', 'voided')
  ),
  constraint a_card_is_told_by_its_last_four check (card_last_four ~ '^[0-9]{4}$'),
  constraint next_ask_at_is_set_exactly_while_undecided check (
    (next_ask_at is not null) = (state in ('submitted', 'challenged', 'unknown', 'void_due'))
  ),
  constraint ended_at_is_set_exactly_when_decided check (
    (ended_at is not null) = (state in ('approved', 'declined', 'void_due', 'voided'))
  )
);
create unique index a_session_has_one_attempt_under_way
  on checkout_attempts (transaction_id) where state in ('submitted', 'challenged', 'unknown');
create index checkout_attempts_undecided on checkout_attempts (next_ask_at)
  where next_ask_at is not null;
comment on table checkout_attempts is
  'One card tried. Its id is the reference that the gateway knows it by, written before the '
  'gateway is called. The card number and the CVV are never written.';
comment on column checkout_attempts.state is
  'submitted: the gateway is being told. challenged: the card''s bank asks the customer. unknown: '
  'the answer was lost. void_due: approved after the result was told, to be undone. voided: '
  'undone.';

create trigger an_attempt_moves_along_its_table
  before update on checkout_attempts
  for each row when (
    old.state <> new.state
    and not case old.state
      when 'submitted' then
        new.state in ('challenged', 'unknown', 'approved', 'declined', 'void_due')
      when 'challenged' then new.state in ('unknown', 'approved', 'declined', 'void_due')
      when 'unknown' then new.state in ('challenged', 'approved', 'declined', 'void_due')
      when 'declined' then new.state = 'void_due'
      when 'void_due' then new.state = 'voided'
      else false
    end
  )
  execute function refuse_by_name();
create trigger an_ended_session_stays_ended
  before update on checkout_sessions
  for each row when (old.state = 'ended' and new.state <> 'ended')
  execute function refuse_by_name();
create trigger checkout_attempts_are_never_removed
  before delete or truncate on checkout_attempts
  for each statement execute function refuse_change();
