-- Profile pictures: our own small encoding of what was uploaded (Decision 0021). Not breaking.
set local lock_timeout = '5s';

create table pictures (
  account_number text not null references accounts (account_number),
  picture_id text not null,
  bytes bytea not null,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  constraint an_account_has_one_picture primary key (account_number),
  constraint an_address_leads_to_one_picture unique (picture_id),
  constraint picture_id_has_128_bits check (picture_id ~ '^[0-9a-f]{32}$'),
  constraint a_picture_has_1_byte_to_200_kb check (octet_length(bytes) between 1 and 204800)
);
-- A PNG is compressed already; trying again with every write would only cost time.
alter table pictures alter column bytes set storage external;
comment on table pictures is
  'The picture of an account, at most one: bytes and address change together or not at all.';
comment on column pictures.picture_id is
  'Random, and new with every picture: whoever knows it may see the picture.';
comment on column pictures.bytes is 'A PNG of 200 by 200 pixels without metadata.';
