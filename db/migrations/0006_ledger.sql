-- The ledger: double entry, the only place where money is (Decisions 0023 and 0024). Not breaking.
set local lock_timeout = '5s';

create table ledger_accounts (
  ledger_account_id bigint generated always as identity primary key,
  environment text not null,
  currency text not null,
  kind text not null,
  account_number text,
  stripe smallint,
  -- Compared byte by byte: locks are taken in the order of names, everywhere the same.
  name text collate "C" not null generated always as (
    environment || ' ' || currency || ' ' || kind || ' ' || coalesce(account_number, stripe::text)
  ) stored,
  is_of_the_house boolean not null generated always as (account_number is null) stored,
  created_at timestamptz not null default app_now(),
  constraint a_ledger_account_exists_once unique (name),
  constraint a_holder_of_a_balance unique (ledger_account_id, is_of_the_house),
  constraint merchants_money_belongs_to_an_account
    foreign key (account_number) references accounts (account_number),
  constraint environment_is_known check (environment in ('live', 'sandbox')),
  constraint currency_is_known check (currency in ('TTD', 'USD', 'BBD', 'XCD', 'JMD', 'GYD')),
  constraint kind_is_known check (
    kind in ('available', 'held', 'gateway_clearing', 'fee_income', 'tax', 'payouts_in_transit',
      'card_checks', 'opening_funds', 'losses')
  ),
  constraint only_available_and_held_belong_to_a_merchant
    check ((kind in ('available', 'held')) = (account_number is not null)),
  constraint the_house_has_ten_stripes_and_a_merchant_none
    check ((account_number is null) = (stripe is not null) and stripe between 0 and 9)
);
create index ledger_accounts_by_account on ledger_accounts (account_number)
  where account_number is not null;
comment on table ledger_accounts is
  'Whose money, in which environment and currency. What an account is never changes; what it '
  'has is in ledger_balances.';
comment on column ledger_accounts.stripe is
  'A house account is kept in ten rows, by the last digit of the merchant it deals with, so that '
  'merchants do not wait for one another.';

create table ledger_balances (
  ledger_account_id bigint primary key,
  may_go_below_zero boolean not null,
  balance_minor bigint not null default 0,
  entry_count bigint not null default 0,
  constraint only_the_house_may_go_below_zero
    foreign key (ledger_account_id, may_go_below_zero)
    references ledger_accounts (ledger_account_id, is_of_the_house),
  constraint balance_stays_at_or_above_zero_unless_allowed
    check (balance_minor >= 0 or may_go_below_zero)
) with (fillfactor = 50);
comment on table ledger_balances is
  'What each account has. Credits add and debits take away: what we owe stands above zero, what '
  'is owed to us below it, and all of one currency together are zero. Apart from the accounts, '
  'because every check on a row is read and made anew with each change of it.';
comment on column ledger_balances.entry_count is
  'How many sides of transfers made this balance: the number of the last one.';

create table ledger_postings (
  environment text not null,
  posting_id text collate "C" not null,
  occasion text not null,
  reference text not null,
  posted_at timestamptz not null default app_now(),
  constraint a_posting_happens_once primary key (environment, posting_id),
  constraint environment_is_known check (environment in ('live', 'sandbox')),
  constraint posting_id_has_1_to_128_characters check (char_length(posting_id) between 1 and 128),
  constraint a_posting_says_what_it_is_for check (occasion <> '' and reference <> '')
);
comment on table ledger_postings is
  'Transfers that happen together or not at all. Whoever asks names the posting, so asking twice '
  'moves money once. Append-only.';

