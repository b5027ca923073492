-- What links came to is added up by the months of the account's own time zone, as all else that an
-- owner reads. Sums written before stay by those of UTC. Not breaking: an older version that still
-- runs adds to the month of UTC.
set local lock_timeout = '5s';

comment on table payment_link_months is
  'Payments of a link that succeeded, and what was asked for in them, by month of success in the '
  'time zone that the account had then.';
