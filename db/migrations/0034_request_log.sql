-- The request log (Decision 0087): what merchants asked of the interface in the last seven days,
-- and what was answered. Not breaking: an older version that still runs does not know it.
set local lock_timeout = '5s';

create table logged_requests (
  request_id uuid not null,
  account_number text not null,
  environment text not null,
  at timestamptz(3) not null,
  method text not null,
  path text not null,
  status integer not null,
  code text,
  duration_ms integer not null,
  credential text,
  address text not null,
  order_id text,
  request_body text,
  response_body text,
  detail text not null,
  constraint environment_is_known check (environment in ('live', 'sandbox', 'any'))
) partition by range (at);
create index logged_requests_by_time on logged_requests (account_number, environment, at);
create index logged_requests_by_order on logged_requests (account_number, order_id, at)
  where order_id is not null;
create index logged_requests_by_id on logged_requests (request_id);
comment on table logged_requests is
  'A line for each authenticated request and each payment request; written behind the answer, so '
  'lines may be missing. No foreign key: each line would lock its account. No primary key: a line '
  'that is written twice is seen at the second try only.';
comment on column logged_requests.environment is
  'any: of a bearer token, in a request that does not name one.';
comment on column logged_requests.credential is
  'The kid of a key, or "grant" and the id of a sign-in. Null: a payment request without any.';
comment on column logged_requests.request_body is
  'Without secrets, at most 4 kB; of what is no JSON only its type and size.';
comment on column logged_requests.detail is
  'As JSON: the query, the headers that matter, and what the refusal said. Text, because nothing '
  'looks into it: jsonb would cost every line its parsing, and has no NUL.';

create table logged_requests_other partition of logged_requests default;
comment on table logged_requests_other is
  'Lines of days that have no partition yet; the job that adds partitions moves them.';

create function add_request_day(of_day date) returns void language plpgsql as $$
declare
  name text := 'logged_requests_' || to_char(of_day, 'YYYYMMDD');
  begins timestamptz := of_day::timestamp at time zone 'UTC';
  ends timestamptz := (of_day + 1)::timestamp at time zone 'UTC';
begin
  if to_regclass(name) is not null then
    return;
  end if;
  -- A line must not arrive there between the move and the attachment.
  lock table logged_requests_other in access exclusive mode;
  execute format('create table %I (like logged_requests including all)', name);
  execute format(
    'with moved as (delete from logged_requests_other where at >= $1 and at < $2 returning *)
     insert into %I select * from moved', name) using begins, ends;
  -- Attached, because to create it as a partition would lock out the other partitions.
  execute format('alter table logged_requests attach partition %I for values from (%L) to (%L)',
    name, begins, ends);
end $$;
comment on function add_request_day(date) is
  'Adds the partition of a day (UTC) to the request log, if it is not there.';

create function drop_request_days(before_day date) returns void language plpgsql as $$
declare
  name text;
begin
  for name in
    select relname from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = 'logged_requests'::regclass and relname ~ '^logged_requests_\d{8}$'
      and to_date(right(relname, 8), 'YYYYMMDD') < before_day
  loop
    execute format('drop table %I', name);
  end loop;
end $$;
comment on function drop_request_days(date) is
  'Drops the partitions of the request log that are of days before this one.';

select add_request_day((app_now() at time zone 'UTC')::date + ahead)
from generate_series(0, 2) as ahead;
