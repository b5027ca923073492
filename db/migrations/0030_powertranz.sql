-- What PowerTranz was asked and what it answered (Decision 0080). Not breaking.
set local lock_timeout = '5s';

create table powertranz_sales (
  reference uuid not null,
  transaction_id text collate "C" not null,
  identifier uuid not null,
  merchant_id text not null,
  currency text not null,
  amount_minor bigint not null,
  state text not null default 'starting',
  challenge_digest text collate "C",
  sealed_with text,
  challenge_box bytea,
  code text,
  message text,
  avs text,
  cvv text,
  began_at timestamptz(3) not null default app_now(),
  sent_at timestamptz(3),
  ended_at timestamptz(3),
  void_sent_at timestamptz(3),
  voided_at timestamptz(3),
  constraint a_reference_is_one_sale primary key (reference),
  constraint an_identifier_is_used_once unique (identifier),
  constraint amount_is_positive check (amount_minor > 0),
  constraint state_is_known check (
    state in ('starting', 'prepared', 'completing', 'approved', 'declined')
  ),
  constraint a_token_is_kept_sealed_and_only_until_it_is_used check (
    (challenge_box is not null) = (state = 'prepared')
    and (challenge_box is null) = (sealed_with is null)
  ),
  constraint a_sale_is_sent_before_it_is_known check (
    state not in ('completing', 'approved') or sent_at is not null
  ),
  constraint an_end_has_its_code_and_time check (
    (state in ('approved', 'declined')) = (code is not null)
    and (code is null) = (ended_at is null) and (code is null) = (message is null)
  ),
  constraint only_00_is_approved check ((state = 'approved') = (code is not distinct from '00')),
  constraint avs_is_known check (avs in ('M', 'A', 'Z', 'N', 'G')),
  constraint cvv_is_known check (cvv in ('M', 'N'))
);
create index powertranz_sales_prepared on powertranz_sales (began_at) where state = 'prepared';
comment on table powertranz_sales is
  'What PowerTranz was asked for, written before it is sent. It never holds a card number, and the '
  'token that completes a sale only sealed and until it is used.';
comment on column powertranz_sales.identifier is
  'The TransactionIdentifier. A sale that is sent anew takes a new one.';
comment on column powertranz_sales.merchant_id is
  'The id it was sent with: voids and refunds go with the same.';
comment on column powertranz_sales.sent_at is
  'When the call that moves money was about to be sent. It is sent once.';
comment on column powertranz_sales.void_sent_at is
  'When a void was last about to be sent: its answer may have been lost.';
comment on column powertranz_sales.challenge_box is
  'The SpiToken and the document for the frame, sealed.';

create table powertranz_refunds (
  reference text collate "C" not null,
  sale_reference uuid not null,
  currency text not null,
  amount_minor bigint not null,
  state text not null default 'sent',
  reason text,
  sent_count integer not null default 1,
  sent_at timestamptz(3) not null default app_now(),
  ended_at timestamptz(3),
  constraint a_reference_is_one_refund primary key (reference),
  constraint a_refund_is_of_a_sale
    foreign key (sale_reference) references powertranz_sales (reference),
  constraint amount_is_positive check (amount_minor > 0),
  constraint state_is_known check (state in ('sent', 'not_found', 'refunded', 'rejected')),
  constraint an_end_has_its_time
    check ((state in ('refunded', 'rejected')) = (ended_at is not null)),
  constraint a_rejection_has_its_reason check ((state = 'rejected') = (reason is not null))
);
create index powertranz_refunds_of_sale on powertranz_refunds (sale_reference);
comment on table powertranz_refunds is
  'Refunds that PowerTranz was asked for, written before they are sent. It does not recognise a '
  'repeated one, so one is sent again only after it was looked for and not found.';

-- Which sale paid, and what the card's bank said of the address and the code.
alter table transactions
  add column sale_reference uuid,
  add column avs_answer text,
  add column cvv_answer text,
  add constraint avs_is_known check (avs_answer in ('M', 'A', 'Z', 'N', 'G')) not valid,
  add constraint cvv_is_known check (cvv_answer in ('M', 'N')) not valid;
alter table transactions validate constraint avs_is_known;
alter table transactions validate constraint cvv_is_known;
comment on column transactions.sale_reference is
  'The attempt that paid, as the gateway knows it; null where it is not paid, or older than this.';
alter table card_checks add column sale_reference uuid;
alter table checkout_attempts
  add column cvv_answer text,
  add constraint cvv_is_known check (cvv_answer in ('M', 'N')) not valid;
alter table checkout_attempts validate constraint cvv_is_known;
comment on column checkout_attempts.challenge_html is
  'No longer written: the gateway keeps the document. To be dropped when no older version runs.';

-- Which gateway serves live payments, by platform and currency, from a date on (Decision 0081).
-- Without a row: the one of the settings.
create table gateway_routes (
  route_id bigint generated always as identity,
  country_code text,
  currency text,
  gateway text not null,
  valid_from timestamptz(3) not null default app_now(),
  constraint a_route_has_its_own_id primary key (route_id),
  constraint a_route_of_a_moment_is_named_once
    unique nulls not distinct (country_code, currency, valid_from),
  constraint gateway_is_known check (gateway in ('simulator', 'powertranz'))
);
comment on table gateway_routes is
  'Null stands for every platform or every currency. The most specific row wins, of those the one '
  'that holds since the latest date.';

create table gateway_orders (
  reference text collate "C" not null,
  transaction_id text collate "C" not null,
  gateway text not null,
  ordered_at timestamptz(3) not null default app_now(),
  constraint a_reference_is_one_order primary key (reference),
  constraint gateway_is_known check (gateway in ('simulator', 'powertranz'))
);
comment on table gateway_orders is
  'Which gateway served a live sale or refund, written before it is asked: it is asked about it '
  'later, whatever the routes say by then. No foreign key: card checks are paid, too.';
