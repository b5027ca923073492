-- An account may demand that payment requests for it are signed (Decision 0066). Not breaking: an
-- older version that still runs does not read the column, so it takes unsigned requests until it
-- is gone.
set local lock_timeout = '5s';

alter table payment_keys add column requires_signature boolean not null default false;
comment on column payment_keys.requires_signature is
  'Whether a payment request of this account and environment is refused without a signature.';
