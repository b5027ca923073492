/**
 * Makes the file that an operator carries to the bank, from what waits to be paid, or makes one
 * again, byte for byte (Decision 0048). The batch is written first and the file after it: a crash
 * in between loses nothing, because the file can be made again from the batch.
 */

import { optional } from "../../../kit/fields/field.ts";
import { text } from "../../../kit/fields/text.ts";
import { day } from "../../../kit/fields/time.ts";
import { CURRENCIES, type Currency } from "../../../kit/money.ts";
import { COUNTRY_CODES, type CountryCode } from "../../../kit/vocabulary.ts";
import { platformOf } from "../../platforms/platform.ts";
import { makeBankFile as make } from "../../withdrawals/bank-files/make-bank-file.ts";
import { findBatch, openFile, viewBatch } from "../../withdrawals/bank-files/payout-batch.ts";
import { type Act, defineAction, type OperatorContext, type Report } from "../command.ts";
import { type ExchangeFiles, pathField } from "../exchange-file.ts";
import { option, wordOption } from "../fields.ts";
import { WrongUsage } from "../read-arguments.ts";
import { plain } from "../render.ts";

const BATCH_LENGTH_MAX = 35;

export const makeBankFile = defineAction({
  name: "make-bank-file",
  right: "money",
  about: "pay waiting withdrawals out by a file for the bank",
  more:
    "An ISO 20022 pain.001.001.09 file of live withdrawals that have been pending for five " +
    "seconds or more: each is processing from then on, and in no other file. Hand it to the bank " +
    "once. Of a currency that several platforms pay, name the --country. With --batch a file is " +
    "made again, byte for byte.",
  fields: {
    to: pathField("Where to write it; nothing may be there yet."),
    currency: optional(wordOption(CURRENCIES, "What is paid.")),
    country: optional(wordOption(COUNTRY_CODES, "Which platform pays it.")),
    bank_day: optional(
      option(day(), "day", "When the bank is to pay; today there or Monday if absent."),
    ),
    batch: optional(
      option(text({ max: BATCH_LENGTH_MAX }), "batch", "One that was made, as bank-files has it."),
    ),
  },
  example: {
    given: "--currency TTD --to /srv/bank/payouts.xml",
    shows: `Bank file TT-TTD-20261116-3F9A2C1B: 1 payments, 40.00 TTD, to be paid on 2026-11-16.
SHA-256 5d41402abc4b2a76b9719d911017c5925d41402abc4b2a76b9719d911017c592
It is in /srv/bank/payouts.xml. Hand it to the bank once, then use read-bank-status.`,
    entry: 15,
  },
  async run(ctx, { to: typed, currency, country, bank_day: bankDay, batch }, act) {
    if ((batch === undefined) === (currency === undefined))
      throw new WrongUsage("make-bank-file needs one of --currency and --batch.");
    if (batch !== undefined && (country !== undefined || bankDay !== undefined))
      throw new WrongUsage("With --batch neither --country nor --bank-day is taken.");
    const to = ctx.files.place(typed);
    await ctx.files.demandFree(to);
    if (currency === undefined) return makeAgain(ctx, { to, messageId: batch ?? "" }, act);
    return makeNew(ctx, { to, bankDay, ...platformFor(currency, country) }, act);
  },
});

/** A local currency is one platform's; the US dollar is paid by all. */
function platformFor(currency: Currency, country: CountryCode | undefined) {
  const paying = COUNTRY_CODES.filter((code) => platformOf(code).currencies.includes(currency));
  const [only, ...others] =
    country === undefined ? paying : paying.filter((one) => one === country);
  if (only === undefined) throw new WrongUsage(`${country} does not pay ${currency}.`);
  if (others.length > 0)
    throw new WrongUsage(`${currency} is paid by ${paying.join(", ")}: name one with --country.`);
  return { currency, countryCode: only };
}

interface NewFile {
  readonly to: string;
  readonly currency: Currency;
  readonly countryCode: CountryCode;
  readonly bankDay: string | undefined;
}

async function makeNew(ctx: OperatorContext, { to, ...wanted }: NewFile, act: Act) {
  const { done, ...report } = await act(async (tx, { by }) => {
    const made = await make(ctx, tx, { ...wanted, by });
    const view = viewBatch(made.batch);
    const { made_by: _, made_at: __, ...detail } = view;
    const left = made.left === 0 ? "" : `\n${made.left} more wait: make another file.`;
    return {
      entry: { action: "bank_file_made", detail },
      data: { ...view, left: made.left, file: to },
      text: textOf(view, to, "Hand it to the bank once, then use read-bank-status.") + left,
      made,
    };
  });
  const { file: bytes, batch } = done.made;
  return written(ctx.files, report, { to, bytes, batch: batch.message_id });
}

/** Signed and audited too: the file contains account numbers. */
async function makeAgain(
  ctx: OperatorContext,
  { to, messageId }: { to: string; messageId: string },
  act: Act,
) {
  const batch = await findBatch(ctx.db, messageId);
  const bytes = await openFile(ctx.db, ctx.config, batch);
  const view = viewBatch(batch);
  const { done: _, ...report } = await act(async () => ({
    entry: { action: "bank_file_made_again", detail: { batch: view.batch, sha256: view.sha256 } },
    data: { ...view, file: to },
    text: textOf(
      view,
      to,
      `The same file as on ${plain(view.made_at)}: hand it in only if the bank does not have it.`,
    ),
  }));
  return written(ctx.files, report, { to, bytes, batch: messageId });
}

function textOf(view: ReturnType<typeof viewBatch>, to: string, next: string): string {
  return (
    `Bank file ${view.batch}: ${view.payment_count} payments, ${view.total} ${view.currency}, ` +
    `to be paid on ${view.bank_day}.\nSHA-256 ${view.sha256}\n` +
    `It is in ${to}. ${next}`
  );
}

async function written(
  files: ExchangeFiles,
  report: Report,
  { to, bytes, batch }: { to: string; bytes: Buffer; batch: string },
): Promise<Report> {
  try {
    await files.write(to, bytes);
    return report;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const text =
      `The batch ${batch} is made, but ${to} could not be written: ${code ?? message}.\n` +
      `Mend that, then: make-bank-file --batch ${batch} --to <file>`;
    return { data: { ...report.data, file: null }, text, isBad: true };
  }
}
