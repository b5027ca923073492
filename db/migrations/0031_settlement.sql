-- What the acquirer paid out to our bank, line by line of its reports (Decision 0082). Not
-- breaking: an older version that still runs knows neither the table nor the new ledger accounts.
set local lock_timeout = '5s';

alter table ledger_accounts
  drop constraint kind_is_known,
  add constraint kind_is_known check (
    kind in ('available', 'held', 'gateway_clearing', 'bank', 'acquirer_fees', 'fee_income', 'tax',
      'payouts_in_transit', 'card_checks', 'opening_funds', 'losses')
  ) not valid;
alter table ledger_accounts validate constraint kind_is_known;

create table settlement_lines (
  line_id text collate "C" not null,
  gateway text not null,
  identifier text not null,
  order_identifier text not null,
  type text not null,
  kind text not null,
  currency text not null,
  amount_minor bigint not null,
  fee_minor bigint not null,
  settled_on date not null,
  state text not null,
  difference text,
  transaction_id text collate "C",
  account_number text,
  settles text collate "C",
  imported_at timestamptz(3) not null default app_now(),
  constraint a_line_is_imported_once primary key (line_id),
  constraint a_sale_or_refund_is_settled_by_one_line unique (settles),
  constraint a_line_is_named_by_its_digest check (line_id ~ '^[0-9a-f]{64}$'),
  constraint gateway_is_known check (gateway in ('powertranz')),
  constraint kind_is_known check (kind in ('sale', 'refund', 'other')),
  constraint currency_is_known check (currency in ('TTD', 'USD', 'BBD', 'XCD', 'JMD', 'GYD')),
  constraint a_sale_and_a_refund_have_an_amount
    check (amount_minor >= 0 and (amount_minor > 0 or kind = 'other')),
  constraint fee_is_not_negative check (fee_minor >= 0),
  constraint state_is_known check (state in ('matched', 'differs', 'unknown')),
  constraint a_line_that_is_not_matched_says_why
    check ((state = 'matched') = (difference is null)),
  constraint a_matched_line_settles_something check (state <> 'matched' or settles is not null),
  constraint only_a_sale_or_refund_of_a_payment_is_known check (
    (state = 'unknown') = (transaction_id is null)
    and (transaction_id is null) = (account_number is null)
    and (kind <> 'other' or state = 'unknown')
  ),
  constraint a_known_line_belongs_to_an_account
    foreign key (account_number) references accounts (account_number)
);
create index settlement_lines_by_day on settlement_lines (settled_on, line_id);
create index settlement_lines_to_explain on settlement_lines (settled_on) where state <> 'matched';
create index settlement_lines_of_payment on settlement_lines (transaction_id)
  where transaction_id is not null;
create index settlement_lines_of_account on settlement_lines (account_number)
  where account_number is not null;
comment on table settlement_lines is
  'Lines of the acquirer''s settlement reports. What a line says is never changed; what it settles '
  'is found when it is imported, and looked for again when it is imported again.';
comment on column settlement_lines.line_id is
  'SHA-256 of what the line says: the same line is the same row, in whatever file it comes.';
comment on column settlement_lines.settles is
  'The sale or refund at the gateway, as "sale <reference>" or "refund <reference>".';
comment on column settlement_lines.transaction_id is
  'Of a payment or a card check, so there is no foreign key.';
comment on column settlement_lines.state is
  'A line that is matched or differs is in the books as the report says it; an unknown one is not.';

create index powertranz_sales_of_payment on powertranz_sales (transaction_id);
comment on index powertranz_sales_of_payment is
  'By the order that a line of a settlement report names.';
