-- Events: what happened, told in order (Decision 0032). Not breaking.
set local lock_timeout = '5s';

create table events (
  event_id text collate "C" not null,
  account_number text not null,
  environment text not null,
  api_family text not null,
  event text not null,
  resource text collate "C" not null,
  occurred_at timestamptz(3) not null default app_now(),
  only_endpoint_id uuid,
  record text,
  sequence bigint,
  body text,
  constraint an_event_has_its_own_id primary key (event_id),
  constraint an_event_belongs_to_an_account
    foreign key (account_number) references accounts (account_number),
  constraint environment_is_known check (environment in ('live', 'sandbox')),
  constraint api_family_is_known check (api_family in ('payments_api', 'account_api')),
  constraint a_sequence_begins_at_1 check (sequence >= 1),
  constraint a_numbered_event_has_its_body_instead_of_its_record check (
    (sequence is null) = (body is null) and (sequence is null) = (record is not null)
  ),
  constraint event_is_a_short_name check (event ~ '^[a-z_]{1,32}\.[a-z_]{1,32}$'),
  constraint resource_has_1_to_64_characters check (char_length(resource) between 1 and 64),
  -- Refused here, in the tx of the change: the sequencer must never meet one that does not fit.
  constraint record_leaves_room_for_the_rest_of_the_body check (octet_length(record) <= 64000),
  constraint body_has_at_most_65536_bytes check (octet_length(body) <= 65536)
);
create unique index a_sequence_is_given_once
  on events (account_number, environment, sequence) where sequence is not null;
create index events_by_time on events (account_number, environment, occurred_at);
comment on table events is
  'What happened, written in the tx of the change. The body is the text that is signed and sent, '
  'byte for byte, made once when the event gets its number.';
comment on column events.resource is
  'What it happened to: events of one resource are delivered in order.';
comment on column events.record is 'The `data` of the body, as JSON text, until there is a body.';
comment on column events.only_endpoint_id is
  'A test or a notice that goes to one webhook endpoint alone.';

create trigger an_event_is_numbered_once_and_else_never_changed
  before update on events
  for each row when (
    old.sequence is not null
    or new.sequence is null
    or (old.event_id, old.account_number, old.environment, old.api_family, old.event,
      old.resource, old.occurred_at, old.only_endpoint_id)
    is distinct from
    (new.event_id, new.account_number, new.environment, new.api_family, new.event,
      new.resource, new.occurred_at, new.only_endpoint_id)
  )
  execute function refuse_by_name();
create trigger an_event_begins_without_a_number
  before insert on events
  for each row when (new.sequence is not null)
  execute function refuse_by_name();
create trigger events_are_never_removed
  before delete or truncate on events
  for each statement execute function refuse_change();

create table event_feeds (
  account_number text not null,
  environment text not null,
  last_sequence bigint not null,
  constraint a_feed_is_of_an_account_and_environment primary key (account_number, environment)
);
comment on table event_feeds is
  'The last number given. Only the sequencer writes it, so that no writer of events waits for it.';

create table events_to_number (
  position bigint generated always as identity,
  event_id text collate "C" not null,
  constraint a_position_is_given_once primary key (position)
);
comment on table events_to_number is
  'Committed events that have no number yet. Their position is drawn at COMMIT, by a deferred '
  'trigger: whoever commits after another one was committed stands behind it.';

create function queue_event() returns trigger
language plpgsql
as $$
begin
  insert into events_to_number (event_id) values (new.event_id);
  return null;
end
$$;
create constraint trigger an_event_takes_its_place_at_commit
  after insert on events
  deferrable initially deferred
  for each row execute function queue_event();
