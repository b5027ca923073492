/**
 * What the payments do to the books, as `paymentApproved` says it (Decision 0023): each share of
 * them goes on from the balances that the share before it left, so that chains have no gap and
 * `reconcile` finds no difference.
 */

const KINDS = ["available", "gateway_clearing", "fee_income"];

/** Takes numbers of merchants, the first and the last: opens what they and the house need. */
export const OPEN_ACCOUNTS = `
  select open_ledger_accounts(array_agg(distinct 'sandbox ' || currency || ' ' || kind || ' ' ||
    case kind when 'available' then account_number else right(account_number, 1) end))
  from bench_merchants
  cross join unnest(array['TTD', 'USD']) as currency
  cross join unnest(array['${KINDS.join("', '")}']) as kind
  where number between $1 and $2`;

/** Which ledger accounts a payment of a merchant moves. */
export const BOOKS = `
  create table bench_books as
  select number, currency, own.ledger_account_id as available,
    clearing.ledger_account_id as clearing, income.ledger_account_id as income
  from bench_merchants as merchant
  join ledger_accounts as own using (account_number)
  join ledger_accounts as clearing using (environment, currency)
  join ledger_accounts as income using (environment, currency)
  where environment = 'sandbox' and own.kind = 'available'
    and clearing.kind = 'gateway_clearing' and income.kind = 'fee_income'
    and clearing.stripe = right(merchant.account_number, 1)::int
    and income.stripe = clearing.stripe`;

/** Takes the first and the last number of a share. */
export const POST = `
  with placed as materialized (
    select transaction_id, finalised_at, currency, total, fee, available, clearing, income,
      row_number() over own as own_entry, sum(total) over own as own_sum,
      row_number() over house as house_entry, sum(total + fee) over house as house_sum,
      row_number() over earned as earned_entry, sum(fee) over earned as earned_sum
    from bench_payments($1, $2) join bench_books as books using (currency)
    where status = 'success' and books.number = merchant
    window own as (partition by available order by n rows unbounded preceding),
      house as (partition by clearing order by n rows unbounded preceding),
      earned as (partition by income order by n rows unbounded preceding)
  ), posted as (
    insert into ledger_postings (environment, posting_id, occasion, reference, posted_at)
    select 'sandbox', 'payment_approved ' || transaction_id, 'payment_approved', transaction_id,
      finalised_at
    from placed
  ), moved as (
    update ledger_balances as balance
    set balance_minor = balance_minor + change, entry_count = entry_count + entries
    from (
      select available as id, sum(total) as change, count(*) as entries from placed group by 1
      union all
      select clearing, -sum(total + fee), 2 * count(*) from placed group by 1
      union all
      select income, sum(fee), count(*) from placed group by 1
    ) as share
    where ledger_account_id = id
  )
  insert into ledger_transfers (environment, posting_id, leg, currency, amount_minor,
    debit_account_id, debit_entry, debit_balance_minor,
    credit_account_id, credit_entry, credit_balance_minor)
  select 'sandbox', 'payment_approved ' || transaction_id, leg, currency, amount, clearing,
    house.entry_count + 2 * house_entry - 2 + leg,
    house.balance_minor - house_sum + case leg when 1 then fee else 0 end,
    credited, there.entry_count + entry, there.balance_minor + sum_so_far
  from placed
  cross join lateral (values
    (1, total, available, own_entry, own_sum), (2, fee, income, earned_entry, earned_sum)
  ) as leg (leg, amount, credited, entry, sum_so_far)
  join ledger_balances as house on house.ledger_account_id = clearing
  join ledger_balances as there on there.ledger_account_id = credited`;

/** The statements' job has added up what `statement_sums` were made of. */
export const POSITIONS = `
  insert into statement_positions (ledger_account_id, entry)
  select ledger_account_id, entry_count
  from ledger_balances join ledger_accounts using (ledger_account_id)
  where account_number is not null and environment = 'sandbox' and currency in ('TTD', 'USD')
  on conflict on constraint a_chain_is_added_up_to_one_entry do update set entry = excluded.entry`;
