-- Bank details: where an account's money goes when it leaves (Decision 0019). Not breaking.
set local lock_timeout = '5s';

create table local_banks (
  account_number text not null references accounts (account_number),
  bank_name text not null,
  name_in_bank text not null,
  bank_account_type text,
  bank_branch text,
  number_sealed bytea not null,
  number_last_four text not null,
  wrapping_key_id text not null,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  constraint an_account_has_one_local_bank primary key (account_number),
  constraint bank_name_has_1_to_255_characters check (char_length(bank_name) between 1 and 255),
  constraint name_in_bank_has_1_to_255_characters
    check (char_length(name_in_bank) between 1 and 255),
  constraint bank_account_type_is_known check (bank_account_type in ('chequing', 'savings')),
  constraint bank_branch_has_1_to_255_characters
    check (char_length(bank_branch) between 1 and 255),
  constraint type_and_branch_come_together
    check ((bank_account_type is null) = (bank_branch is null)),
  constraint number_is_sealed check (octet_length(number_sealed) > 28),
  constraint only_four_digits_are_in_clear check (number_last_four ~ '^[0-9]{4}$')
);
comment on table local_banks is
  'The bank account in its own country that an account is paid to, at most one.';
comment on column local_banks.bank_name is
  'As the platform spells it. No reference: the banks of a platform are data of the program.';
comment on column local_banks.bank_branch is
  'Only on platforms that ask for it, together with the kind of account.';
comment on column local_banks.number_sealed is
  'Sealed under a wrapping key and bound to its account and the word local.';

create table foreign_banks (
  account_number text not null references accounts (account_number),
  beneficiary_name text not null,
  beneficiary_address text not null,
  beneficiary_bank text not null,
  bank_address text not null,
  beneficiary_bank_swift_or_routing_code text not null,
  intermediary_bank text,
  intermediary_bank_address text,
  intermediary_bank_swift_code text,
  intermediary_bank_routing_number_or_aba text,
  number_sealed bytea not null,
  number_last_four text not null,
  wrapping_key_id text not null,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  constraint an_account_has_one_foreign_bank primary key (account_number),
  constraint beneficiary_name_has_1_to_255_characters
    check (char_length(beneficiary_name) between 1 and 255),
  constraint beneficiary_address_has_1_to_255_characters
    check (char_length(beneficiary_address) between 1 and 255),
  constraint beneficiary_bank_has_1_to_255_characters
    check (char_length(beneficiary_bank) between 1 and 255),
  constraint bank_address_has_1_to_255_characters
    check (char_length(bank_address) between 1 and 255),
  constraint beneficiary_bank_code_is_swift_or_aba check (
    beneficiary_bank_swift_or_routing_code
      ~ '^([A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?|[0-9]{9})$'),
  constraint intermediary_bank_has_1_to_255_characters
    check (char_length(intermediary_bank) between 1 and 255),
  constraint intermediary_bank_address_has_1_to_255_characters
    check (char_length(intermediary_bank_address) between 1 and 255),
  constraint intermediary_bank_swift_code_is_swift check (
    intermediary_bank_swift_code ~ '^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$'),
  constraint intermediary_bank_routing_number_is_aba
    check (intermediary_bank_routing_number_or_aba ~ '^[0-9]{9}$'),
  constraint number_is_sealed check (octet_length(number_sealed) > 28),
  constraint only_four_characters_are_in_clear check (number_last_four ~ '^[A-Za-z0-9]{4}$')
);
comment on table foreign_banks is
  'The bank account abroad, for US dollars, that an account is paid to, at most one.';
comment on column foreign_banks.number_sealed is
  'Sealed under a wrapping key and bound to its account and the word foreign.';
