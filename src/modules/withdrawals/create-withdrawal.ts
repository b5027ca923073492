/**
 * Asks for a withdrawal: one tx settles who is paid, writes the row, tells of it and holds amount
 * and fee (Interface §2.3, Decision 0045). So it is either wholly there and will be ended, or was
 * never asked for. That the money is there is the ledger's word, given under the balance's lock:
 * however many ask at once, no more is held than there is.
 */

import { recordAudit } from "../../infra/audit.ts";
import { now } from "../../infra/db/clock.ts";
import { prepared, sqlOf } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { type Caller, environmentOf } from "../../infra/http/caller.ts";
import { addSeconds } from "../../kit/clock.ts";
import { Forbidden } from "../../kit/errors.ts";
import { newTransactionId } from "../../kit/ids.ts";
import { money } from "../../kit/money.ts";
import { demandStillManages } from "../accounts/managed-account.ts";
import { post } from "../ledger/post.ts";
import { withdrawalRequested } from "../ledger/recipes.ts";
import { withdrawalTermsOf } from "../platforms/limits.ts";
import type { WithdrawalsContext } from "./context.ts";
import { countTowardsDay } from "./daily-limit.ts";
import { tellOfWithdrawal } from "./move-withdrawal.ts";
import { type Payee, settlePayee } from "./payee.ts";
import { sealNumbers } from "./payee-numbers.ts";
import { WITHDRAWAL, WITHDRAWAL_COLUMNS, type WithdrawalRow } from "./withdrawal.ts";
import type { WithdrawalValues } from "./withdrawal-fields.ts";

/** So long its owner can surely still cancel it. */
const LEFT_ALONE_SECONDS = 5;

export async function createWithdrawal(
  ctx: WithdrawalsContext,
  tx: Tx,
  caller: Caller,
  asked: WithdrawalValues,
): Promise<WithdrawalRow> {
  if (asked.withdrawal_type === "normal") await ctx.holdCredential(tx, caller, "read");
  else {
    if (!caller.isMainMerchant) throw new Forbidden("only a main merchant pays others");
    await demandStillManages(ctx, tx, caller);
  }
  const environment = environmentOf(caller, asked.environment);
  await countTowardsDay(ctx, tx, { accountNumber: caller.accountNumber, environment });
  const payee = await settlePayee(ctx, tx, caller, asked);
  const row = await insertWithdrawal(ctx, tx, caller, { asked, payee });
  await ctx.failpoint("create: written");
  await recordAudit(tx, caller, "withdrawal_created", {
    detail: { transaction_id: row.transaction_id },
  });
  await tellOfWithdrawal(tx, row, "withdrawal.pending");
  await ctx.failpoint("create: told");
  await post(tx, {
    postingId: `withdrawal_requested ${row.transaction_id}`,
    environment: row.environment,
    occasion: "withdrawal_requested",
    reference: row.transaction_id,
    transfers: withdrawalRequested({
      accountNumber: row.account_number,
      amount: money(row.currency, row.amount_minor),
      fee: money(row.currency, row.fee_minor),
    }),
  });
  await ctx.failpoint("create: money held");
  return row;
}

async function insertWithdrawal(
  ctx: WithdrawalsContext,
  tx: Tx,
  caller: Caller,
  what: { asked: WithdrawalValues; payee: Payee },
): Promise<WithdrawalRow> {
  const at = await now(tx);
  const { countryCode } = caller;
  const environment = environmentOf(caller, what.asked.environment);
  const transactionId = newTransactionId({ environment, countryCode, at });
  const statement = insertion(ctx, caller, { ...what, environment, transactionId, at });
  return tx.one(prepared("insert-withdrawal", statement));
}

function insertion(
  { config }: WithdrawalsContext,
  { accountNumber, countryCode }: Caller,
  of: {
    asked: WithdrawalValues;
    payee: Payee;
    environment: string;
    transactionId: string;
    at: Date;
  },
) {
  const { asked, payee, transactionId, at } = of;
  const { columns: to } = payee;
  const sealed = sealNumbers(config.wrappingKeys, transactionId, payee.numbers);
  return sqlOf(WITHDRAWAL)`
    insert into withdrawals (transaction_id, account_number, environment, country_code,
      withdrawal_type, currency, amount_minor, fee_minor, data, bank_name,
      bank_account_last_four, bank_account_type, bank_branch, name_in_bank, foreign_bank,
      recipient_name, email, phone, id_type, id_number_last_four, numbers_sealed,
      wrapping_key_id, dispatch_at, created_at, updated_at)
    values (${transactionId}, ${accountNumber}, ${of.environment}, ${countryCode},
      ${asked.withdrawal_type}, ${asked.currency}, ${asked.amount},
      ${withdrawalTermsOf(asked.currency).fee.minor}, ${asked.data}, ${to.bank_name},
      ${to.bank_account_last_four}, ${to.bank_account_type}, ${to.bank_branch},
      ${to.name_in_bank}, ${to.foreign_bank && JSON.stringify(to.foreign_bank)},
      ${to.recipient_name}, ${to.email}, ${to.phone}, ${to.id_type}, ${to.id_number_last_four},
      ${sealed.numbers_sealed}, ${sealed.wrapping_key_id},
      ${addSeconds(at, LEFT_ALONE_SECONDS)}, ${at}, ${at})
    returning ${WITHDRAWAL_COLUMNS}`;
}
