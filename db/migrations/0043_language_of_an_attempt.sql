-- In which language a card was submitted, for the receipt (Decision 0095). Not breaking: an older
-- version leaves it null.
set local lock_timeout = '5s';

alter table checkout_attempts
  add column language text,
  add constraint language_is_known check (language in ('en', 'es', 'fr', 'nl')) not valid;
alter table checkout_attempts validate constraint language_is_known;
comment on column checkout_attempts.language is
  'Of the page on which the card was submitted, so that its receipt can be in the same.';
