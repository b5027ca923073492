-- People who act for accounts (Decision 0084) and their console sessions (Decision 0085). Not
-- breaking but for reset links: an older version that still runs can make none.
set local lock_timeout = '5s';

create table persons (
  person_id uuid not null default gen_random_uuid(),
  email text not null,
  full_name text,
  holder_of text,
  password_digest text,
  pepper_id text,
  credential_epoch integer not null default 1,
  created_at timestamptz not null default app_now(),
  constraint persons_pkey primary key (person_id),
  constraint an_account_has_one_holder unique (holder_of),
  constraint email_is_in_normal_form check (email = lower(email)),
  constraint a_holder_has_the_password_of_the_account
    check ((holder_of is null) = (password_digest is not null)),
  constraint a_password_names_its_pepper
    check ((password_digest is null) = (pepper_id is null)),
  constraint password_is_kept_as_argon2id check (password_digest ~~ '$argon2id$%'),
  constraint a_person_without_an_account_has_a_name
    check (holder_of is not null or full_name is not null),
  constraint a_name_is_not_empty check (full_name <> ''),
  constraint a_holder_holds_an_account
    foreign key (holder_of) references accounts (account_number)
);
create unique index email_belongs_to_one_person on persons (email);
comment on table persons is
  'Who signs in to the console. A holder''s e-mail, password and epoch are those of the account.';
comment on column persons.full_name is 'Null: the names of the account that the person holds.';
comment on column persons.credential_epoch is
  'Goes up with every new password; a session made under an older epoch is dead.';

create table members (
  account_number text not null,
  person_id uuid not null,
  role text not null,
  created_at timestamptz not null default app_now(),
  constraint members_pkey primary key (account_number, person_id),
  constraint role_is_known
    check (role in ('owner', 'admin', 'finance', 'developer', 'support', 'viewer')),
  constraint a_member_belongs_to_an_account
    foreign key (account_number) references accounts (account_number),
  constraint a_member_is_a_person foreign key (person_id) references persons (person_id)
);
create index members_by_person on members (person_id);
comment on table members is 'What a person may do for an account.';

create table member_refund_limits (
  account_number text not null,
  person_id uuid not null,
  currency text not null,
  limit_minor bigint not null,
  constraint member_refund_limits_pkey primary key (account_number, person_id, currency),
  constraint currency_is_known check (currency in ('TTD', 'USD', 'BBD', 'XCD', 'JMD', 'GYD')),
  constraint limit_is_positive check (limit_minor > 0),
  constraint a_refund_limit_belongs_to_a_member
    foreign key (account_number, person_id) references members (account_number, person_id)
    on delete cascade
);
comment on table member_refund_limits is
  'How much of one payment a support member may refund in all; no row: nothing.';

create function give_the_account_its_holder() returns trigger language plpgsql as $$
declare
  holder uuid;
begin
  insert into persons (email, holder_of) values (new.email, new.account_number)
  returning person_id into holder;
  insert into members (account_number, person_id, role)
  values (new.account_number, holder, 'owner');
  return null;
end $$;
create trigger an_account_has_its_holder_as_owner
  after insert on accounts
  for each row execute function give_the_account_its_holder();

create function rename_the_holder() returns trigger language plpgsql as $$
begin
  update persons set email = new.email where holder_of = new.account_number;
  return null;
end $$;
create trigger a_holder_has_the_email_of_the_account
  after update of email on accounts
  for each row when (old.email <> new.email) execute function rename_the_holder();

create function keep_the_holder() returns trigger language plpgsql as $$
begin
  if exists (
    select from persons
    where person_id = old.person_id and holder_of = old.account_number
  ) and (tg_op = 'DELETE' or new.role <> 'owner') then
    raise exception 'the holder of an account stays its owner'
      using errcode = 'check_violation', constraint = 'the_holder_stays_an_owner';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $$;
create trigger the_holder_stays_an_owner
  before update or delete on members
  for each row execute function keep_the_holder();

