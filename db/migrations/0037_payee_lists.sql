-- Lists of payees between upload and payment, and the history of a withdrawal by its id (Decision
-- 0091). Not breaking: an older version that still runs knows neither.
set local lock_timeout = '5s';

create table payee_lists (
  list_id uuid not null,
  account_number text not null,
  environment text not null,
  person_id uuid not null,
  line_count integer not null,
  lines_box bytea,
  wrapping_key_id text,
  created_at timestamptz not null default app_now(),
  paid_at timestamptz,
  constraint a_payee_list_has_an_id primary key (list_id),
  constraint environment_is_known check (environment in ('live', 'sandbox')),
  constraint a_payee_list_has_1_to_500_lines check (line_count between 1 and 500),
  constraint lines_name_their_key check ((lines_box is null) = (wrapping_key_id is null)),
  constraint lines_are_kept_exactly_until_they_are_paid
    check ((lines_box is null) = (paid_at is not null)),
  constraint a_payee_list_is_for_an_account
    foreign key (account_number) references accounts (account_number),
  constraint a_payee_list_is_from_a_person foreign key (person_id) references persons (person_id)
);
create unique index a_person_has_one_payee_list_waiting
  on payee_lists (account_number, environment, person_id)
  where paid_at is null;
create index payee_lists_by_age on payee_lists (created_at);
comment on table payee_lists is
  'Payees that a member has uploaded and not yet paid, or has just paid. Rows go after a day.';
comment on column payee_lists.lines_box is
  'The checked lines, sealed and bound to list, account and environment: they have account and '
  'document numbers. Gone once they are paid, and with the list.';

-- Only withdrawals: payments have far more events, and would pay for it with every one.
create index withdrawal_events_by_resource on events (resource)
  where starts_with(event, 'withdrawal.');
