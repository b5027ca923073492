-- Messengers look for endpoints that are due themselves (Decision 0137), failing ones apart, so
-- that many of those delay no healthy one. Not breaking: processes of an older version that run
-- already read the same rows. They add jobs for them, too, which a newer one takes.
set local lock_timeout = '5s';

drop index webhook_endpoints_due;
create index healthy_endpoints_due on webhook_endpoints (next_due_at)
  where next_due_at is not null and failing_since is null;
create index failing_endpoints_due on webhook_endpoints (next_due_at)
  where next_due_at is not null and failing_since is not null;
