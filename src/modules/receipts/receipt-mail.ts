/** A receipt as a mail. It loads nothing, not even the logo: its page shows that. */

import type { Config } from "../../infra/config.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { receiptWords } from "../../words/receipt/receipt-words.ts";
import { queueMail } from "../mail/queue-mail.ts";
import type { MailContent } from "../mail/render-mail.ts";
import type { Receipt, ReceiptRefund } from "./receipt.ts";
import { paymentText, type ReceiptText, refundText } from "./receipt-text.ts";

export interface ReceiptMail {
  /** One mail is queued for it, so it has one Message-ID, however often that is sent. */
  readonly reason: string;
  readonly to: string;
  readonly receipt: Receipt;
  /** Absent: the receipt of the payment. */
  readonly refund?: ReceiptRefund;
}

export async function queueReceipt(
  config: Pick<Config, "mail" | "wrappingKeys">,
  tx: Tx,
  { reason, to, receipt, refund }: ReceiptMail,
): Promise<void> {
  const text = refund === undefined ? paymentText(receipt) : refundText(receipt, refund);
  const { testMark } = receiptWords(receipt.language);
  const subject = text.test === undefined ? text.title : `[${testMark}] ${text.title}`;
  await queueMail(config, tx, { reason, to, subject, content: contentOf(receipt, text) });
}

function contentOf({ language, url }: Receipt, text: ReceiptText): MailContent {
  const { test, contact } = text;
  return {
    language,
    heading: text.title,
    parts: [
      ...(test === undefined ? [] : [test]),
      text.lead,
      { rows: text.amounts, areAmounts: true },
      { rows: text.facts },
      ...(text.refunds.length === 0 ? [] : [{ rows: text.refunds, areAmounts: true as const }]),
      ...(contact === undefined ? [] : [contact.heading, { rows: contact.rows }]),
      { link: url, text: receiptWords(language).see },
    ],
  };
}
