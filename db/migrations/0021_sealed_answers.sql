-- Answers that are kept for an Idempotency-Key are sealed: some hold the address of a payment page
-- (Decision 0006). Breaking: under an older version requests with a key are 500 and do nothing,
-- which is better than telling a box or keeping another address in clear; none was released.
set local lock_timeout = '5s';

alter table idempotency_keys rename column body to body_box;
comment on column idempotency_keys.body_box is
  'What is told again, sealed under the pepper of the fingerprint and bound to the primary key.';

-- What was kept in clear goes now, not in a week. The rows stay, with a fingerprint that no request
-- has: one that is sent again is 422, as when its pepper is gone. Without them it would be done
-- again, and might pay twice.
update idempotency_keys set fingerprint = '', body_box = '';
