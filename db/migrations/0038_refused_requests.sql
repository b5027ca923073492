-- Filters by error in the request log find refusals among millions of lines (Decision 0092). Not
-- breaking. Lines of the log wait while it is built, and no request waits for those.
set local lock_timeout = '5s';

create index logged_requests_refused on logged_requests (account_number, environment, at)
  where code is not null or status >= 400;
