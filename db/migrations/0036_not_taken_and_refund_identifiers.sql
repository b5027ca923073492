-- A card that no gateway would take is not one of the customer's five tries (Decision 0080). Not
-- breaking: an older version counts it as one.
set local lock_timeout = '5s';

alter table checkout_sessions
  add column not_taken_count integer not null default 0,
  drop constraint a_session_has_at_most_5_attempts,
  add constraint a_session_has_at_most_5_tries_and_20_attempts check (
    not_taken_count >= 0 and attempt_count <= 20
    and attempt_count - not_taken_count between 0 and 5
  ) not valid;
alter table checkout_sessions
  validate constraint a_session_has_at_most_5_tries_and_20_attempts;
comment on column checkout_sessions.not_taken_count is
  'How many of its attempts no gateway would take, for a reason that is not the card''s.';

-- Under which the acquirer's portal and its settlement reports have a refund.
alter table powertranz_refunds add column identifier uuid;
comment on column powertranz_refunds.identifier is
  'The TransactionIdentifier that the gateway gave it; null until it is known.';