create table ledger_transfers (
  environment text not null,
  posting_id text collate "C" not null,
  leg smallint not null,
  currency text not null,
  amount_minor bigint not null,
  debit_account_id bigint not null,
  debit_entry bigint not null,
  debit_balance_minor bigint not null,
  credit_account_id bigint not null,
  credit_entry bigint not null,
  credit_balance_minor bigint not null,
  constraint a_leg_is_posted_once primary key (environment, posting_id, leg),
  constraint a_debit_has_its_place_in_the_chain unique (debit_account_id, debit_entry),
  constraint a_credit_has_its_place_in_the_chain unique (credit_account_id, credit_entry),
  constraint amount_is_positive check (amount_minor > 0),
  constraint money_moves_between_two_accounts check (debit_account_id <> credit_account_id)
);
comment on table ledger_transfers is
  'One amount from the debit side to the credit side, so it cannot be unbalanced. Append-only. No '
  'foreign keys: a trigger asks the same for all rows of a statement at once, for less.';
comment on column ledger_transfers.debit_entry is
  'The number of this side in the chain of its account, debits and credits counted together.';
comment on column ledger_transfers.debit_balance_minor is
  'The balance of the account after this side: the one before it, less the amount.';

create trigger ledger_accounts_are_never_changed
  before update or delete or truncate on ledger_accounts
  for each statement execute function refuse_change();
create trigger ledger_balances_are_never_removed
  before delete or truncate on ledger_balances
  for each statement execute function refuse_change();
create trigger ledger_postings_are_never_changed
  before update or delete or truncate on ledger_postings
  for each statement execute function refuse_change();
create trigger ledger_transfers_are_never_changed
  before update or delete or truncate on ledger_transfers
  for each statement execute function refuse_change();

-- The triggers below hold against any SQL, not only ours, and look at whole statements. The
-- settings of their functions, and subqueries for single values where EXISTS would read nicer, make
-- them find rows by index, however small the tables were when a connection planned them.
create function refuse_by_trigger_name() returns trigger
language plpgsql
as $$
begin
  raise exception '%', replace(tg_name, '_', ' ')
    using errcode = 'check_violation', constraint = tg_name;
end
$$;

create trigger a_balance_begins_with_nothing
  before insert on ledger_balances
  for each row
  when (new.balance_minor <> 0 or new.entry_count <> 0)
  execute function refuse_by_trigger_name();
create trigger a_chain_of_balances_only_gets_longer
  before update on ledger_balances
  for each row
  when (new.entry_count < old.entry_count)
  execute function refuse_by_trigger_name();

create function expect_last_transfer() returns trigger
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
begin
  perform from moved
  where balance_minor is distinct from coalesce(
    (select debit_balance_minor from ledger_transfers
      where debit_account_id = ledger_account_id and debit_entry = entry_count),
    (select credit_balance_minor from ledger_transfers
      where credit_account_id = ledger_account_id and credit_entry = entry_count),
    case when entry_count = 0 then 0 end);
  if found then
    raise exception 'a balance moves only by transfers'
      using errcode = 'check_violation', constraint = tg_name;
  end if;
  return null;
end
$$;
create trigger a_balance_moves_only_by_transfers
  after update on ledger_balances
  referencing new table as moved
  for each statement execute function expect_last_transfer();

create function expect_posting_and_accounts() returns trigger
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
declare
  broken text;
begin
  select rule into broken
  from added as transfer
  left join ledger_postings as posting
    on posting.environment = transfer.environment and posting.posting_id = transfer.posting_id
  left join ledger_accounts as debit on debit.ledger_account_id = debit_account_id
  left join ledger_accounts as credit on credit.ledger_account_id = credit_account_id
  cross join lateral (
    select case
      when posting.posting_id is null then 'a_transfer_belongs_to_a_posting'
      when (debit.environment, debit.currency)
        is distinct from (transfer.environment, transfer.currency)
        then 'debit_side_has_this_environment_and_currency'
      when (credit.environment, credit.currency)
        is distinct from (transfer.environment, transfer.currency)
        then 'credit_side_has_this_environment_and_currency'
    end as rule
  ) as found_out
  where rule is not null
  limit 1;
  if found then
    raise exception '%', replace(broken, '_', ' ')
      using errcode = 'foreign_key_violation', constraint = broken;
  end if;
  return null;
