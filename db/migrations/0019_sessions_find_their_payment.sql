-- Sessions find their payment by its key, one look for each, as the ledger's triggers do: planned
-- while the table was small, the look was through all of it, and each request paid for every one
-- before it. What is refused is the same (Decision 0036). Not breaking.
set local lock_timeout = '5s';

alter function expect_transactions() set enable_hashjoin = off;
alter function expect_transactions() set enable_mergejoin = off;