with holders as (
  insert into persons (email, holder_of, created_at)
  select email, account_number, created_at from accounts
  returning person_id, holder_of, created_at
)
insert into members (account_number, person_id, role, created_at)
select holder_of, person_id, 'owner', created_at from holders;

alter table accounts add column api_sign_in text not null default 'password',
  add constraint api_sign_in_is_known
    check (api_sign_in in ('password', 'password_and_code', 'off'));
comment on column accounts.api_sign_in is 'What POST /auth/tokens asks of the holder.';

create table console_sessions (
  session_id uuid not null default gen_random_uuid(),
  token_digest bytea not null,
  person_id uuid not null,
  account_number text not null,
  environment text not null,
  credential_epoch integer not null,
  stage text not null default 'signed_in',
  second_factor text,
  challenge text,
  challenged_at timestamptz,
  address text not null,
  browser text not null,
  created_at timestamptz not null default app_now(),
  last_seen_at timestamptz not null default app_now(),
  proven_at timestamptz not null default app_now(),
  ended_at timestamptz,
  constraint console_sessions_pkey primary key (session_id),
  constraint a_session_is_found_by_its_token unique (token_digest),
  constraint a_session_token_is_kept_as_sha256 check (octet_length(token_digest) = 32),
  constraint environment_is_known check (environment in ('live', 'sandbox')),
  constraint stage_is_known check (stage in ('second_factor', 'signed_in')),
  constraint second_factor_is_known
    check (second_factor in ('passkey', 'totp', 'recovery_code')),
  constraint a_challenge_has_its_time check ((challenge is null) = (challenged_at is null)),
  constraint a_session_belongs_to_a_person
    foreign key (person_id) references persons (person_id),
  constraint a_session_acts_for_an_account
    foreign key (account_number) references accounts (account_number)
);
create index console_sessions_of_person on console_sessions (person_id, created_at);
create index console_sessions_by_age on console_sessions (created_at);
comment on table console_sessions is 'Sign-ins in a browser. Only a digest of the cookie is kept.';
comment on column console_sessions.stage is
  '"second_factor": the password was right and a code or a passkey is still to come.';
comment on column console_sessions.challenge is 'Of the passkey ceremony that is under way.';
comment on column console_sessions.proven_at is
  'When the person last showed a password or a second factor.';

create table console_guesses (
  guess_id uuid not null default gen_random_uuid(),
  email text not null,
  address text not null,
  guessed_at timestamptz not null default app_now(),
  is_wrong boolean not null default false,
  constraint console_guesses_pkey primary key (guess_id)
);
create index console_guesses_by_email on console_guesses (email, guessed_at);
create index console_guesses_by_address on console_guesses (address, guessed_at) where is_wrong;
create index console_guesses_by_age on console_guesses (guessed_at);
comment on table console_guesses is
  'Passwords and codes that were wrong, or are being checked. Also for e-mails that nobody has.';

create table known_browsers (
  person_id uuid not null,
  browser_digest bytea not null,
  seen_at timestamptz not null default app_now(),
  constraint known_browsers_pkey primary key (person_id, browser_digest),
  constraint a_browser_is_kept_as_sha256 check (octet_length(browser_digest) = 32),
  constraint a_known_browser_belongs_to_a_person
    foreign key (person_id) references persons (person_id)
);
comment on table known_browsers is 'Browsers a person has signed in with, by a cookie of theirs.';

create table passkeys (
  passkey_id uuid not null default gen_random_uuid(),
  credential_id text not null,
  person_id uuid not null,
  name text not null,
  public_key bytea not null,
  sign_count bigint not null,
  transports text[] not null default '{}',
  created_at timestamptz not null default app_now(),
  last_used_at timestamptz,
  constraint passkeys_pkey primary key (passkey_id),
  constraint a_passkey_is_added_once unique (credential_id),
  constraint a_passkey_has_a_short_name check (length(name) between 1 and 60),
  constraint a_passkey_belongs_to_a_person foreign key (person_id) references persons (person_id)
);
create index passkeys_of_person on passkeys (person_id);

