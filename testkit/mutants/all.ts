/** Every bug that the tests are asked to find: `npm run mutants`. */

import { acquirerMutants } from "./acquirer.ts";
import { authMutants } from "./auth.ts";
import { checkoutMutants } from "./checkout.ts";
import { consoleMutants } from "./console.ts";
import { deliveryMutants } from "./deliveries.ts";
import { httpMutants } from "./http.ts";
import { ledgerMutants } from "./ledger.ts";
import { mailMutants } from "./mail.ts";
import { moneyOutMutants } from "./money-out.ts";
import type { Mutant } from "./mutant.ts";
import { operatorMutants } from "./operator.ts";
import { operatorConsoleMutants } from "./operator-console.ts";
import { ownTermsMutants } from "./own-terms.ts";
import { paymentLinkMutants } from "./payment-links.ts";
import { paymentRequestMutants } from "./payment-requests.ts";
import { paymentMutants } from "./payments.ts";
import { peopleMutants } from "./people.ts";
import { privacyMutants } from "./privacy.ts";
import { requestLogMutants } from "./request-log.ts";
import { sandboxMutants } from "./sandbox.ts";
import { sdkPhpMutants } from "./sdk-php.ts";
import { secondFactorMutants } from "./second-factors.ts";
import { settlementMutants } from "./settlement.ts";
import { standbyMutants } from "./standby.ts";
import { statementMutants } from "./statements.ts";
import { toolMutants } from "./tool.ts";
import { webhookMutants } from "./webhooks.ts";

export const MUTANTS: readonly Mutant[] = [
  ...ledgerMutants,
  ...paymentMutants,
  ...paymentRequestMutants,
  ...paymentLinkMutants,
  ...checkoutMutants,
  ...moneyOutMutants,
  ...acquirerMutants,
  ...settlementMutants,
  ...statementMutants,
  ...standbyMutants,
  ...authMutants,
  ...webhookMutants,
  ...deliveryMutants,
  ...mailMutants,
  ...requestLogMutants,
  ...httpMutants,
  ...operatorMutants,
  ...operatorConsoleMutants,
  ...ownTermsMutants,
  ...secondFactorMutants,
  ...consoleMutants,
  ...peopleMutants,
  ...sdkPhpMutants,
  ...privacyMutants,
  ...sandboxMutants,
  ...toolMutants,
];
