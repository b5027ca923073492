-- The ground every module stands on: one clock, an audit trail, rate limits, idempotency. Not
-- breaking.
set local lock_timeout = '5s';

-- Decision 0003: one clock for every process.
create table clock_shift (
  only_row boolean primary key default true,
  shift interval not null default '0',
  constraint there_is_one_clock check (only_row)
);
insert into clock_shift default values;
comment on table clock_shift is
  'How far app_now() runs ahead of the real time. Zero in production; tests and the sandbox '
  'move it.';

create function app_now() returns timestamptz
language sql volatile parallel safe
as $$ select clock_timestamp() + shift from clock_shift $$;
comment on function app_now() is
  'The time every decision is taken by. One clock for all processes, whatever their own clocks '
  'say.';

create function refuse_change() returns trigger
language plpgsql
as $$ begin raise exception '% is append-only', tg_table_name; end $$;

create table audit_entries (
  entry_id bigint generated always as identity primary key,
  happened_at timestamptz not null default app_now(),
  action text not null,
  account_number text,
  actor text not null,
  detail jsonb not null default '{}',
  constraint action_is_named check (action <> ''),
  constraint actor_is_named check (actor <> '')
);
create index audit_entries_by_account on audit_entries (account_number, entry_id);
create trigger audit_entries_are_never_changed
  before update or delete or truncate on audit_entries
  for each statement execute function refuse_change();
comment on table audit_entries is 'Who did what, and why it was allowed or refused. Append-only.';
comment on column audit_entries.account_number is
  'No foreign key: attempts on accounts that do not exist are worth keeping too.';

-- Decision 0005: exact sliding windows, shared by every process.
create unlogged table rate_limit_windows (
  window_key text primary key,
  hit_at_ms bigint[] not null default '{}',
  hit_count integer[] not null default '{}',
  used_at timestamptz not null default clock_timestamp()
) with (fillfactor = 50);
comment on table rate_limit_windows is
  'The hits of the last minute per limiter key. Unlogged: after a crash every window starts '
  'empty, which '
  'costs one minute of limits and saves a disk write per request.';
comment on column rate_limit_windows.hit_at_ms is
  'When hits were granted, ascending, each with its number in hit_count.';

create function take_rate_limit(
  p_key text, p_max integer, p_window_ms integer, p_step_ms integer, p_wanted integer,
  out granted integer, out remaining integer, out retry_after_ms bigint
)
language plpgsql
as $$
declare
  kept_at bigint[];
  kept_count integer[];
  used integer;
  now_ms bigint;
  stamp bigint;
  last_hit integer;
  was_set_back boolean;
begin
  loop
    select hit_at_ms, hit_count into kept_at, kept_count
      from rate_limit_windows where window_key = p_key for update;
    exit when found;
    insert into rate_limit_windows (window_key) values (p_key) on conflict do nothing;
  end loop;
  -- Read after the lock, so that the hits of a window stand in the order of their time.
  now_ms := floor(extract(epoch from app_now()) * 1000);
  -- Rounded up to the step: a hit is remembered a little too long, never too short.
  stamp := ((now_ms + p_step_ms - 1) / p_step_ms) * p_step_ms;
  -- A clock that was set back must not lock a caller out for longer than a window.
  was_set_back := kept_at[cardinality(kept_at)] > stamp;
  select coalesce(array_agg(least(at, stamp) order by at), '{}'),
         coalesce(array_agg(n order by at), '{}'),
         coalesce(sum(n), 0)
    into kept_at, kept_count, used
    from unnest(kept_at, kept_count) as hit (at, n)
    where at > now_ms - p_window_ms;
  granted := least(p_wanted, greatest(p_max - used, 0));
  if granted > 0 then
    last_hit := cardinality(kept_at);
    if last_hit > 0 and kept_at[last_hit] = stamp then
      kept_count[last_hit] := kept_count[last_hit] + granted;
    else
      kept_at := kept_at || stamp;
      kept_count := kept_count || granted;
    end if;
  end if;
  if granted > 0 or was_set_back then
    update rate_limit_windows
      set hit_at_ms = kept_at, hit_count = kept_count, used_at = clock_timestamp()
      where window_key = p_key;
  end if;
  remaining := greatest(p_max - used - granted, 0);
  retry_after_ms := case when remaining > 0 then 0 else kept_at[1] + p_window_ms - now_ms end;
end
$$;
comment on function take_rate_limit is
  'Takes up to p_wanted hits out of a sliding window, exactly: at most p_max in any p_window_ms.';

create table idempotency_keys (
  account_number text not null,
  environment text not null,
  route text not null,
  idempotency_key text not null,
  fingerprint bytea not null,
  status integer not null,
  content_type text not null,
  body bytea not null,
  created_at timestamptz not null default app_now(),
  primary key (account_number, environment, route, idempotency_key)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);
comment on table idempotency_keys is
  'The first answer to a request with an Idempotency-Key, written in the same tx as its effect.';
