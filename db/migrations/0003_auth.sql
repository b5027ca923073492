-- Credentials: signing keys, sign-ins with their refresh tokens, API keys. Not breaking.
set local lock_timeout = '5s';

create table signing_keys (
  kid text primary key,
  state text not null,
  public_jwk jsonb not null,
  private_sealed bytea not null,
  wrapping_key_id text not null,
  created_at timestamptz not null default app_now(),
  retired_at timestamptz,
  constraint state_is_known check (state in ('next', 'current', 'retired')),
  constraint retired_at_is_set_exactly_when_retired
    check ((retired_at is not null) = (state = 'retired'))
);
create unique index one_key_signs on signing_keys (state) where state = 'current';
create unique index one_key_is_next on signing_keys (state) where state = 'next';
comment on table signing_keys is
  'Ed25519 keys of access tokens. The next one is published before it signs, so that verifiers '
  'know it.';
comment on column signing_keys.private_sealed is
  'Sealed under a wrapping key and bound to its kid.';

create table grants (
  grant_id uuid primary key,
  account_number text not null references accounts (account_number),
  scopes text[] not null,
  credential_epoch integer not null,
  created_at timestamptz not null default app_now(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  revoked_because text,
  constraint a_grant_has_scopes check (cardinality(scopes) > 0),
  constraint reason_is_given_exactly_when_revoked
    check ((revoked_because is not null) = (revoked_at is not null)),
  constraint reason_is_known
    check (revoked_because in ('revoked', 'reuse'))
);
create index grants_by_account on grants (account_number);
create index grants_by_expiry on grants (expires_at);
comment on table grants is
  'One sign-in and everything refreshed from it: the family that lives and dies together.';
comment on column grants.expires_at is
  'When the last refresh token of the family ends; then the row may go.';

create table refresh_tokens (
  token_digest bytea primary key,
  pepper_id text not null,
  grant_id uuid not null references grants (grant_id) on delete cascade,
  issued_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  successor_digest bytea,
  successor_sealed bytea,
  constraint successor_is_known_exactly_when_used check (
    (used_at is not null) = (successor_digest is not null)
    and (used_at is not null) = (successor_sealed is not null)
  )
);
create index refresh_tokens_by_grant on refresh_tokens (grant_id);
comment on column refresh_tokens.successor_sealed is
  'The pair this token was exchanged for, sealed under a key made from the token itself: a '
  'client that '
  'lost the answer can have it again, the database alone cannot read it.';

create table api_keys (
  kid text primary key,
  account_number text not null references accounts (account_number),
  environment text not null,
  name text,
  key_digest bytea not null,
  pepper_id text not null,
  scopes text[] not null,
  allowed_cidrs cidr[] not null default '{}',
  created_at timestamptz not null default app_now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  rotated_to text references api_keys (kid),
  last_used_at timestamptz,
  constraint kid_is_18_hex check (kid ~ '^[0-9a-f]{18}$'),
  constraint environment_is_known check (environment in ('live', 'sandbox')),
  constraint a_key_has_scopes check (cardinality(scopes) > 0),
  constraint at_most_50_cidrs check (cardinality(allowed_cidrs) <= 50),
  constraint a_key_is_rotated_once unique (rotated_to)
);
create index api_keys_by_account on api_keys (account_number, created_at desc, kid desc);
comment on column api_keys.allowed_cidrs is 'Empty: any address.';
comment on column api_keys.last_used_at is 'Written at most once a minute, not with every request.';

create table sign_in_failures (
  account_number text not null references accounts (account_number),
  failed_at timestamptz not null default app_now(),
  address inet not null
);
create index sign_in_failures_by_account on sign_in_failures (account_number, failed_at);
create index sign_in_failures_by_age on sign_in_failures (failed_at);

create table known_addresses (
  account_number text not null references accounts (account_number),
  address inet not null,
  seen_at timestamptz not null default app_now(),
  primary key (account_number, address)
);
comment on table known_addresses is
  'Where an account has signed in from: these stay welcome while guesses from elsewhere are '
  'throttled.';
