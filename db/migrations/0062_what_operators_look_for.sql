-- What waits for an operator is read along an index, accounts are found by words of their names
-- (Decision 0145), and a chargeback keeps the day by which its bank wants an answer. Not breaking:
-- nothing is demanded.
set local lock_timeout = '5s';

alter table disputes add column answer_by date;
comment on column disputes.answer_by is
  'By which day the card''s bank wants an answer, where it named one.';

create index live_disputes_open on disputes (answer_by, opened_at)
  where state = 'open' and not starts_with(transaction_id, 'SB-');
create index live_withdrawals_held on withdrawals (updated_at)
  where status = 'held' and environment = 'live';

-- Without what is neither a letter nor a digit: a name with a dot or a slash would be one word.
create index accounts_by_words_of_name on accounts
  using gin (to_tsvector('simple',
    regexp_replace(first_name || ' ' || last_name, '(?=[ -~])[^A-Za-z0-9]', ' ', 'g')));
create index businesses_by_words_of_name on businesses
  using gin (to_tsvector('simple',
    regexp_replace(business_name, '(?=[ -~])[^A-Za-z0-9]', ' ', 'g')));
