-- What is known of a credential may be remembered until any of them changes, and every process can
-- tell from one small row that none did (Decision 0059). Not breaking: the triggers belong to the
-- tables, so an older version that still runs changes the version as well.
set local lock_timeout = '5s';

create table credential_version (
  only_row boolean not null default true,
  version uuid not null default gen_random_uuid(),
  constraint credential_version_pkey primary key (only_row),
  constraint there_is_one_version check (only_row)
);
insert into credential_version default values;
analyze credential_version;
comment on table credential_version is
  'Another one with every tx that changes what a credential is worth. Drawn, not counted: after a '
  'restore a count would come by the same numbers again, with other credentials.';
create trigger the_version_of_credentials_stays before delete or truncate on credential_version
  for each statement execute function refuse_by_name();

create function renew_credential_version() returns trigger language plpgsql as $$
declare
  this_tx constant text := pg_current_xact_id()::text;
begin
  -- Once for all rows of a tx.
  if current_setting('windward.credentials_changed_by', true) is distinct from this_tx then
    perform set_config('windward.credentials_changed_by', this_tx, true);
    update credential_version set version = gen_random_uuid();
  end if;
  return null;
end
$$;
comment on function renew_credential_version() is
  'Runs at COMMIT: the one row that all changes share is locked for as short as can be, and last, '
  'so that nobody who holds it waits for another.';

-- Every column that says what a credential is worth; who only gets a new one changes nothing.
create constraint trigger a_changed_account_is_read_anew
  after update of status, account_type, country_code, is_main_merchant, credential_epoch on accounts
  deferrable initially deferred for each row execute function renew_credential_version();
create constraint trigger a_changed_grant_is_read_anew
  after update of account_number, scopes, credential_epoch, revoked_at or delete on grants
  deferrable initially deferred for each row execute function renew_credential_version();
create constraint trigger a_changed_key_is_read_anew
  after update of kid, account_number, environment, key_digest, scopes, allowed_cidrs, expires_at,
    revoked_at or delete on api_keys
  deferrable initially deferred for each row execute function renew_credential_version();
create constraint trigger a_changed_signing_key_is_read_anew
  after update of kid, retired_at or delete on signing_keys
  deferrable initially deferred for each row execute function renew_credential_version();
-- Whoever signs everybody out by emptying a table.
create trigger no_account_is_left_to_remember
  after truncate on accounts execute function renew_credential_version();
create trigger no_grant_is_left_to_remember
  after truncate on grants execute function renew_credential_version();
create trigger no_key_is_left_to_remember
  after truncate on api_keys execute function renew_credential_version();
create trigger no_signing_key_is_left_to_remember
  after truncate on signing_keys execute function renew_credential_version();
