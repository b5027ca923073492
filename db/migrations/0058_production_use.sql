-- That production has used this database, so that no other stage starts on it (Decision 0141). Not
-- breaking: an older version neither writes nor reads it.
set local lock_timeout = '5s';

create table production_use (
  is_used boolean not null default true,
  began_at timestamptz not null default app_now(),
  constraint production_use_pkey primary key (is_used),
  constraint production_use_has_one_row check (is_used)
);
comment on table production_use is
  'One row since the first start in production: other stages refuse to start then.';
