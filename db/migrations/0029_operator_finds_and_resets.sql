-- Links by which an account holder sets a new password (Decision 0070), and two indexes by which an
-- operator finds accounts and cards (Decision 0073). Not breaking: an older version that still runs
-- knows neither. Cards that are submitted while the index on them is built wait for it, some
-- seconds for each million rows, and may be answered 503: with that many, upgrade in a quiet hour.
set local lock_timeout = '5s';

create table password_resets (
  account_number text not null,
  token_digest bytea not null,
  credential_epoch integer not null,
  expires_at timestamptz not null,
  constraint an_account_has_one_reset_link primary key (account_number),
  constraint a_reset_link_is_of_one_account unique (token_digest),
  constraint a_reset_token_is_kept_as_sha256 check (octet_length(token_digest) = 32),
  constraint a_reset_link_belongs_to_an_account
    foreign key (account_number) references accounts (account_number)
);
comment on table password_resets is
  'The newest link of an account; the row goes when it is used. At most one row per account, so '
  'there is nothing to prune.';
comment on column password_resets.credential_epoch is
  'Of the account when the link was made. A password that was changed since, or credentials that '
  'were ended, end the link as well.';

create index accounts_by_age on accounts (created_at, account_number);

create index checkout_attempts_by_card
  on checkout_attempts (card_last_four, starts_with(transaction_id, 'SB-'), began_at)
  where ended_at is not null;
comment on index checkout_attempts_by_card is
  'Written once for each card, when it was decided: those that are not are few, and have an index '
  'of their own. Sandbox and live apart, because the sandbox sees the same few cards all day.';
