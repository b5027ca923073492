/** Every operator command, in the order of the help. */

import { endCredentials } from "./accounts/end-credentials.ts";
import { endSessions } from "./accounts/end-sessions.ts";
import { freezeAccount } from "./accounts/freeze-account.ts";
import { listAccounts } from "./accounts/list-accounts.ts";
import { mainMerchant } from "./accounts/main-merchant.ts";
import { openAccount } from "./accounts/open-account.ts";
import { resetPassword } from "./accounts/reset-password.ts";
import { setFees } from "./accounts/set-fees.ts";
import { setLimits } from "./accounts/set-limits.ts";
import { showAccount } from "./accounts/show-account.ts";
import { unfreezeAccount } from "./accounts/unfreeze-account.ts";
import { v1Callers } from "./accounts/v1-callers.ts";
import { verifyAccount } from "./accounts/verify-account.ts";
import { approvals } from "./approvals/approvals.ts";
import { approve } from "./approvals/approve.ts";
import { reject } from "./approvals/reject.ts";
import { audit } from "./audit.ts";
import type { Command } from "./command.ts";
import { find } from "./find/find.ts";
import { showRequest } from "./find/show-request.ts";
import { checkGateway } from "./gateway/check-gateway.ts";
import { gatewayRoutes } from "./gateway/gateway-routes.ts";
import { routeGateway } from "./gateway/route-gateway.ts";
import { jobs } from "./jobs.ts";
import { endSigningKeys } from "./keys/end-signing-keys.ts";
import { peppers } from "./keys/peppers.ts";
import { reencryptCards } from "./keys/reencrypt-cards.ts";
import { rotateSigningKeys } from "./keys/rotate-signing-keys.ts";
import { addOperator } from "./operators/add-operator.ts";
import { changeOperator } from "./operators/change-operator.ts";
import { listOperators } from "./operators/list-operators.ts";
import { removeOperator } from "./operators/remove-operator.ts";
import { confirmFraud } from "./payments/confirm-fraud.ts";
import { disputes } from "./payments/disputes.ts";
import { findPayments } from "./payments/find-payments.ts";
import { openChargeback } from "./payments/open-chargeback.ts";
import { refundPayment } from "./payments/refund-payment.ts";
import { rejectRefund } from "./payments/reject-refund.ts";
import { settleChargeback } from "./payments/settle-chargeback.ts";
import { showPayment } from "./payments/show-payment.ts";
import { voidPayment } from "./payments/void-payment.ts";
import { eraseCustomerData } from "./privacy/erase-customer-data.ts";
import { exportCustomerData } from "./privacy/export-customer-data.ts";
import { reconcile } from "./reconcile.ts";
import { reconciliation } from "./reconciliation.ts";
import { retryJobs } from "./retry-jobs.ts";
import { importSettlement } from "./settlement/import-settlement.ts";
import { settlements } from "./settlement/settlements.ts";
import { waiting } from "./waiting/waiting.ts";
import { failingWebhooks } from "./webhooks/failing-webhooks.ts";
import { reviveWebhook } from "./webhooks/revive-webhook.ts";
import { showWebhook } from "./webhooks/show-webhook.ts";
import { bankFiles } from "./withdrawals/bank-files.ts";
import { exportPayouts } from "./withdrawals/export-payouts.ts";
import { failWithdrawal } from "./withdrawals/fail-withdrawal.ts";
import { holdWithdrawal } from "./withdrawals/hold-withdrawal.ts";
import { makeBankFile } from "./withdrawals/make-bank-file.ts";
import { readBankStatus } from "./withdrawals/read-bank-status.ts";
import { releaseWithdrawal } from "./withdrawals/release-withdrawal.ts";
import { returnWithdrawal } from "./withdrawals/return-withdrawal.ts";
import { showWithdrawal } from "./withdrawals/show-withdrawal.ts";
import { stuckWithdrawals } from "./withdrawals/stuck-withdrawals.ts";

export const COMMANDS: readonly Command[] = [
  find,
  showAccount,
  listAccounts,
  showPayment,
  findPayments,
  disputes,
  showWithdrawal,
  stuckWithdrawals,
  bankFiles,
  exportPayouts,
  settlements,
  gatewayRoutes,
  checkGateway,
  jobs,
  audit,
  waiting,
  approvals,
  listOperators,
  failingWebhooks,
  showWebhook,
  showRequest,
  v1Callers,
  peppers,
  reconciliation,
  reconcile,
  openAccount,
  verifyAccount,
  mainMerchant,
  setLimits,
  setFees,
  freezeAccount,
  unfreezeAccount,
  resetPassword,
  endSessions,
  endCredentials,
  voidPayment,
  refundPayment,
  rejectRefund,
  openChargeback,
  settleChargeback,
  confirmFraud,
  holdWithdrawal,
  releaseWithdrawal,
  failWithdrawal,
  returnWithdrawal,
  makeBankFile,
  readBankStatus,
  importSettlement,
  routeGateway,
  reviveWebhook,
  retryJobs,
  approve,
  reject,
  addOperator,
  changeOperator,
  removeOperator,
  rotateSigningKeys,
  endSigningKeys,
  reencryptCards,
  exportCustomerData,
  eraseCustomerData,
];
