-- A standby says by a row which primary it follows (Decision 0125). Not breaking: an older version
-- does not read it.
set local lock_timeout = '5s';

create table timeline_mark (
  only_row boolean not null default true,
  timeline text not null default '',
  mark uuid not null default gen_random_uuid(),
  constraint timeline_mark_pkey primary key (only_row),
  constraint there_is_one_mark check (only_row)
);
insert into timeline_mark default values;
analyze timeline_mark;
comment on table timeline_mark is
  'Drawn anew by the first read after a failover, on the timeline of that moment. A standby that '
  'has this row follows this primary; the number of the timeline alone may be that of two.';
