-- Payment links: what a merchant offers at an address of its own, who holds a slot of a link, and
-- what its payments came to by month (Decisions 0099 and 0100). Not breaking: an older version that
-- still runs makes no links; a payment of one that it meets is left to the newer processes.
set local lock_timeout = '5s';

create table payment_links (
  link_id uuid not null default gen_random_uuid(),
  slug text collate "C" not null,
  account_number text not null,
  environment text not null,
  title text not null,
  label text,
  currency text not null,
  amount_minor bigint,
  amount_min_minor bigint,
  amount_max_minor bigint,
  description text,
  items jsonb,
  fee_structure text not null,
  max_payments integer,
  expires_at timestamp(3) with time zone,
  reference_label text,
  success_message text,
  success_url text,
  language text,
  is_active boolean not null default true,
  slots_taken integer not null default 0,
  created_at timestamp(3) with time zone not null default app_now(),
  changed_at timestamp(3) with time zone not null default app_now(),
  constraint a_link_has_its_own_id primary key (link_id),
  constraint an_address_leads_to_one_link unique (slug),
  constraint a_link_is_an_accounts
    foreign key (account_number) references accounts (account_number),
  constraint slug_cannot_be_guessed_or_misread check (slug ~ '^[2-9a-hjkmnp-tv-z]{14}$'),
  constraint environment_is_known check (environment in ('live', 'sandbox')),
  constraint title_has_1_to_80_characters check (char_length(title) between 1 and 80),
  constraint label_has_1_to_60_characters check (char_length(label) between 1 and 60),
  constraint currency_is_known check (currency in ('TTD', 'USD', 'BBD', 'XCD', 'JMD', 'GYD')),
  constraint an_amount_is_fixed_or_has_both_bounds check (
    case
      when amount_minor is null then amount_min_minor > 0 and amount_max_minor >= amount_min_minor
        and items is null
      else amount_minor > 0 and amount_min_minor is null and amount_max_minor is null
    end is true
  ),
  constraint description_has_1_to_255_characters check (char_length(description) between 1 and 255),
  constraint items_are_a_list_of_1_to_50 check (
    case jsonb_typeof(items)
      when 'array' then jsonb_array_length(items) between 1 and 50
      else items is null
    end
  ),
  constraint items_add_up_to_the_amount check (
    case jsonb_typeof(items) when 'array' then items_total_minor(items) = amount_minor end
  ),
  constraint fee_structure_is_known
    check (fee_structure in ('customer_pay', 'merchant_absorb', 'split')),
  constraint no_more_slots_are_taken_than_there_are
    check (slots_taken >= 0 and slots_taken <= coalesce(max_payments, slots_taken)),
  constraint max_payments_is_positive check (max_payments > 0),
  constraint reference_label_has_1_to_40_characters
    check (char_length(reference_label) between 1 and 40),
  constraint success_message_has_1_to_500_characters
    check (char_length(success_message) between 1 and 500),
  constraint success_url_is_http check (success_url ~ '^https?://'),
  constraint language_is_known check (language in ('en', 'es', 'fr', 'nl'))
);
create index payment_links_by_account
  on payment_links (account_number, environment, created_at desc, link_id desc);
create trigger what_a_link_costs_is_never_changed
  before update on payment_links
  for each row
  when (old.link_id is distinct from new.link_id or old.slug is distinct from new.slug
    or old.account_number is distinct from new.account_number
    or old.environment is distinct from new.environment
    or old.currency is distinct from new.currency
    or old.amount_minor is distinct from new.amount_minor
    or old.amount_min_minor is distinct from new.amount_min_minor
    or old.amount_max_minor is distinct from new.amount_max_minor
    or old.items is distinct from new.items
    or old.fee_structure is distinct from new.fee_structure
    or old.created_at is distinct from new.created_at)
  execute function refuse_by_name();
comment on table payment_links is
  'What is to be paid at an address of ours, as often as the merchant allows.';
comment on column payment_links.slug is 'The last part of its address: random, 68 bits.';
comment on column payment_links.label is 'The merchant''s own, to group links by. Not shown.';
comment on column payment_links.slots_taken is
  'How many rows of payment_link_slots it has: payments that succeeded, and cards under way.';

create table payment_link_slots (
  transaction_id text collate "C" not null,
  link_id uuid not null,
  constraint a_payment_has_one_slot primary key (transaction_id),
  constraint a_slot_is_of_a_payment
    foreign key (transaction_id) references transactions (transaction_id),
  constraint a_slot_is_of_a_link foreign key (link_id) references payment_links (link_id)
);
comment on table payment_link_slots is
  'Taken when a card is submitted, given back when it fails, kept when it is paid.';

create table payment_link_months (
  link_id uuid not null,
  month date not null,
  paid_count integer not null,
  paid_minor bigint not null,
  constraint a_link_has_a_month_once primary key (link_id, month),
  constraint a_month_is_of_a_link foreign key (link_id) references payment_links (link_id),
  constraint a_month_begins_on_its_first_day check (extract(day from month) = 1),
  constraint a_month_has_payments check (paid_count > 0 and paid_minor > 0)
);
comment on table payment_link_months is
  'Payments of a link that succeeded, and what was asked for in them, by month (UTC) of success.';

-- No foreign key: links come after payments. The slots have one.
alter table transactions
  add column payment_link uuid,
  add column link_reference text,
  add constraint a_link_reference_is_of_a_link_and_has_1_to_100_characters check (
    payment_link is not null and char_length(link_reference) between 1 and 100
    or link_reference is null
  ) not valid;
alter table transactions
  validate constraint a_link_reference_is_of_a_link_and_has_1_to_100_characters;
create trigger a_payment_stays_with_its_link
  before update of payment_link, link_reference on transactions
  for each row
  when (old.payment_link is distinct from new.payment_link
    or old.link_reference is distinct from new.link_reference)
  execute function refuse_by_name();
create index transactions_by_payment_link
  on transactions (account_number, environment, payment_link, created_at, transaction_id)
  include (status, currency, total_minor)
  where payment_link is not null;
comment on column transactions.payment_link is 'The link it was asked for by, or null.';
comment on column transactions.link_reference is
  'What the customer typed into the field that the link''s reference_label names.';

alter table checkout_sessions
  drop constraint purpose_is_known,
  add constraint purpose_is_known
    check (purpose in ('payment', 'card', 'charge', 'link')) not valid;
alter table checkout_sessions validate constraint purpose_is_known;
