-- What was sent again, for clients that follow the feed instead of having an endpoint (Decision
-- 0109). Not breaking: an older version writes none.
set local lock_timeout = '5s';

create table event_resends (
  number bigint not null generated always as identity,
  event_id text collate "C" not null,
  account_number text not null,
  environment text not null,
  resent_at timestamp(3) with time zone not null default app_now(),
  constraint a_resend_has_its_own_number primary key (number),
  constraint environment_is_known check (environment in ('live', 'sandbox')),
  constraint a_resend_is_of_an_event foreign key (event_id) references events (event_id)
);
create index resends_of_an_account on event_resends (account_number, environment, number);
create index resends_by_age on event_resends (resent_at);
comment on column event_resends.number is
  'In the order of commits within one account and environment: drawn under a lock. It has gaps.';
