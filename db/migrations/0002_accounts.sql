-- Accounts: who a merchant or a person is, and the password that proves it. Not breaking.
set local lock_timeout = '5s';

create table accounts (
  account_number text primary key,
  account_type text not null,
  country_code text not null,
  email text not null,
  first_name text not null,
  last_name text not null,
  phone text,
  status text not null default 'active',
  is_main_merchant boolean not null default false,
  verified_at timestamptz,
  made_by text references accounts (account_number),
  password_digest text not null,
  pepper_id text not null,
  credential_epoch integer not null default 1,
  created_at timestamptz not null default app_now(),
  closed_at timestamptz,
  constraint account_number_has_ten_digits check (account_number ~ '^[1-9][0-9]{9}$'),
  constraint account_type_is_known check (account_type in ('PERSONAL', 'BUSINESS')),
  constraint platform_is_known check (country_code in ('BB', 'GD', 'GY', 'JM', 'TT')),
  constraint email_is_in_normal_form check (email = lower(email)),
  constraint status_is_known check (status in ('active', 'frozen', 'closed')),
  constraint closed_at_is_set_exactly_when_closed
    check ((closed_at is not null) = (status = 'closed')),
  constraint only_businesses_are_main_merchants
    check (not is_main_merchant or account_type = 'BUSINESS'),
  constraint password_is_kept_as_argon2id check (password_digest like '$argon2id$%')
);
create unique index email_belongs_to_one_account on accounts (email);
create index accounts_by_maker on accounts (made_by) where made_by is not null;
comment on column accounts.credential_epoch is
  'Goes up with every password change; a sign-in made under an older epoch is dead.';
comment on column accounts.pepper_id is 'Which pepper the password digest was made with.';
comment on column accounts.made_by is 'The main merchant that made this account, if one did.';
