-- Says when an owner chose the password by a link of a mail: until then who made the account may
-- know it (Decision 0147). Not breaking: an older version that still runs leaves it empty, and the
-- owner chooses once more before joining a company.
set local lock_timeout = '5s';

alter table accounts add column password_chosen_at timestamptz;

comment on column accounts.password_chosen_at is
  'When the owner last set the password by a link that was mailed to the e-mail there is. Null: '
  'who made the account may know it, whatever the credential epoch.';
