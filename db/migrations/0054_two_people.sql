-- Where two people are needed (Decision 0136): an operator whom another one made or changed does
-- not count as one of them for a day; and the same in other words (6000, 6000.00) waits once. Not
-- breaking: an older version does not know the column, and a conflict says that the same waits.
set local lock_timeout = '5s';

alter table operators add column second_person_from timestamptz;
comment on column operators.second_person_from is
  'From when on they count where two are needed: a day after another made or changed them.';

update approvals as later
set state = 'expired', decided_at = real_now(), decided_by = 'nobody',
  decided_because = 'The same was waiting already.'
where state = 'waiting' and exists (
  select from approvals as earlier
  where earlier.state = 'waiting' and earlier.command = later.command
    and earlier.transaction_id = later.transaction_id
    and earlier.amount_minor = later.amount_minor
    and earlier.input ->> 'refund_id' is not distinct from later.input ->> 'refund_id'
    and (earlier.asked_at, earlier.approval_id) < (later.asked_at, later.approval_id));

drop index one_waiting_approval_of_an_action;
create unique index one_waiting_approval_of_an_action
  on approvals (command, transaction_id, amount_minor, (input ->> 'refund_id'))
  nulls not distinct
  where state = 'waiting';
