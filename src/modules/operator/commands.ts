/** Every command of an operator. One that is not named here does not exist. */

import { audit } from "./audit.ts";
import type { Command } from "./command.ts";
import { confirmFraud } from "./confirm-fraud.ts";
import { freezeAccount } from "./freeze-account.ts";
import { mainMerchant } from "./main-merchant.ts";
import { openAccount } from "./open-account.ts";
import { openChargeback } from "./open-chargeback.ts";
import { reconcile } from "./reconcile.ts";
import { reencryptCards } from "./reencrypt-cards.ts";
import { rejectRefund } from "./reject-refund.ts";
import { rotateSigningKeys } from "./rotate-signing-keys.ts";
import { settleChargeback } from "./settle-chargeback.ts";
import { showAccount } from "./show-account.ts";
import { showPayment } from "./show-payment.ts";
import { unfreezeAccount } from "./unfreeze-account.ts";
import { verifyAccount } from "./verify-account.ts";

export const COMMANDS: readonly Command[] = [
  showAccount,
  showPayment,
  audit,
  reconcile,
  openAccount,
  verifyAccount,
  mainMerchant,
  freezeAccount,
  unfreezeAccount,
  rejectRefund,
  openChargeback,
  settleChargeback,
  confirmFraud,
  rotateSigningKeys,
  reencryptCards,
];
