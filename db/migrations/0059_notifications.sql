-- Mails to members about payments, disputes and withdrawals (Decision 0143). Not breaking: an older
-- version that still runs notes none, and what it numbers is mailed to nobody.
set local lock_timeout = '5s';

create table notification_choices (
  account_number text not null,
  person_id uuid not null,
  payments text,
  disputes boolean,
  withdrawals boolean,
  updated_at timestamptz not null default app_now(),
  constraint a_member_chooses_once primary key (account_number, person_id),
  constraint payments_are_all_by_link_or_none check (payments in ('none', 'by_link', 'all')),
  constraint a_choice_is_of_a_member
    foreign key (account_number, person_id)
    references members (account_number, person_id) on delete cascade
);
comment on table notification_choices is
  'Which mails a member wants of an account. Where it has not chosen, null or no row, it has what '
  'is usual for the role.';

create table notifications_due (
  event_id text collate "C" not null,
  attempt_count integer not null default 0,
  next_try_at timestamptz not null default app_now(),
  constraint an_event_is_noted_once primary key (event_id),
  constraint attempts_are_counted_from_zero check (attempt_count >= 0)
);
create index notifications_due_next on notifications_due (next_try_at);
comment on table notifications_due is
  'Events that members may want a mail about: written in the tx that numbers them, deleted in the '
  'one that queues the mails.';
