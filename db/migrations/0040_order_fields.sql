-- What a payment request may say of its order: a language, a description and items (Decision 0094).
-- Not breaking: an older version leaves them null.
set local lock_timeout = '5s';

create function items_total_minor(p_items jsonb) returns numeric
language sql immutable parallel safe
as $$
  select coalesce(
    sum((item ->> 'quantity')::integer * (item ->> 'unit_price_minor')::numeric), 0)
  from jsonb_array_elements(p_items) as item
$$;
comment on function items_total_minor is
  'What the items of an order cost together, in minor units.';

alter table transactions
  add column language text,
  add column description text,
  add column items jsonb,
  add constraint language_is_known check (language in ('en', 'es', 'fr', 'nl')) not valid,
  add constraint description_has_1_to_255_characters
    check (char_length(description) between 1 and 255) not valid,
  add constraint items_are_a_list_of_1_to_50 check (
    case jsonb_typeof(items)
      when 'array' then jsonb_array_length(items) between 1 and 50
      else items is null
    end
  ) not valid,
  add constraint items_add_up_to_the_total check (
    case jsonb_typeof(items) when 'array' then items_total_minor(items) = total_minor end
  ) not valid;
alter table transactions validate constraint language_is_known;
alter table transactions validate constraint description_has_1_to_255_characters;
alter table transactions validate constraint items_are_a_list_of_1_to_50;
alter table transactions validate constraint items_add_up_to_the_total;
comment on column transactions.language is
  'Of the pages and mails to this customer; null where the request does not say.';
comment on column transactions.items is
  'What was ordered, as a list of {name, quantity, unit_price_minor}. A discount has a negative '
  'price.';

-- As before, with the three columns.
create or replace trigger what_was_agreed_is_never_changed
  before update on transactions
  for each row when (
    (old.transaction_id, old.account_number, old.environment, old.country_code, old.currency,
      old.order_id, old.total_minor, old.customer_total_minor, old.fee_minor, old.tax_minor,
      old.net_minor, old.fee_structure, old.method, old.origin, old.data, old.language,
      old.description, old.items, old.created_at)
    is distinct from
    (new.transaction_id, new.account_number, new.environment, new.country_code, new.currency,
      new.order_id, new.total_minor, new.customer_total_minor, new.fee_minor, new.tax_minor,
      new.net_minor, new.fee_structure, new.method, new.origin, new.data, new.language,
      new.description, new.items, new.created_at)
    or (
      old.customer <> new.customer
      and (
        old.status <> 'incomplete' or old.customer ? 'email'
        or new.customer - 'email' <> old.customer
      )
    )
  )
  execute function refuse_by_name();
