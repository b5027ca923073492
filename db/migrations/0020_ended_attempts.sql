-- What the schedule of webhooks counts: attempts that ended, since a process that dies takes none
-- of the ten with it (Decision 0034). Only words; not breaking.
set local lock_timeout = '5s';

comment on column webhook_deliveries.round_attempt_count is
  'Attempts that ended since it last began to wait: the schedule counts these, and none that was '
  'cut off.';
