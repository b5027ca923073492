-- A live sale that must not stand says so before its money is given back, so that no later look at
-- it takes it for paid (Decision 0140). Not breaking: an older version that runs meanwhile is
-- refused by the constraint where it would record such a sale as approved, and asks again.
set local lock_timeout = '5s';

alter table powertranz_sales
  add column undo_due_at timestamp(3) with time zone,
  add constraint what_is_to_be_undone_is_never_approved
    check (undo_due_at is null or state <> 'approved') not valid;
alter table powertranz_sales validate constraint what_is_to_be_undone_is_never_approved;
