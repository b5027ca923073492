-- The simulated acquirer's journal of sales (Decision 0038). Not breaking.
set local lock_timeout = '5s';

create table simulator_sales (
  reference text collate "C" not null,
  transaction_id text collate "C" not null,
  currency text not null,
  amount_minor bigint not null,
  card_brand text not null,
  card_last_four text not null,
  call_count integer not null default 1,
  avs text,
  cvv text,
  challenge_token text collate "C",
  challenge_result text,
  is_bank_silent boolean not null,
  sealed_with text,
  return_url_box bytea,
  outcome text,
  code text,
  done_at timestamptz,
  known_at timestamptz,
  down_until timestamptz,
  voided_at timestamptz,
  constraint a_reference_is_sold_once primary key (reference),
  constraint a_challenge_is_of_one_sale unique (challenge_token),
  constraint amount_is_positive check (amount_minor > 0),
  constraint a_card_is_told_by_its_last_four check (card_last_four ~ '^[0-9]{4}$'),
  constraint avs_is_known check (avs in ('M', 'A', 'Z', 'N', 'G')),
  constraint cvv_is_known check (cvv in ('M', 'N')),
  constraint challenge_result_is_known check (challenge_result in ('passed', 'refused')),
  constraint only_a_challenge_has_a_result
    check (challenge_result is null or challenge_token is not null),
  constraint a_challenge_knows_its_way_back check (
    (challenge_token is null) = (return_url_box is null)
    and (challenge_token is null) = (sealed_with is null)
  ),
  constraint outcome_is_known check (outcome in ('approved', 'declined')),
  constraint an_outcome_has_its_code check (
    (outcome is null) = (code is null) and (outcome = 'approved') = (code = '00')
  ),
  constraint what_was_done_has_its_time check (
    (outcome is null) = (done_at is null) and (outcome is null) = (known_at is null)
  ),
  constraint only_what_was_approved_is_voided check (voided_at is null or outcome = 'approved')
);
comment on table simulator_sales is
  'The journal of the simulated acquirer. It stands for a machine that is not ours: no other table '
  'refers to it, and it is never written in a tx of ours. It never holds a card number.';
comment on column simulator_sales.outcome is
  'Null: the card''s bank is asking the customer, or the order came while the acquirer was down.';
comment on column simulator_sales.known_at is
  'Until then the acquirer says that it does not know yet.';
comment on column simulator_sales.return_url_box is
  'Where the browser takes the answer of the card''s bank, sealed: it opens a payment page.';

create trigger a_sold_sale_stays_sold
  before update on simulator_sales
  for each row execute function simulator_keeps_its_word();
create trigger a_voided_sale_stays_void
  before update on simulator_sales
  for each row when (old.voided_at is not null and old.voided_at is distinct from new.voided_at)
  execute function refuse_by_name();
create trigger the_first_answer_of_a_bank_counts
  before update on simulator_sales
  for each row when (
    old.challenge_result is not null and old.challenge_result is distinct from new.challenge_result
  )
  execute function refuse_by_name();
create trigger simulator_sales_are_never_removed
  before delete or truncate on simulator_sales
  for each statement execute function refuse_change();
