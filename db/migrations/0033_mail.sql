-- Mails that are sent by jobs, and addresses that refused one (Decision 0086). Not breaking: an
-- older version that still runs knows neither.
set local lock_timeout = '5s';

create table mails (
  mail_id uuid not null,
  reason text not null,
  recipient text not null,
  state text not null default 'waiting',
  attempt_count integer not null default 0,
  next_try_at timestamptz default app_now(),
  content_key_id text,
  content_box bytea,
  created_at timestamptz not null default app_now(),
  ended_at timestamptz,
  constraint a_mail_has_an_id primary key (mail_id),
  constraint one_mail_for_a_reason unique (reason),
  constraint reason_has_1_to_200_characters check (char_length(reason) between 1 and 200),
  constraint recipient_is_one_address
    check (recipient ~ '^[^[:space:][:cntrl:]<>,;"@]+@[a-z0-9.-]+$'),
  constraint state_is_known check (state in ('waiting', 'sent', 'bounced', 'given_up')),
  constraint attempts_are_counted_from_zero check (attempt_count >= 0),
  constraint a_mail_is_tried_exactly_while_it_waits
    check ((state = 'waiting') = (next_try_at is not null)),
  constraint a_mail_has_ended_exactly_when_it_does_not_wait
    check ((state = 'waiting') = (ended_at is null)),
  constraint content_names_its_key check ((content_key_id is null) = (content_box is null)),
  constraint a_waiting_mail_has_content check (state <> 'waiting' or content_box is not null),
  constraint a_mail_that_was_not_sent_has_no_content
    check (state not in ('bounced', 'given_up') or content_box is null)
);
create index mails_due on mails (next_try_at) where state = 'waiting';
create index mails_ended on mails (ended_at) where state <> 'waiting';
comment on table mails is
  'One mail to one address. Rows go 30 days after the mail has ended, and the reason with them.';
comment on column mails.reason is
  'What the mail is about, such as "password reset <id>"; a second one for it is not written.';
comment on column mails.next_try_at is 'While it is being sent: when its lease ends.';
comment on column mails.content_box is
  'Subject, text and HTML, sealed, because they may have a link that signs somebody in. Gone once '
  'the mail has ended; the mailbox of the development stage keeps the last ones.';

create table mail_bounces (
  address text not null,
  code integer not null,
  bounced_at timestamptz not null default app_now(),
  constraint an_address_is_marked_once primary key (address),
  constraint a_bounce_is_a_permanent_refusal check (code between 500 and 599)
);
comment on table mail_bounces is
  'Addresses that a mail server refused for good. The next mail that it accepts removes the mark, '
  'so there is at most one row for an address and nothing to prune.';
