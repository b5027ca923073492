-- What an operator does is signed with a reason, and found again by time and by payment (Decision
-- 0031). Not breaking.
set local lock_timeout = '5s';

alter table audit_entries add constraint an_operator_says_why
  check (not starts_with(actor, 'operator ') or coalesce(detail ->> 'why', '') <> '');

create index audit_entries_by_time on audit_entries (happened_at, entry_id);
create index audit_entries_by_account_and_time
  on audit_entries (account_number, happened_at, entry_id);
create index audit_entries_by_transaction
  on audit_entries ((detail ->> 'transaction_id'), happened_at, entry_id)
  where detail ->> 'transaction_id' is not null;
create index ledger_postings_by_reference on ledger_postings (reference);
