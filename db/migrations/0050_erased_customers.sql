-- Customers' data can be erased (Decision 0122): the triggers that keep what was agreed and what
-- was told let one change through, and no other: the words of a customer, and about one, to
-- nothing. Not breaking: an older version never makes that change.
set local lock_timeout = '5s';

-- As before, but for the last condition: all words at once, of a payment of which nothing is open.
create or replace trigger what_was_agreed_is_never_changed
  before update on transactions
  for each row when (
    (old.transaction_id, old.account_number, old.environment, old.country_code, old.currency,
      old.order_id, old.total_minor, old.customer_total_minor, old.fee_minor, old.tax_minor,
      old.net_minor, old.fee_structure, old.method, old.origin, old.language, old.created_at)
    is distinct from
    (new.transaction_id, new.account_number, new.environment, new.country_code, new.currency,
      new.order_id, new.total_minor, new.customer_total_minor, new.fee_minor, new.tax_minor,
      new.net_minor, new.fee_structure, new.method, new.origin, new.language, new.created_at)
    or (
      (
        (old.data, old.description, old.items) is distinct from
        (new.data, new.description, new.items)
        or (
          old.customer <> new.customer
          and (
            old.status <> 'incomplete' or old.customer ? 'email'
            or new.customer - 'email' <> old.customer
          )
        )
      )
      and not (
        old.status <> 'incomplete' and old.refund_pending_minor = 0
        and old.status_desc <> 'Chargeback Pending'
        and new.customer = '{}' and new.data = '' and new.link_reference is null
        and new.description is null and new.items is null
      )
    )
  )
  execute function refuse_by_name();
create or replace trigger a_payment_stays_with_its_link
  before update of payment_link, link_reference on transactions
  for each row when (
    old.payment_link is distinct from new.payment_link
    or (
      old.link_reference is distinct from new.link_reference
      and not (
        old.status <> 'incomplete' and old.refund_pending_minor = 0
        and old.status_desc <> 'Chargeback Pending'
        and new.customer = '{}' and new.data = '' and new.link_reference is null
        and new.description is null and new.items is null
      )
    )
  )
  execute function refuse_by_name();

create function is_erased_refund(before refunds, after refunds) returns boolean
language sql immutable as $$
  select before.ended_at is not null
    and to_jsonb(after) = to_jsonb(before) || '{"reason": null}'
$$;
comment on function is_erased_refund(refunds, refunds) is
  'Whether all that changed is that the reason of an ended refund is gone.';
create or replace trigger an_ended_refund_never_changes
  before update on refunds
  for each row when (old.ended_at is not null and not is_erased_refund(old.*, new.*))
  execute function refuse_by_name();
create or replace trigger what_was_asked_for_is_never_changed
  before update on refunds
  for each row when (
    (old.refund_id, old.transaction_id, old.amount_minor, old.reason, old.created_at)
    is distinct from
    (new.refund_id, new.transaction_id, new.amount_minor, new.reason, new.created_at)
    and not is_erased_refund(old.*, new.*)
  )
  execute function refuse_by_name();

create or replace trigger what_was_agreed_is_never_changed
  before update on card_checks
  for each row when (
    (old.transaction_id, old.account_number, old.environment, old.amount_minor,
      old.created_at, old.return_reference)
    is distinct from
    (new.transaction_id, new.account_number, new.environment, new.amount_minor,
      new.created_at, new.return_reference)
    or (old.data <> new.data and not (old.status <> 'incomplete' and new.data = ''))
  )
  execute function refuse_by_name();
create or replace trigger what_a_card_is_never_changes
  before update on trusted_cards
  for each row when (
    (old.card_uuid, old.transaction_id, old.account_number, old.environment, old.card_type,
      old.last_four, old.exp_month, old.exp_year, old.created_at, old.verify_expires_at)
    is distinct from
    (new.card_uuid, new.transaction_id, new.account_number, new.environment, new.card_type,
      new.last_four, new.exp_month, new.exp_year, new.created_at, new.verify_expires_at)
    or (old.holder <> new.holder and not (old.state = 'deleted' and new.holder = ''))
  )
  execute function refuse_by_name();

create function erased_record(record text) returns text language sql immutable as $$
  select '{' || string_agg(
      to_json(key)::text || ':' || coalesce((erased -> key)::text, value::text), ','
      order by place)
    || '}'
  from json_each(record::json) with ordinality as member (key, value, place)
  cross join (select '{"customer": {}, "data": "", "description": null, "items": null,
    "link_reference": null, "name": ""}'::jsonb as erased) as words
$$;
comment on function erased_record(text) is
  'The record of a payment or a saved card as JSON, without the words of a customer and about one. '
  'What else it says stays as it was written, to the byte.';
create function erased_body(body text) returns text language sql immutable as $$
  select '{' || string_agg(
      to_json(key)::text || ':'
        || case key when 'data' then erased_record(value::text) else value::text end, ','
      order by place)
    || '}'
  from json_each(body::json) with ordinality as member (key, value, place)
$$;
comment on function erased_body(text) is 'The body of an event with its record erased.';
create function is_erased_event(before events, after events) returns boolean
language sql immutable as $$
  select before.event ~ '^(payment|trusted_card)\.'
    and after.record is not distinct from erased_record(before.record)
    and after.body is not distinct from erased_body(before.body)
    and to_jsonb(after) - array['record', 'body'] = to_jsonb(before) - array['record', 'body']
$$;
comment on function is_erased_event(events, events) is
  'Whether all that changed is that the words of a customer are gone from the record.';
create or replace trigger an_event_is_numbered_once_and_else_never_changed
  before update on events
  for each row when (
    (
      old.sequence is not null
      or new.sequence is null
      or (old.event_id, old.account_number, old.environment, old.api_family, old.event,
        old.resource, old.occurred_at, old.only_endpoint_id)
      is distinct from
      (new.event_id, new.account_number, new.environment, new.api_family, new.event,
        new.resource, new.occurred_at, new.only_endpoint_id)
    )
    and not is_erased_event(old.*, new.*)
  )
  execute function refuse_by_name();

create table erasure_positions (
  place text collate "C" constraint a_place_has_one_position primary key,
  passed_id text collate "C" not null
);
comment on table erasure_positions is
  'How far payments that were never paid have been looked through, by the beginning of their ids, '
  'which have the time in them. All up to that id are paid, or erased.';
