/** Every command of an operator. One that is not named here does not exist. */

import { audit } from "./audit.ts";
import type { Command } from "./command.ts";
import { confirmFraud } from "./confirm-fraud.ts";
import { endCredentials } from "./end-credentials.ts";
import { endSigningKeys } from "./end-signing-keys.ts";
import { failingWebhooks } from "./failing-webhooks.ts";
import { freezeAccount } from "./freeze-account.ts";
import { listAccounts } from "./list-accounts.ts";
import { mainMerchant } from "./main-merchant.ts";
import { openAccount } from "./open-account.ts";
import { openChargeback } from "./open-chargeback.ts";
import { findPayments } from "./payments/find-payments.ts";
import { peppers } from "./peppers.ts";
import { reconcile } from "./reconcile.ts";
import { reencryptCards } from "./reencrypt-cards.ts";
import { rejectRefund } from "./reject-refund.ts";
import { resetPassword } from "./reset-password.ts";
import { reviveWebhook } from "./revive-webhook.ts";
import { rotateSigningKeys } from "./rotate-signing-keys.ts";
import { settleChargeback } from "./settle-chargeback.ts";
import { showAccount } from "./show-account.ts";
import { showPayment } from "./show-payment.ts";
import { showWebhook } from "./show-webhook.ts";
import { unfreezeAccount } from "./unfreeze-account.ts";
import { v1Callers } from "./v1-callers.ts";
import { verifyAccount } from "./verify-account.ts";
import { bankFiles } from "./withdrawals/bank-files.ts";
import { exportPayouts } from "./withdrawals/export-payouts.ts";
import { failWithdrawal } from "./withdrawals/fail-withdrawal.ts";
import { holdWithdrawal } from "./withdrawals/hold-withdrawal.ts";
import { makeBankFile } from "./withdrawals/make-bank-file.ts";
import { readBankStatus } from "./withdrawals/read-bank-status.ts";
import { releaseWithdrawal } from "./withdrawals/release-withdrawal.ts";
import { showWithdrawal } from "./withdrawals/show-withdrawal.ts";
import { stuckWithdrawals } from "./withdrawals/stuck-withdrawals.ts";

export const COMMANDS: readonly Command[] = [
  showAccount,
  listAccounts,
  showPayment,
  findPayments,
  showWithdrawal,
  stuckWithdrawals,
  bankFiles,
  exportPayouts,
  audit,
  failingWebhooks,
  showWebhook,
  v1Callers,
  peppers,
  reconcile,
  openAccount,
  verifyAccount,
  mainMerchant,
  freezeAccount,
  unfreezeAccount,
  resetPassword,
  endCredentials,
  rejectRefund,
  openChargeback,
  settleChargeback,
  confirmFraud,
  holdWithdrawal,
  releaseWithdrawal,
  failWithdrawal,
  makeBankFile,
  readBankStatus,
  reviveWebhook,
  rotateSigningKeys,
  endSigningKeys,
  reencryptCards,
];
