-- Payment requests without an e-mail, and the deprecated method credit_card (Decision 0064). Not
-- breaking: an older version writes neither.
set local lock_timeout = '5s';

alter table former_uses
  drop constraint name_is_a_path_or_a_scope,
  drop constraint credential_is_a_kid_or_a_token,
  add constraint name_is_a_path_a_scope_or_a_method check (
    name ~ '^(GET|POST|PATCH|DELETE) /[a-z/_-]+$' or name ~ '^wapi-[a-z-]+$'
    or name = 'method credit_card'
  ),
  add constraint credential_is_a_kid_a_token_or_none
    check (credential in ('token', 'none') or credential ~ '^[0-9a-f]{18}$');
comment on table former_uses is
  'Names of 1.x and deprecated methods that callers still use: one row for each account, name and '
  'credential.';
comment on column former_uses.credential is
  'The kid of an API key, which is no secret, token for a bearer token of any sign-in, or none '
  'where a request carries no credential.';

-- As before, but that an e-mail which the request did not bring is added once, before a result.
create or replace trigger what_was_agreed_is_never_changed
  before update on transactions
  for each row when (
    (old.transaction_id, old.account_number, old.environment, old.country_code, old.currency,
      old.order_id, old.total_minor, old.customer_total_minor, old.fee_minor, old.tax_minor,
      old.net_minor, old.fee_structure, old.method, old.origin, old.data, old.created_at)
    is distinct from
    (new.transaction_id, new.account_number, new.environment, new.country_code, new.currency,
      new.order_id, new.total_minor, new.customer_total_minor, new.fee_minor, new.tax_minor,
      new.net_minor, new.fee_structure, new.method, new.origin, new.data, new.created_at)
    or (
      old.customer <> new.customer
      and (
        old.status <> 'incomplete' or old.customer ? 'email'
        or new.customer - 'email' <> old.customer
      )
    )
  )
  execute function refuse_by_name();
comment on column transactions.customer is
  'What the payment request says of the customer. An e-mail that it does not bring is added when '
  'the customer submits a card.';
