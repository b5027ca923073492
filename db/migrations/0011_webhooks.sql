-- Webhook endpoints and deliveries, the messenger (Decisions 0033 and 0034). Not breaking.
set local lock_timeout = '5s';

create table webhook_endpoints (
  endpoint_id uuid not null default gen_random_uuid(),
  account_number text not null,
  environment text not null,
  url text not null,
  -- Null: every event.
  events text[],
  description text,
  status text not null default 'active',
  disabled_because text,
  secret_key_id text not null,
  secret_box bytea not null,
  previous_secret_key_id text,
  previous_secret_box bytea,
  previous_secret_until timestamptz(3),
  failing_since timestamptz(3),
  warned_at timestamptz(3),
  next_due_at timestamptz,
  wake_count bigint not null default 0,
  rests_until timestamptz,
  claim_count bigint not null default 0,
  claimed_until timestamptz,
  life integer not null default 1,
  created_at timestamptz(3) not null default app_now(),
  changed_at timestamptz(3) not null default app_now(),
  constraint an_endpoint_has_its_own_id primary key (endpoint_id),
  constraint an_endpoint_belongs_to_an_account
    foreign key (account_number) references accounts (account_number),
  constraint environment_is_known check (environment in ('live', 'sandbox')),
  constraint url_has_at_most_2048_characters check (char_length(url) <= 2048),
  constraint a_list_of_events_names_one check (cardinality(events) > 0),
  constraint description_has_1_to_255_characters
    check (char_length(description) between 1 and 255),
  constraint status_is_known check (status in ('active', 'disabled', 'deleted')),
  constraint disabled_because_is_known
    check (disabled_because in ('asked', 'gone', 'failing')),
  constraint disabled_because_is_set_exactly_when_disabled
    check ((disabled_because is not null) = (status = 'disabled')),
  constraint a_previous_secret_is_whole_and_ends check (
    (previous_secret_box is null) = (previous_secret_key_id is null)
    and (previous_secret_box is null) = (previous_secret_until is null)
  ),
  constraint only_an_active_endpoint_is_due check (next_due_at is null or status = 'active')
);
create unique index an_account_has_an_address_once
  on webhook_endpoints (account_number, environment, url) where status <> 'deleted';
create index webhook_endpoints_due on webhook_endpoints (next_due_at)
  where next_due_at is not null;
comment on table webhook_endpoints is
  'Where a merchant wants to be told. A deleted one stays, because its deliveries name it.';
comment on column webhook_endpoints.disabled_because is
  'asked: by the merchant. gone: it answered 410. failing: 120 hours of nothing but failure.';
comment on column webhook_endpoints.failing_since is
  'The first failure after which nothing succeeded.';
comment on column webhook_endpoints.warned_at is
  'When its owner was told that it has been failing for a day.';
comment on column webhook_endpoints.next_due_at is
  'When its earliest waiting delivery is due; null when none waits.';
comment on column webhook_endpoints.wake_count is
  'Deliveries were added or made to wait again: whoever is about to let go of it looks once more.';
comment on column webhook_endpoints.rests_until is
  'No attempt begins before: the pace of a healthy endpoint, the pause of one in trouble.';
comment on column webhook_endpoints.claim_count is
  'Fencing: a process that claimed it, slept and woke finds another number here.';
comment on column webhook_endpoints.life is
  'Counts each other address and each enabling. What was answered in an earlier life says nothing '
  'about how it is doing now.';

create table webhook_deliveries (
  delivery_id uuid not null default gen_random_uuid(),
  endpoint_id uuid not null,
  event_id text collate "C" not null,
  sequence bigint not null,
  resource text collate "C" not null,
  state text not null default 'waiting',
  attempt_count integer not null default 0,
  round integer not null default 1,
  round_attempt_count integer not null default 0,
  due_at timestamptz,
  created_at timestamptz(3) not null default app_now(),
  ended_at timestamptz(3),
  constraint a_delivery_has_its_own_id primary key (delivery_id),
  constraint an_event_goes_to_an_endpoint_as_one_delivery unique (endpoint_id, event_id),
  constraint a_delivery_belongs_to_an_endpoint
    foreign key (endpoint_id) references webhook_endpoints (endpoint_id),
  constraint a_delivery_carries_an_event
    foreign key (event_id) references events (event_id),
  constraint state_is_known check (state in ('waiting', 'delivered', 'failed', 'cancelled')),
  constraint due_at_is_set_exactly_while_waiting
    check ((due_at is not null) = (state = 'waiting')),
  constraint ended_at_is_set_exactly_when_ended
    check ((ended_at is not null) = (state <> 'waiting')),
  constraint a_round_is_part_of_all_attempts
    check (round_attempt_count between 0 and attempt_count)
);
create index webhook_deliveries_due on webhook_deliveries (endpoint_id, due_at, sequence)
  where state = 'waiting';
create index webhook_deliveries_by_state
  on webhook_deliveries (endpoint_id, state, created_at, delivery_id);
create index webhook_deliveries_by_end on webhook_deliveries (ended_at)
  where ended_at is not null;
comment on table webhook_deliveries is
  'One event on its way to one endpoint. Sent again by hand it is the same delivery, with a new '
  'round of attempts.';
comment on column webhook_deliveries.round is
  'Counts each time it was made due by somebody: an attempt that fails speaks for its own round.';
comment on column webhook_deliveries.round_attempt_count is
  'Attempts since it last began to wait: the schedule counts these.';

create table webhook_attempts (
  delivery_id uuid not null,
  attempt integer not null,
  began_at timestamptz(3) not null,
  duration_ms integer,
  response_status integer,
  response_head text,
  failure text,
  constraint an_attempt_is_made_once primary key (delivery_id, attempt),
  constraint an_attempt_belongs_to_a_delivery
    foreign key (delivery_id) references webhook_deliveries (delivery_id) on delete cascade,
  constraint an_attempt_has_a_number check (attempt >= 1),
  constraint response_head_has_at_most_1024_characters
    check (char_length(response_head) <= 1024)
);
comment on table webhook_attempts is
  'What was tried and what came back. Without a duration: under way, or its process died.';
create index webhook_attempts_by_age on webhook_attempts (began_at);

create table webhook_deliveries_to_make (
  event_id text collate "C" not null,
  endpoint_id uuid not null,
  constraint an_event_is_owed_to_an_endpoint_once primary key (endpoint_id, event_id),
  constraint an_event_that_is_owed_exists foreign key (event_id) references events (event_id)
);
comment on table webhook_deliveries_to_make is
  'Events whose endpoint was locked for too long when they were numbered: the deliveries follow '
  'within seconds. No foreign key to the endpoint, because that would wait for the same lock.';
