-- Hits are sorted anew only when some of them have left their window: at most once a second where
-- they are kept by the second, which every request of a busy caller paid for. Not breaking.
set local lock_timeout = '5s';

create or replace function take_rate_limit(
  p_key text, p_max integer, p_window_ms integer, p_step_ms integer, p_wanted integer,
  out granted integer, out remaining integer, out retry_after_ms bigint
) language plpgsql as $$
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
