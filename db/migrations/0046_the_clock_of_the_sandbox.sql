-- The clock of the sandbox (Decision 0104): the world's time can run ahead, while credentials,
-- one-time codes, limits on requests and signatures stay on real time. Not breaking: until the
-- clock is moved both times are the same, and an older version reads app_now() as before.
set local lock_timeout = '5s';

alter table clock_shift
  add column ahead interval not null default '0',
  add constraint the_clock_is_never_behind check (ahead >= '0');
comment on table clock_shift is
  'How far time runs ahead. Zero in production.';
comment on column clock_shift.shift is
  'Of every clock, credentials included: moved by tests only.';
comment on column clock_shift.ahead is
  'Of the world''s time beyond that: moved by the clock of the sandbox, forward only.';

create function real_now()
  returns timestamptz
  language sql
  stable parallel safe
as $$ select clock_timestamp() + shift from clock_shift $$;
comment on function real_now() is
  'The time that credentials, one-time codes, limits on requests and signatures go by: what a '
  'foreign clock shows, whatever the sandbox''s clock was moved to.';

create or replace function app_now()
  returns timestamptz
  language sql
  stable parallel safe
as $$ select clock_timestamp() + shift + ahead from clock_shift $$;
comment on function app_now() is
  'The world''s time, by which payments, deadlines, retries and statements go. One clock for all '
  'processes, whatever their own clocks say.';

alter table api_keys alter column created_at set default real_now();
alter table grants alter column created_at set default real_now();
alter table console_guesses alter column guessed_at set default real_now();
alter table console_sessions
  alter column created_at set default real_now(),
  alter column last_seen_at set default real_now(),
  alter column proven_at set default real_now();
alter table idempotency_keys alter column created_at set default real_now();
alter table invitations alter column created_at set default real_now();
alter table known_addresses alter column seen_at set default real_now();
alter table known_browsers alter column seen_at set default real_now();
alter table passkeys alter column created_at set default real_now();
alter table recovery_codes alter column created_at set default real_now();
alter table sign_in_failures alter column failed_at set default real_now();
alter table signing_keys alter column created_at set default real_now();
alter table totp_secrets alter column created_at set default real_now();

create or replace function take_rate_limit(
  p_key text,
  p_max integer,
  p_window_ms integer,
  p_step_ms integer,
  p_wanted integer,
  out granted integer,
  out remaining integer,
  out retry_after_ms bigint
)
  returns record
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
  -- A limit on requests counts real time; one of a day or more is a rule about money (Decision
  -- 0104).
  now_ms := floor(extract(epoch from case when p_window_ms < 86400000 then real_now()
    else app_now() end) * 1000);
  -- Rounded up to the step: a hit is remembered a little too long, never too short.
  stamp := ((now_ms + p_step_ms - 1) / p_step_ms) * p_step_ms;
  -- A clock that was set back must not lock a caller out for longer than a window.
  was_set_back := kept_at[cardinality(kept_at)] > stamp;
  if was_set_back or kept_at[1] <= now_ms - p_window_ms then
    select coalesce(array_agg(least(at, stamp) order by at), '{}'),
           coalesce(array_agg(n order by at), '{}'),
           coalesce(sum(n), 0)
      into kept_at, kept_count, used
      from unnest(kept_at, kept_count) as hit (at, n)
      where at > now_ms - p_window_ms;
  else
    select coalesce(sum(n), 0) into used from unnest(kept_count) as hit (n);
  end if;
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
