/**
 * Opens a transaction: from here on it has its id and its price, and nothing has been paid yet
 * (Interface §3.2, Decision 0026).
 *
 * The account's row is held while it is written, so that an account that is being closed either
 * sees the open payment or takes no more. That an order is paid once is the unique index's word.
 */

import { now } from "../../infra/db/clock.ts";
import { onConstraint } from "../../infra/db/database-errors.ts";
import { sql } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { ServiceError } from "../../kit/errors.ts";
import { newTransactionId } from "../../kit/ids.ts";
import type { Money } from "../../kit/money.ts";
import type { CountryCode, Environment } from "../../kit/vocabulary.ts";
import { type FeeStructure, quoteFee } from "../platforms/fee-quote.ts";
import { platformOf } from "../platforms/platform.ts";
import { type Customer, TRANSACTION_COLUMNS, type TransactionRow } from "./transaction.ts";

export class OrderIdTaken extends ServiceError {
  constructor(cause: unknown) {
    super({
      status: 400,
      code: "order_id_taken",
      message: "The order id is already being paid or has been paid.",
      cause,
    });
  }
}

/** One text for every reason, so that nobody finds out which accounts exist. */
export class AccountTakesNoPayments extends ServiceError {
  constructor() {
    super({
      status: 400,
      code: "account_takes_no_payments",
      message: "The account number cannot take this payment.",
    });
  }
}

export interface NewTransaction {
  readonly accountNumber: string;
  readonly environment: Environment;
  /** The platform that processes it: its fees and currencies. */
  readonly countryCode: CountryCode;
  readonly total: Money;
  readonly feeStructure: FeeStructure;
  readonly orderId: string;
  readonly checkoutMethod: string;
  readonly origin: string | null;
  readonly customer: Customer;
  readonly passThrough: string;
}

export async function recordTransaction(tx: Tx, asked: NewTransaction): Promise<TransactionRow> {
  const { environment, countryCode, total, feeStructure } = asked;
  // Price, id and record are of the same moment, whatever changes while the customer types.
  const at = await now(tx);
  const platform = platformOf(countryCode);
  const quote = quoteFee({ platform, currency: total.currency, amount: total, feeStructure, at });
  const transactionId = newTransactionId({ environment, countryCode, at });
  const made = await onConstraint(
    { an_order_has_one_live_transaction: (cause) => new OrderIdTaken(cause) },
    tx.maybeOne<TransactionRow>(sql`
      insert into transactions (transaction_id, account_number, environment, country_code, currency,
        order_id, total_minor, customer_total_minor, fee_minor, tax_minor, net_minor,
        fee_structure, method, origin, customer, data, created_at)
      select ${transactionId}, account_number, ${environment}, ${countryCode}, ${total.currency},
        ${asked.orderId}, ${total.minor}, ${quote.customer.total.minor}, ${quote.total.minor},
        ${quote.tax.minor}, ${quote.merchant.net.minor}, ${feeStructure}, ${asked.checkoutMethod},
        ${asked.origin}, ${JSON.stringify(asked.customer)}::jsonb, ${asked.passThrough}, ${at}
      from accounts where account_number = ${asked.accountNumber} and status = 'active'
      for key share
      returning ${TRANSACTION_COLUMNS}`),
  );
  if (made === undefined) throw new AccountTakesNoPayments();
  return made;
}
