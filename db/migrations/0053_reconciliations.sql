-- What the hourly reconciliation found last, so that a page need not re-add the books (Decision
-- 0133). Not breaking: an older version neither writes nor reads it.
set local lock_timeout = '5s';

create table reconciliations (
  job text not null,
  checked_at timestamptz not null default app_now(),
  counted bigint not null,
  difference_count bigint not null,
  differences jsonb not null,
  constraint reconciliations_pkey primary key (job),
  constraint counts_are_not_negative check (counted >= 0 and difference_count >= 0),
  constraint differences_are_a_list check (jsonb_typeof(differences) = 'array')
);
comment on table reconciliations is
  'The last result of each job that checks the books, with the first of its differences.';