create table totp_secrets (
  person_id uuid not null,
  secret_box bytea not null,
  wrapping_key_id text not null,
  confirmed_at timestamptz,
  last_step bigint not null default 0,
  created_at timestamptz not null default app_now(),
  constraint totp_secrets_pkey primary key (person_id),
  constraint a_totp_secret_belongs_to_a_person
    foreign key (person_id) references persons (person_id)
);
comment on column totp_secrets.last_step is
  'The 30 seconds whose code was used last: no code is taken twice.';

create table recovery_codes (
  person_id uuid not null,
  code_digest bytea not null,
  pepper_id text not null,
  created_at timestamptz not null default app_now(),
  used_at timestamptz,
  constraint recovery_codes_pkey primary key (person_id, code_digest),
  constraint a_recovery_code_belongs_to_a_person
    foreign key (person_id) references persons (person_id)
);

create table invitations (
  invitation_id uuid not null default gen_random_uuid(),
  account_number text not null,
  email text not null,
  role text not null,
  token_digest bytea not null,
  invited_by uuid not null,
  created_at timestamptz not null default app_now(),
  expires_at timestamptz not null,
  accepted_at timestamptz,
  withdrawn_at timestamptz,
  constraint invitations_pkey primary key (invitation_id),
  constraint an_invitation_is_found_by_its_token unique (token_digest),
  constraint an_invitation_token_is_kept_as_sha256 check (octet_length(token_digest) = 32),
  constraint email_is_in_normal_form check (email = lower(email)),
  constraint role_is_known
    check (role in ('owner', 'admin', 'finance', 'developer', 'support', 'viewer')),
  constraint an_invitation_ends_once check (accepted_at is null or withdrawn_at is null),
  constraint an_invitation_is_to_an_account
    foreign key (account_number) references accounts (account_number),
  constraint an_invitation_is_from_a_person foreign key (invited_by) references persons (person_id)
);
create unique index one_open_invitation_of_an_email_to_an_account
  on invitations (account_number, email) where accepted_at is null and withdrawn_at is null;
create index invitations_of_account on invitations (account_number, created_at);

-- A reset link is a person's: members without an account of their own have passwords, too. Links
-- live for 30 minutes, so those that are under way are asked for again.
drop table password_resets;
create table reset_links (
  person_id uuid not null,
  token_digest bytea not null,
  credential_epoch integer not null,
  expires_at timestamptz not null,
  constraint a_person_has_one_reset_link primary key (person_id),
  constraint a_reset_link_is_of_one_person unique (token_digest),
  constraint a_reset_token_is_kept_as_sha256 check (octet_length(token_digest) = 32),
  constraint a_reset_link_belongs_to_a_person
    foreign key (person_id) references persons (person_id)
);
comment on table reset_links is
  'The newest link of a person; the row goes when it is used. At most one row for each, so there '
  'is nothing to prune.';
comment on column reset_links.credential_epoch is
  'Of the person when the link was made. A password that was changed since, or credentials that '
  'were ended, end the link as well.';

create table saved_filters (
  person_id uuid not null,
  account_number text not null,
  page text not null,
  name text not null,
  query text not null,
  created_at timestamptz not null default app_now(),
  constraint saved_filters_pkey primary key (person_id, account_number, page, name),
  constraint a_filter_has_a_short_name check (length(name) between 1 and 60),
  constraint a_saved_filter_belongs_to_a_member
    foreign key (account_number, person_id) references members (account_number, person_id)
    on delete cascade
);

create table statement_mails (
  account_number text not null,
  person_id uuid not null,
  created_at timestamptz not null default app_now(),
  constraint statement_mails_pkey primary key (account_number, person_id),
  constraint a_statement_goes_to_a_member
    foreign key (account_number, person_id) references members (account_number, person_id)
    on delete cascade
);
comment on table statement_mails is 'Who asked for the monthly statement by mail.';
