-- People of the operator, their console sessions, and what waits for a second one (Decisions 0118
-- to 0120). Not breaking: an older version knows none of them.
set local lock_timeout = '5s';

alter table persons add column is_operator boolean not null default false,
  add constraint an_operator_holds_no_account check (not is_operator or holder_of is null),
  add constraint a_person_is_of_one_kind unique (person_id, is_operator);
comment on column persons.is_operator is
  'Signs in at /operator and is a member of no account; the same e-mail may be a member, too, as '
  'another person.';
drop index email_belongs_to_one_person;
create unique index email_belongs_to_one_person on persons (email) where not is_operator;
create unique index email_belongs_to_one_operator on persons (email) where is_operator;

-- Which kind a person is never changes, so neither table can have one of the other.
alter table members
  add column is_operator boolean not null generated always as (false) stored,
  add constraint a_member_is_no_operator
    foreign key (person_id, is_operator) references persons (person_id, is_operator);

create table operators (
  person_id uuid not null,
  is_operator boolean not null generated always as (true) stored,
  role text not null,
  created_at timestamptz not null default real_now(),
  removed_at timestamptz,
  constraint operators_pkey primary key (person_id),
  constraint operator_role_is_known check (role in ('admin', 'finance', 'risk', 'support')),
  constraint an_operator_is_a_person_of_that_kind
    foreign key (person_id, is_operator) references persons (person_id, is_operator)
);
comment on table operators is 'Who may sign in at /operator, and with which role.';

create table operator_sessions (
  session_id uuid not null default gen_random_uuid(),
  token_digest bytea not null,
  person_id uuid not null,
  credential_epoch integer not null,
  stage text not null,
  second_factor text,
  challenge text,
  challenged_at timestamptz,
  address text not null,
  browser text not null,
  created_at timestamptz not null default real_now(),
  last_seen_at timestamptz not null default real_now(),
  proven_at timestamptz not null default real_now(),
  ended_at timestamptz,
  constraint operator_sessions_pkey primary key (session_id),
  constraint an_operator_session_is_found_by_its_token unique (token_digest),
  constraint an_operator_session_token_is_kept_as_sha256 check (octet_length(token_digest) = 32),
  constraint operator_stage_is_known check (stage in ('second_factor', 'set_up', 'signed_in')),
  constraint operator_second_factor_is_known
    check (second_factor in ('passkey', 'totp', 'recovery_code')),
  constraint an_operator_signs_in_with_a_second_factor
    check ((stage = 'signed_in') = (second_factor is not null)),
  constraint an_operator_challenge_has_its_time
    check ((challenge is null) = (challenged_at is null)),
  constraint a_session_belongs_to_an_operator
    foreign key (person_id) references operators (person_id)
);
create index operator_sessions_of_person on operator_sessions (person_id, created_at);
create index operator_sessions_by_age on operator_sessions (created_at);
comment on table operator_sessions is
  'Sign-ins of operators in a browser. Only a digest of the cookie is kept.';
comment on column operator_sessions.stage is
  '"second_factor": the password was right and a code or a passkey is still to come. "set_up": '
  'there is none yet, and setting one up is all that opens.';

create table operator_forms (
  form_key uuid not null,
  person_id uuid not null,
  said text not null,
  done_at timestamptz not null default real_now(),
  constraint operator_forms_pkey primary key (form_key),
  constraint a_form_was_sent_by_an_operator foreign key (person_id) references operators (person_id)
);
create index operator_forms_by_age on operator_forms (done_at);
comment on table operator_forms is
  'Forms of /operator that were carried out, each once, and what was said then. Pruned.';

create table approvals (
  approval_id uuid not null default gen_random_uuid(),
  command text not null,
  input jsonb not null,
  account_number text,
  transaction_id text,
  currency text not null,
  amount_minor bigint not null,
  asked_by uuid not null,
  asked_from jsonb not null,
  why text not null,
  asked_at timestamptz not null default real_now(),
  expires_at timestamptz not null,
  state text not null default 'waiting',
  decided_by text,
  decided_because text,
  decided_at timestamptz,
  outcome text,
  constraint approvals_pkey primary key (approval_id),
  constraint approval_state_is_known
    check (state in ('waiting', 'approved', 'rejected', 'refused', 'expired')),
  constraint an_approval_is_decided_once_and_for_a_reason
    check ((state = 'waiting') = (decided_at is null) and (state = 'waiting') = (decided_by is null)
      and (state = 'waiting') = (decided_because is null)),
  constraint nobody_approves_their_own
    check (state <> 'approved' or decided_by <> asked_by::text),
  constraint an_approval_says_why check (why <> ''),
  constraint an_approval_was_asked_by_an_operator
    foreign key (asked_by) references operators (person_id)
);
create index approvals_that_wait on approvals (asked_at) where state = 'waiting';
create index approvals_by_time on approvals (asked_at);
create unique index one_waiting_approval_of_an_action
  on approvals (command, input) where state = 'waiting';
comment on table approvals is 'Actions that wait for a second person, and what became of them.';
comment on column approvals.input is 'As it was typed, by the names of the command''s fields.';
comment on column approvals.decided_by is 'A person''s id, or the name that a terminal gave.';
