-- Addresses and browsers that nobody has signed in from for long are deleted, along these indexes.
-- Not breaking: an older version leaves them.
set local lock_timeout = '5s';

create index known_addresses_by_age on known_addresses (seen_at);
create index known_browsers_by_age on known_browsers (seen_at);