end
$$;
create trigger a_transfer_has_a_posting_and_two_accounts
  after insert on ledger_transfers
  referencing new table as added
  for each statement execute function expect_posting_and_accounts();

create function expect_unbroken_chains() returns trigger
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
begin
  perform
  from (
    select *,
      lag(entry) over chain as entry_before,
      lag(balance) over chain as balance_before,
      lead(entry) over chain is null as is_last
    from (
      select debit_account_id as id, debit_entry as entry, true as is_debit,
        debit_balance_minor + amount_minor as before, debit_balance_minor as balance
      from added
      union all
      select credit_account_id, credit_entry, false,
        credit_balance_minor - amount_minor, credit_balance_minor
      from added
    ) as sides
    window chain as (partition by id order by entry)
  ) as link
  left join ledger_balances as now on now.ledger_account_id = link.id
  where (is_last and (now.entry_count, now.balance_minor) is distinct from (entry, balance))
    or (entry_before is not null and (entry <> entry_before + 1 or balance_before <> before))
    -- What was the last link ends where these begin, and none of them stands in a taken place.
    or (entry_before is null and before is distinct from coalesce(
      (select debit_balance_minor from ledger_transfers
        where debit_account_id = id and debit_entry = entry - 1),
      (select credit_balance_minor from ledger_transfers
        where credit_account_id = id and credit_entry = entry - 1),
      case when entry = 1 then 0 end))
    or (entry_before is null and case
      when is_debit then
        (select credit_entry from ledger_transfers
          where credit_account_id = id and credit_entry = entry)
      else
        (select debit_entry from ledger_transfers
          where debit_account_id = id and debit_entry = entry)
    end is not null);
  if found then
    raise exception 'a transfer moves both balances and continues both chains'
      using errcode = 'check_violation', constraint = tg_name;
  end if;
  return null;
end
$$;
create trigger a_transfer_moves_both_balances
  after insert on ledger_transfers
  referencing new table as added
  for each statement execute function expect_unbroken_chains();

create function open_ledger_accounts(p_names text[]) returns void
language sql
as $$
  insert into ledger_accounts (environment, currency, kind, account_number, stripe)
  select part[1], part[2], part[3],
    case when part[3] in ('available', 'held') then part[4] end,
    case when part[3] not in ('available', 'held') then part[4]::smallint end
  from unnest(p_names) as given (name), string_to_array(given.name, ' ') as part
  order by given.name collate "C"
  on conflict (name) do nothing;
  insert into ledger_balances (ledger_account_id, may_go_below_zero)
  select ledger_account_id, is_of_the_house from ledger_accounts
  where name = any (p_names)
  order by name
  on conflict (ledger_account_id) do nothing;
$$;

create function post_to_ledger(
  p_environments text[], p_posting_ids text[], p_occasions text[], p_references text[],
  p_leg_counts integer[], p_account_names text[],
  p_debits integer[], p_credits integer[], p_currencies text[], p_amounts bigint[]
)
returns text[]
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
declare
  blank constant bigint[] := array_fill(null::bigint, array[cardinality(p_amounts)]);
  now_at constant timestamptz := app_now();
  outcomes text[];
  names text[];
  ids bigint[];
  balances bigint[];
  entries bigint[];
  free boolean[];
  leg_postings bigint[] := blank;
  leg_numbers bigint[] := blank;
  debit_entries bigint[] := blank;
  debit_balances bigint[] := blank;
  credit_entries bigint[] := blank;
  credit_balances bigint[] := blank;
  first_leg integer;
  next_leg integer := 1;
  debit integer;
  credit integer;
