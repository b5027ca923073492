/**
 * Sends the receipt of a payment again, because its merchant asks for it (Decision 0098): to the
 * customer, or to an address that the merchant gives. Each request is a mail of its own. Five an
 * hour for a payment, and twenty of an account for one address, so that nobody's mailbox is filled
 * from here.
 */

import { randomUUID } from "node:crypto";
import { recordAudit } from "../../infra/audit.ts";
import type { Infra } from "../../infra/context.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { countWithin, TooManyAttempts } from "../../infra/http/admit/rate-limiter.ts";
import { type Caller, reachOf } from "../../infra/http/caller.ts";
import { HOUR_SECONDS } from "../../kit/clock.ts";
import { FieldRefused, fixedRefusal, ServiceError } from "../../kit/errors.ts";
import { normalEmail } from "../../kit/fields/text.ts";
import type { Environment } from "../../kit/vocabulary.ts";
import { holdCredential } from "../auth/hold-credential.ts";
import { canSendMail } from "../mail/queue-mail.ts";
import { findTransaction } from "../transactions/find-transaction.ts";
import type { TransactionStatus } from "../transactions/transaction.ts";
import { mayBeSentTo } from "./may-mail.ts";
import { readReceipt } from "./receipt.ts";
import { queueReceipt } from "./receipt-mail.ts";

export const SENT_PER_HOUR_MAX = 5;
export const SENT_TO_ONE_PER_HOUR_MAX = 20;

/** Only what was paid has a receipt. */
export class NoReceipt extends ServiceError {
  constructor(status: TransactionStatus) {
    super("no_receipt", {
      message: `The transaction has no receipt: its status is ${status}, not success.`,
    });
  }
}

export class NoMailSent extends fixedRefusal("no_mail_sent") {}

export class NoEmailKnown extends FieldRefused {
  constructor() {
    super("The email field is required: the payment has none.", {
      field: "email",
      code: "field_required",
    });
  }
}

export class NotToThisAddress extends FieldRefused {
  constructor() {
    super("The email must be that of a member of the account: the payment is of the sandbox.", {
      field: "email",
    });
  }
}

export interface ReceiptRequest {
  readonly transactionId: string;
  /** Undefined: either, as far as the credential reaches. */
  readonly environment: Environment | undefined;
  /** Undefined: the customer's. */
  readonly email: string | undefined;
}

/** Returns where it goes, and the address of the receipt's page. */
export async function sendReceipt(
  { config }: Pick<Infra, "config">,
  tx: Tx,
  caller: Caller,
  { transactionId, environment, email }: ReceiptRequest,
): Promise<{ email: string; url: string }> {
  await holdCredential(tx, caller, "read");
  const { accountNumber } = caller;
  const reach = reachOf(caller.credential, environment);
  const { status } = await findTransaction(tx, {
    transactionId,
    accountNumber,
    environment: reach,
  });
  const receipt = await readReceipt(tx, config, transactionId);
  if (receipt === undefined) throw new NoReceipt(status);
  const to = normalEmail(email ?? receipt.email ?? "");
  if (to === undefined) throw new NoEmailKnown();
  if (!canSendMail(config)) throw new NoMailSent();
  if (!(await mayBeSentTo(tx, config, receipt, to))) throw new NotToThisAddress();
  for (const window of [
    { key: `receipt ${transactionId}`, max: SENT_PER_HOUR_MAX },
    { key: `receipts ${accountNumber} ${to}`, max: SENT_TO_ONE_PER_HOUR_MAX },
  ]) {
    const { granted, retryAfterSeconds } = await countWithin(tx, window, HOUR_SECONDS);
    if (!granted) throw new TooManyAttempts(retryAfterSeconds);
  }
  await queueReceipt(config, tx, {
    reason: `receipt ${transactionId} again ${randomUUID()}`,
    to,
    receipt,
  });
  await recordAudit(tx, caller, "receipt_sent", { detail: { transaction_id: transactionId } });
  return { email: to, url: receipt.url };
}
