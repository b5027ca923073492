/** What the tests of transactions share: payments made by the use cases, and histories by SQL. */

import { sql } from "../src/infra/db/query.ts";
import type { Tx } from "../src/infra/db/transaction.ts";
import { type Currency, parseMoney } from "../src/kit/money.ts";
import type { Scope } from "../src/kit/scopes.ts";
import { type CountryCode, ENVIRONMENTS, type Environment } from "../src/kit/vocabulary.ts";
import { post } from "../src/modules/ledger/post.ts";
import {
  finaliseTransactions,
  type PaymentResult,
  postingOf,
} from "../src/modules/transactions/finalise-transaction.ts";
import type { NewTransaction } from "../src/modules/transactions/new-transaction.ts";
import type { TransactionRow, TransactionStatus } from "../src/modules/transactions/transaction.ts";
import { mintToken } from "./credentials.ts";
import { recordTransaction } from "./record-transaction.ts";
import type { TestService } from "./service.ts";
import type { Person } from "./world.ts";

export interface Shop extends Person {
  readonly token: string;
}

export async function openShop(
  service: TestService,
  countryCode: CountryCode = "TT",
): Promise<Shop> {
  const who = await service.world.merchant({ countryCode });
  return { ...who, ...(await mintToken(service.ctx, who, who.allScopes.split(" ") as Scope[])) };
}

let orders = 0;
const ROWS_AT_ONCE = 5_000;

export function newPayment(
  { accountNumber }: { accountNumber: string },
  more: Partial<NewTransaction> & { amount?: string } = {},
): NewTransaction {
  const { amount = "100.00 TTD", ...rest } = more;
  const [units, currency] = amount.split(" ");
  const total = parseMoney(currency as Currency, units);
  if (total === undefined) throw new Error(`${amount} is no amount`);
  orders += 1;
  return {
    accountNumber,
    environment: "live",
    countryCode: "TT",
    total,
    feeStructure: "customer_pay",
    orderId: `order-${orders}`,
    checkoutMethod: "credit_card_co",
    origin: "shop",
    customer: { email: "anika@example.com", fname: "Anika", lname: "Mohammed" },
    details: {},
    ...rest,
  };
}

export const APPROVED: PaymentResult = {
  status: "success",
  message: "[1-R00]: Transaction is approved.",
  card: { brand: "visa", lastFour: "1111" },
};
export const DECLINED: PaymentResult = {
  status: "failed",
  message: "[2-R05]: Transaction is declined.",
  card: { brand: "visa", lastFour: "3333" },
};
export const TIMED_OUT: PaymentResult = {
  status: "error",
  message: "[3-R98]: Transaction timed out.",
  card: null,
};

/** As the end of a session does it; `isFirst`: it had no result before. */
export async function finaliseTransaction(tx: Tx, transactionId: string, result: PaymentResult) {
  const [moved] = await finaliseTransactions(tx, [{ ...result, transactionId }], ENVIRONMENTS);
  if (moved?.status === "success") await post(tx, postingOf(moved));
  const transaction = await tx.one<TransactionRow>(sql`
    select * from transactions where transaction_id = ${transactionId}`);
  return { transaction, isFirst: moved !== undefined };
}

export async function pay(
  service: TestService,
  payment: NewTransaction,
  result?: PaymentResult,
): Promise<TransactionRow> {
  return service.ctx.db.transaction(async (tx) => {
    const made = await recordTransaction(tx, payment);
    if (result === undefined) return made;
    return (await finaliseTransaction(tx, made.transaction_id, result)).transaction;
  });
}

/**
 * Rows as if long ago, `everySeconds` apart and the newest at `until`: of a status, currency and
 * total that follow from their number, so that a test can say which fit.
 */
export async function fillHistory(
  service: { readonly ctx: Pick<TestService["ctx"], "db"> },
  { accountNumber }: { accountNumber: string },
  options: {
    rows: number;
    until: string;
    everySeconds: number;
    environment?: Environment;
    orderPrefix?: string;
    /** The pass-through text of each. */
    data?: string;
  },
): Promise<void> {
  const { rows, until, everySeconds, environment = "live", orderPrefix = "old-" } = options;
  const prefix = environment === "sandbox" ? "SB-TT-" : "TT-";
  const seed = accountNumber + orderPrefix;
  await service.ctx.db.transaction(async (tx) => {
    await tx.run(sql`alter table transactions disable trigger a_transaction_begins_incomplete`);
    // By handfuls, because a statement has a time limit on the slowest machine too.
    for (let first = 1; first <= rows; first += ROWS_AT_ONCE) {
      const last = Math.min(rows, first + ROWS_AT_ONCE - 1);
      await tx.run(sql`
        insert into transactions (transaction_id, account_number, environment, country_code,
          currency, order_id, total_minor, customer_total_minor, fee_minor, tax_minor, net_minor,
          fee_structure, method, status, message, created_at, finalised_at, data)
        select ${prefix} || lpad(upper(to_hex(hashtextextended(${seed}, i))), 26, '0'),
          ${accountNumber}, ${environment}, 'TT', case when i % 5 = 0 then 'USD' else 'TTD' end,
          ${orderPrefix} || i, 500 + i, 500 + i, 0, 0, 500 + i, 'customer_pay',
          'credit_card_co', status, 'Done.', at, at, ${options.data ?? ""}
        from (
          select i,
            ${until}::timestamptz - make_interval(secs => (${rows} - i) * ${everySeconds}) as at,
            case when i % 100 = 0 then 'error' when i % 10 = 0 then 'failed' else 'success' end
              as status
          from generate_series(${first}::bigint, ${last}) as i
        ) as made`);
    }
    await tx.run(sql`alter table transactions enable trigger a_transaction_begins_incomplete`);
  });
}

/** What `fillHistory` makes of a number. */
export function filled(i: number): {
  status: TransactionStatus;
  currency: Currency;
  total: string;
} {
  const status = i % 100 === 0 ? "error" : i % 10 === 0 ? "failed" : "success";
  const total = ((500 + i) / 100).toFixed(2);
  return { status, currency: i % 5 === 0 ? "USD" : "TTD", total };
}