begin
  -- Before any lock: who opens accounts waits for others who do, and must hold nothing they need.
  if (select count(*) from ledger_accounts where name = any (p_account_names))
    < cardinality(p_account_names)
  then
    perform open_ledger_accounts(p_account_names);
  end if;

  select array_agg(name), array_agg(ledger_account_id), array_agg(balance_minor),
      array_agg(entry_count), array_agg(may_go_below_zero)
    into names, ids, balances, entries, free
    from (
      select name, balance.* from ledger_accounts
      join ledger_balances as balance using (ledger_account_id)
      where name = any (p_account_names)
      order by name for no key update of balance
    ) as locked;
  assert names = p_account_names, 'accounts are named once, in the order of their locks';

  -- Read after the locks: whoever posted the same moved the same balances, and has finished.
  select array_agg(case when found.posting_id is null then 'posted' else 'known' end order by place)
    into outcomes
    from unnest(p_environments, p_posting_ids) with ordinality as given (environment, id, place)
    left join ledger_postings as found
      on found.environment = given.environment and found.posting_id = given.id;

  for posting in 1 .. cardinality(p_posting_ids) loop
    first_leg := next_leg;
    next_leg := first_leg + p_leg_counts[posting];
    continue when outcomes[posting] = 'known';
    for leg in first_leg .. next_leg - 1 loop
      debit := p_debits[leg];
      credit := p_credits[leg];
      if balances[debit] < p_amounts[leg] and not free[debit] then
        outcomes[posting] := 'short';
        for undone in first_leg .. leg - 1 loop
          debit := p_debits[undone];
          credit := p_credits[undone];
          balances[debit] := balances[debit] + p_amounts[undone];
          balances[credit] := balances[credit] - p_amounts[undone];
          entries[debit] := entries[debit] - 1;
          entries[credit] := entries[credit] - 1;
          leg_postings[undone] := null;
        end loop;
        exit;
      end if;
      balances[debit] := balances[debit] - p_amounts[leg];
      balances[credit] := balances[credit] + p_amounts[leg];
      entries[debit] := entries[debit] + 1;
      entries[credit] := entries[credit] + 1;
      leg_postings[leg] := posting;
      leg_numbers[leg] := leg - first_leg + 1;
      debit_entries[leg] := entries[debit];
      debit_balances[leg] := balances[debit];
      credit_entries[leg] := entries[credit];
      credit_balances[leg] := balances[credit];
    end loop;
  end loop;

  -- One statement, because the triggers look at what a statement leaves behind.
  with posted as (
    insert into ledger_postings (environment, posting_id, occasion, reference, posted_at)
    select environment, id, occasion, reference, now_at
    from unnest(p_environments, p_posting_ids, p_occasions, p_references, outcomes)
      as given (environment, id, occasion, reference, outcome)
    where outcome = 'posted'
  ), moved as (
    update ledger_balances as balance
    set balance_minor = after.balance, entry_count = after.entry_count
    from unnest(ids, balances, entries) as after (id, balance, entry_count)
    where balance.ledger_account_id = after.id and balance.entry_count <> after.entry_count
  )
  insert into ledger_transfers (environment, posting_id, leg, currency, amount_minor,
    debit_account_id, debit_entry, debit_balance_minor,
    credit_account_id, credit_entry, credit_balance_minor)
  select p_environments[posting], p_posting_ids[posting], number, currency, amount,
    ids[leg.debit], debit_entry, debit_balance, ids[leg.credit], credit_entry, credit_balance
  from unnest(leg_postings, leg_numbers, p_currencies, p_amounts,
      p_debits, debit_entries, debit_balances, p_credits, credit_entries, credit_balances)
    as leg (posting, number, currency, amount,
      debit, debit_entry, debit_balance, credit, credit_entry, credit_balance)
  where posting is not null;
  return outcomes;
end
$$;
comment on function post_to_ledger is
  'Makes postings, each whole or not at all, in the order given. The answer to each: posted; '
  'known (the id was used before) or short (a balance would fall below zero): nothing of it '
  'moved. Legs stand in the order of postings; accounts are places in p_account_names, which '
  'are distinct and in order.';
