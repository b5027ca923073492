-- How a business shows itself to its customers, and its logo (Decision 0093). Not breaking: an
-- older version that still runs knows neither.
set local lock_timeout = '5s';

create table businesses (
  account_number text not null,
  business_name text,
  website text,
  support_email text,
  support_phone text,
  accent_colour text,
  time_zone text,
  language text,
  updated_at timestamptz not null default app_now(),
  constraint an_account_has_one_business primary key (account_number),
  constraint a_business_is_an_accounts
    foreign key (account_number) references accounts (account_number),
  constraint business_name_has_1_to_60_characters
    check (char_length(business_name) between 1 and 60),
  constraint website_is_http check (website ~ '^https?://' and char_length(website) <= 255),
  constraint support_email_has_an_at
    check (support_email ~ '^[^@]+@[^@]+$' and char_length(support_email) <= 255),
  constraint support_phone_is_e164 check (support_phone ~ '^\+[1-9][0-9]{1,14}$'),
  constraint accent_colour_is_rrggbb check (accent_colour ~ '^#[0-9a-f]{6}$'),
  constraint time_zone_has_1_to_64_characters check (char_length(time_zone) between 1 and 64),
  constraint language_is_known check (language in ('en', 'es', 'fr', 'nl'))
);
comment on table businesses is
  'What customers see of an account: null where the business said nothing. The same in live and '
  'sandbox.';

create table logos (
  account_number text not null,
  logo_id text not null,
  width integer not null,
  height integer not null,
  bytes bytea not null,
  updated_at timestamptz not null default app_now(),
  constraint an_account_has_one_logo primary key (account_number),
  constraint a_logo_is_an_accounts
    foreign key (account_number) references accounts (account_number),
  constraint an_address_leads_to_one_logo unique (logo_id),
  constraint logo_id_has_128_bits check (logo_id ~ '^[0-9a-f]{32}$'),
  constraint a_logo_fits_480_by_160 check (width between 1 and 480 and height between 1 and 160),
  constraint a_logo_has_1_byte_to_400_kb check (octet_length(bytes) between 1 and 409600)
);
-- A PNG is compressed already; trying again with every write would only cost time.
alter table logos alter column bytes set storage external;
comment on table logos is
  'The logo of a business, at most one: bytes and address change together or not at all.';
comment on column logos.logo_id is 'Random, and new with every logo.';
comment on column logos.bytes is 'A PNG of the sides beside it, without metadata.';
