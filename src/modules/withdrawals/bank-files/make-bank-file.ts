/**
 * Pays withdrawals out by a file that an operator takes to the bank: the second way of paying
 * (Decision 0048). What waits in one platform and currency is claimed, the file is made and kept,
 * and every withdrawal moves to processing with its posting and event, in one tx.
 *
 * A claimed row is locked, and one that is being cancelled or claimed elsewhere is skipped, so a
 * withdrawal is in one file only, and cancelled or in a file, never both. The database ensures it
 * too: one payout under way for each withdrawal.
 */

import { randomUUID } from "node:crypto";
import type { Config } from "../../../infra/config.ts";
import { now } from "../../../infra/db/clock.ts";
import { sql, sqlOf } from "../../../infra/db/query.ts";
import { columns, int } from "../../../infra/db/row.ts";
import type { Tx } from "../../../infra/db/transaction.ts";
import { FieldRefused, OperatorError } from "../../../kit/errors.ts";
import { addDays, dayAt } from "../../../kit/local-day.ts";
import type { Currency } from "../../../kit/money.ts";
import type { CountryCode } from "../../../kit/vocabulary.ts";
import { platformOf } from "../../platforms/platform.ts";
import { moveWithdrawals } from "../move-withdrawal.ts";
import { openNumbers, SEALED_NUMBERS } from "../payee-numbers.ts";
import { OF_AN_ACTIVE_ACCOUNT } from "../payout.ts";
import { WITHDRAWAL } from "../withdrawal.ts";
import { bankDayFrom } from "./bank-day.ts";
import { bankPaymentOf } from "./bank-payment.ts";
import { renderCreditTransfer, totalOf } from "./credit-transfer.ts";
import { BATCH, BATCH_COLUMNS, type BatchRow, digestOf, sealFile } from "./payout-batch.ts";

/** So that one tx takes seconds; the rest goes into the next file. */
const PAYMENTS_MAX = 500;
const DAYS_AHEAD_MAX = 30;

export interface WantedFile {
  readonly countryCode: CountryCode;
  readonly currency: Currency;
  /** Undefined: today there, or Monday. */
  readonly bankDay: string | undefined;
  readonly by: string;
}

export interface MadeFile {
  readonly batch: BatchRow;
  readonly file: Buffer;
  /** More that wait: they did not fit, or were locked at that moment. */
  readonly left: number;
}

export async function makeBankFile(
  { config }: { config: Config },
  tx: Tx,
  wanted: WantedFile,
  paymentsMax = PAYMENTS_MAX,
): Promise<MadeFile> {
  const { countryCode, currency } = wanted;
  if (config.withdrawals.livePaidBy === "simulator")
    throw new OperatorError(
      "The simulated bank pays live withdrawals here. To try bank files, start the service and " +
        "run this command with LIVE_PAYOUTS=files.",
    );
  // Our own accounts are a setting and not an option, so that no mistyped account is paid from.
  const from = config.payoutAccounts.find(
    (account) => account.countryCode === countryCode && account.currency === currency,
  );
  if (from === undefined)
    throw new OperatorError(
      `There is no account to pay ${currency} of ${countryCode} from. ` +
        "Name it in the setting PAYOUT_ACCOUNTS.",
    );
  const madeAt = await now(tx);
  const bankDay = settleDay(wanted, madeAt);
  const rows = await claim(tx, wanted, paymentsMax);
  if (rows.length === 0)
    throw new OperatorError(
      `No withdrawal in ${currency} of ${countryCode} waits to be paid. ` +
        "Those of frozen accounts are left out; stuck-withdrawals shows them.",
    );
  const payments = rows.map((row) =>
    bankPaymentOf(row, openNumbers(config.wrappingKeys, row.transaction_id, row)),
  );
  const batchId = randomUUID();
  const messageId = nameOf(wanted, bankDay, batchId);
  const file = renderCreditTransfer({ messageId, madeAt, bankDay, countryCode, from, payments });
  const { file_sealed, wrapping_key_id } = sealFile(config, batchId, file);
  const batch = await tx.one(sqlOf(BATCH)`
    insert into payout_batches (batch_id, message_id, environment, country_code, currency,
      bank_day, payment_count, total_minor, file_sha256, file_sealed, wrapping_key_id, made_by)
    values (${batchId}, ${messageId}, 'live', ${countryCode}, ${currency}, ${bankDay},
      ${payments.length}, ${totalOf(payments).minor}, ${digestOf(file)}, ${file_sealed},
      ${wrapping_key_id}, ${wanted.by})
    returning ${BATCH_COLUMNS}`);
  const move = { to: "processing", how: { batchId } } as const;
  await moveWithdrawals(
    tx,
    rows.map(({ transaction_id: transactionId }) => ({ transactionId, move })),
  );
  const { left } = await tx.one(sqlOf({ left: int })`
    select count(*)::int as left from withdrawals where ${waiting(wanted)}`);
  return { batch, file, left };
}

function settleDay({ countryCode, bankDay }: WantedFile, now: Date): string {
  const today = dayAt(now, platformOf(countryCode).timeZone);
  const last = addDays(today, DAYS_AHEAD_MAX);
  if (bankDay === undefined) return bankDayFrom(today);
  if (bankDay < today || bankDay > last)
    throw new FieldRefused(`The --bank-day must be from ${today} to ${last}.`);
  if (bankDayFrom(bankDay) !== bankDay)
    throw new FieldRefused(`The --bank-day is on a weekend; the next is ${bankDayFrom(bankDay)}.`);
  return bankDay;
}

/** Readable over the phone, and of one batch only. */
function nameOf({ countryCode, currency }: WantedFile, bankDay: string, batchId: string): string {
  const mark = batchId.slice(0, 8).toUpperCase();
  return `${countryCode}-${currency}-${bankDay.replaceAll("-", "")}-${mark}`;
}

/** Live ones: in the sandbox the simulated bank pays. */
function waiting({ countryCode, currency }: WantedFile) {
  return sql`environment = 'live' and status = 'pending' and dispatch_at <= app_now()
    and country_code = ${countryCode} and currency = ${currency} and ${OF_AN_ACTIVE_ACCOUNT}`;
}

const CLAIMED = { ...WITHDRAWAL, ...SEALED_NUMBERS };

function claim(tx: Tx, wanted: WantedFile, paymentsMax: number) {
  return tx.rows(sqlOf(CLAIMED)`
    select ${columns(CLAIMED)} from withdrawals
    where ${waiting(wanted)}
    order by created_at, transaction_id limit ${paymentsMax}
    for no key update skip locked`);
}
