-- Rules and postings look up what they name by its key, row by row (Decision 0061). Planned while a
-- table was known to be empty, `not exists` and joins read all of it for each statement, until the
-- next analyze: 370 of 950 µs of a payment request with 15,000 payments. What is refused is the
-- same. Not breaking.
set local lock_timeout = '5s';

create or replace function expect_transactions()
  returns trigger
  language plpgsql
  set plan_cache_mode to 'force_generic_plan'
  set enable_seqscan to 'off'
  set enable_hashjoin to 'off'
  set enable_mergejoin to 'off'
as $$
begin
  perform from added
  where purpose <> 'card' and (select transaction_id from transactions
    where transactions.transaction_id = added.transaction_id) is null;
  if found then
    raise exception 'a session belongs to a transaction'
      using errcode = 'foreign_key_violation', constraint = tg_name, table = tg_table_name;
  end if;
  return null;
end
$$;

create or replace function expect_posting_and_accounts()
  returns trigger
  language plpgsql
  set plan_cache_mode to 'force_generic_plan'
  set enable_seqscan to 'off'
  set enable_hashjoin to 'off'
  set enable_mergejoin to 'off'
as $$
declare
  broken text;
begin
  select rule into broken
  from (
    select 1 as place, 'a_transfer_belongs_to_a_posting' as rule
    from added as transfer
    where (select posting_id from ledger_postings as posting
      where posting.environment = transfer.environment
        and posting.posting_id = transfer.posting_id) is null
    union all
    select place, rule
    from (
      select distinct 2 as place, 'debit_side_has_this_environment_and_currency' as rule,
        debit_account_id as id, environment, currency
      from added
      union all
      select distinct 3, 'credit_side_has_this_environment_and_currency',
        credit_account_id, environment, currency
      from added
    ) as side
    where (select true from ledger_accounts as account
      where account.ledger_account_id = side.id and account.environment = side.environment
        and account.currency = side.currency) is null
  ) as found_out
  order by place
  limit 1;
  if found then
    raise exception '%', replace(broken, '_', ' ')
      using errcode = 'foreign_key_violation', constraint = broken;
  end if;
  return null;
end
$$;

create or replace function post_to_ledger(
  p_environments text[],
  p_posting_ids text[],
  p_occasions text[],
  p_references text[],
  p_leg_counts integer[],
  p_account_names text[],
  p_debits integer[],
  p_credits integer[],
  p_currencies text[],
  p_amounts bigint[]
)
  returns text[]
  language plpgsql
  set plan_cache_mode to 'force_generic_plan'
  set enable_seqscan to 'off'
  set enable_hashjoin to 'off'
  set enable_mergejoin to 'off'
as $$
declare
  blank constant bigint[] := array_fill(null::bigint, array[cardinality(p_amounts)]);
  now_at constant timestamptz := app_now();
  outcomes text[];
  names text[];
  ids bigint[];
  locked bigint[];
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
  for round in 1 .. 2 loop
    select array_agg(name order by name), array_agg(ledger_account_id order by name)
      into names, ids
      from ledger_accounts where name = any (p_account_names);
    exit when cardinality(ids) = cardinality(p_account_names);
    perform open_ledger_accounts(p_account_names);
  end loop;

  select array_agg(ledger_account_id), array_agg(balance_minor), array_agg(entry_count),
      array_agg(may_go_below_zero)
    into locked, balances, entries, free
    from (
      select * from ledger_balances where ledger_account_id = any (ids)
      order by array_position(ids, ledger_account_id) for no key update
    ) as in_the_order_of_names;
  assert names = p_account_names and locked = ids,
    'accounts are named once, in the order of their locks';

  -- Read after the locks: whoever posted the same moved the same balances, and has finished.
  select array_agg(coalesce((select 'known' from ledger_postings as found
      where found.environment = given.environment and found.posting_id = given.id), 'posted')
      order by place)
    into outcomes
    from unnest(p_environments, p_posting_ids) with ordinality as given (environment, id, place);

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
    where balance.ledger_account_id = after.id and balance.ledger_account_id = any (ids)
      and balance.entry_count <> after.entry_count
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
