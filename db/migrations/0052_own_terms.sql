-- Limits and fees of single accounts, from a date on (Decision 0129). Not breaking: an older
-- version prices by the terms of the platform until it has ended, so set none while one runs.
set local lock_timeout = '5s';

alter table accounts add column has_own_terms boolean not null default false;
comment on column accounts.has_own_terms is
  'Whether account_limits or account_fees has rows of it: others cost a payment request no lookup.';

create table account_limits (
  account_number text not null,
  currency text not null,
  valid_from timestamptz not null,
  set_number bigint not null generated always as identity,
  minimum_minor bigint,
  maximum_minor bigint,
  set_at timestamptz not null default app_now(),
  constraint account_limits_pkey primary key (account_number, currency, valid_from, set_number),
  constraint currency_is_known check (currency in ('TTD', 'USD', 'BBD', 'XCD', 'JMD', 'GYD')),
  constraint limits_are_both_own_or_both_the_platforms
    check ((minimum_minor is null) = (maximum_minor is null)),
  constraint limits_are_amounts_in_order
    check (minimum_minor >= 1 and maximum_minor >= minimum_minor),
  constraint limits_are_an_accounts
    foreign key (account_number) references accounts (account_number)
);
create trigger limits_that_were_set_are_never_changed
  before delete or update or truncate on account_limits
  for each statement execute function refuse_change();
comment on table account_limits is
  'What one payment of an account may be in a currency, from a moment on until the next row''s; '
  'without amounts the platform''s again. Of rows of one moment the last one counts.';

create table account_fees (
  account_number text not null,
  valid_from timestamptz not null,
  set_number bigint not null generated always as identity,
  percentage_basis_points integer,
  fixed_cents integer,
  set_at timestamptz not null default app_now(),
  constraint account_fees_pkey primary key (account_number, valid_from, set_number),
  constraint fees_are_both_own_or_both_the_platforms
    check ((percentage_basis_points is null) = (fixed_cents is null)),
  constraint a_fee_takes_nothing_away
    check (percentage_basis_points >= 0 and percentage_basis_points <= 2000 and fixed_cents >= 0),
  constraint fees_are_an_accounts
    foreign key (account_number) references accounts (account_number)
);
create trigger fees_that_were_set_are_never_changed
  before delete or update or truncate on account_fees
  for each statement execute function refuse_change();
comment on table account_fees is
  'What an account pays for a payment, from a moment on until the next row''s; without terms the '
  'platform''s again. Of rows of one moment the last one counts.';
comment on column account_fees.fixed_cents is 'In US dollars, charged in the payment''s currency.';
