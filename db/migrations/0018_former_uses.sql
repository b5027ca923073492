-- Who still calls paths of 1.x or asks for its scopes, so that an operator can tell them before
-- the bridge is taken down (Decision 0051). Not breaking.
set local lock_timeout = '5s';

create table former_uses (
  account_number text not null,
  name text collate "C" not null,
  credential text collate "C" not null,
  use_count bigint not null,
  first_at timestamptz(3) not null,
  last_at timestamptz(3) not null,
  constraint a_use_is_counted_once primary key (account_number, name, credential),
  constraint a_use_is_of_an_account
    foreign key (account_number) references accounts (account_number),
  constraint name_is_a_path_or_a_scope
    check (name ~ '^(GET|POST|PATCH|DELETE) /[a-z/_-]+$' or name ~ '^wapi-[a-z-]+$'),
  constraint credential_is_a_kid_or_a_token
    check (credential = 'token' or credential ~ '^[0-9a-f]{18}$'),
  constraint a_use_was_made_at_least_once check (use_count > 0),
  constraint the_first_use_is_not_after_the_last check (first_at <= last_at)
);
comment on table former_uses is
  'Names of 1.x that callers still use: one row for each account, name and credential.';
comment on column former_uses.credential is
  'The kid of an API key, which is no secret, or token for a bearer token of any sign-in.';
