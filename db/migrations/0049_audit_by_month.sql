-- The audit trail by month (Decision 0121), so that whole months can end. Not breaking: an older
-- version writes and reads it as before. What there is becomes the partition of what fits no other;
-- only the month under way is moved here, the others by a job, each in a tx of its own. The lock
-- lasts while an index is built and that month is moved: seconds for a million entries.
set local lock_timeout = '5s';

-- Numbers go on where they were: those that were drawn and rolled back are not drawn again.
select set_config('windward.last_entry',
  nextval(pg_get_serial_sequence('audit_entries', 'entry_id'))::text, true);
drop trigger audit_entries_are_never_changed on audit_entries;
alter table audit_entries alter column entry_id drop identity;
alter table audit_entries drop constraint audit_entries_pkey;
alter table audit_entries rename to audit_entries_other;
alter index audit_entries_by_account rename to audit_entries_other_by_account;
alter index audit_entries_by_account_and_time rename to audit_entries_other_by_account_and_time;
alter index audit_entries_by_time rename to audit_entries_other_by_time;
alter index audit_entries_by_transaction rename to audit_entries_other_by_transaction;
comment on column audit_entries_other.account_number is null;

create table audit_entries (
  entry_id bigint generated always as identity,
  happened_at timestamptz not null default app_now(),
  action text not null,
  account_number text,
  actor text not null,
  detail jsonb not null default '{}',
  primary key (entry_id, happened_at),
  constraint action_is_named check (action <> ''),
  constraint actor_is_named check (actor <> ''),
  constraint an_operator_says_why
    check (not starts_with(actor, 'operator ') or coalesce(detail ->> 'why', '') <> '')
) partition by range (happened_at);
create index audit_entries_by_account on audit_entries (account_number, entry_id);
create index audit_entries_by_account_and_time
  on audit_entries (account_number, happened_at, entry_id);
create index audit_entries_by_time on audit_entries (happened_at, entry_id);
create index audit_entries_by_transaction
  on audit_entries ((detail ->> 'transaction_id'), happened_at, entry_id)
  where (detail ->> 'transaction_id') is not null;
comment on table audit_entries is
  'Who did what, and why it was allowed or refused. Append-only, and so is each partition: '
  'add_audit_month makes both. Months go whole, when they are over for long enough.';
comment on column audit_entries.entry_id is
  'Drawn from one sequence, so it is of one entry in all partitions.';
comment on column audit_entries.account_number is
  'No foreign key: attempts on accounts that do not exist are worth keeping too.';

alter table audit_entries attach partition audit_entries_other default;
comment on table audit_entries_other is
  'Entries of months that have no partition yet, and those from before there were months; the job '
  'that adds months moves them, and nothing else takes one away.';
select setval(pg_get_serial_sequence('audit_entries', 'entry_id'),
  current_setting('windward.last_entry')::bigint);

create trigger audit_entries_are_never_changed
  before delete or update or truncate on audit_entries
  for each statement execute function refuse_change();
create trigger audit_entries_are_never_changed
  before update or truncate on audit_entries_other
  for each statement execute function refuse_change();

create function expect_audit_entry() returns trigger language plpgsql as $$
begin
  perform from audit_entries as kept
  where entry_id = old.entry_id and happened_at = old.happened_at
    and (action, actor, detail) = (old.action, old.actor, old.detail)
    and account_number is not distinct from old.account_number;
  if not found then
    raise exception 'an entry leaves only for its month'
      using errcode = 'check_violation', constraint = tg_name, table = tg_table_name;
  end if;
  return null;
end
$$;
comment on function expect_audit_entry() is
  'At COMMIT: what left the partition of what fits no other is in another one, as it was.';
create constraint trigger an_entry_leaves_only_for_its_month
  after delete on audit_entries_other deferrable initially deferred
  for each row execute function expect_audit_entry();

create function add_audit_month(of_day date) returns void language plpgsql as $$
declare
  month date := date_trunc('month', of_day::timestamp);
  name text := 'audit_entries_' || to_char(month, 'YYYYMM');
  begins timestamptz := month::timestamp at time zone 'UTC';
  ends timestamptz := (month + interval '1 month') at time zone 'UTC';
begin
  if to_regclass(name) is not null then
    return;
  end if;
  -- An entry must not arrive there between the move and the attachment.
  lock table audit_entries_other in access exclusive mode;
  -- Not "including all": an identity of its own would draw the same numbers again.
  execute format(
    'create table %I (like audit_entries including defaults including constraints '
      'including indexes)', name);
  execute format(
    'with moved as (delete from audit_entries_other where happened_at >= $1 and happened_at < $2
       returning *)
     insert into %I select * from moved', name) using begins, ends;
  execute format(
    'create trigger audit_entries_are_never_changed before delete or update or truncate on %I
     for each statement execute function refuse_change()', name);
  -- Attached, because to create it as a partition would lock out the other partitions.
  execute format('alter table audit_entries attach partition %I for values from (%L) to (%L)',
    name, begins, ends);
end $$;
comment on function add_audit_month(date) is
  'Adds the partition of the month (UTC) that has this day to the audit trail, if it is not there.';

create function drop_audit_months(before_day date) returns integer language plpgsql as $$
declare
  name text;
  dropped integer := 0;
begin
  for name in
    select relname from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = 'audit_entries'::regclass and relname ~ '^audit_entries_\d{6}$'
      and to_date(right(relname, 6), 'YYYYMM') + interval '1 month'
        <= least(before_day, date_trunc('month', real_now() at time zone 'UTC'))
    order by relname
  loop
    execute format('drop table %I', name);
    dropped := dropped + 1;
  end loop;
  return dropped;
end $$;
comment on function drop_audit_months(date) is
  'Drops the months of the audit trail that were over on this day, and never the one that is under '
  'way. Returns how many.';

select add_audit_month(((app_now() at time zone 'UTC')::date + ahead * interval '1 month')::date)
from generate_series(0, 1) as ahead;
