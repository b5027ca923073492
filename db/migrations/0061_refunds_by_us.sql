-- Says which refunds an operator asked for, so that the owner reads who did. Not breaking: an older
-- version leaves it false.
set local lock_timeout = '5s';

alter table refunds add column is_by_operator boolean not null default false;

comment on column refunds.is_by_operator is
  'An operator asked for it, for the merchant; `reason` is then what the merchant is to read.';
