-- Receipts that are to be mailed (Decision 0098). Not breaking: an older version that still runs
-- writes none, and what it ends gets no receipt by itself.
set local lock_timeout = '5s';

create table receipts_due (
  record_id text collate "C" not null,
  kind text not null,
  attempt_count integer not null default 0,
  next_try_at timestamptz not null default app_now(),
  constraint a_record_owes_one_receipt primary key (record_id),
  constraint kind_is_known check (kind in ('payment', 'refund')),
  constraint attempts_are_counted_from_zero check (attempt_count >= 0)
);
create index receipts_due_next on receipts_due (next_try_at);
comment on table receipts_due is
  'Written in the tx that makes a payment successful or a refund done, deleted in the one that '
  'queues its mail: so a receipt is mailed, whatever dies in between, and queued once.';
comment on column receipts_due.record_id is 'The transaction_id of a payment, the id of a refund.';
