/**
 * Replaces an account's payment keys, of which its owners are told, or says whether its requests
 * must be signed; audited.
 */

import { recordAudit } from "../../../infra/audit.ts";
import type { Config } from "../../../infra/config.ts";
import type { Tx } from "../../../infra/db/transaction.ts";
import type { Caller } from "../../../infra/http/caller.ts";
import type { Environment } from "../../../kit/vocabulary.ts";
import { holdCredential } from "../../auth/hold-credential.ts";
import { tellOwnersOfCall } from "../../people/tell-owners.ts";
import { type OwnedKeys, replacePaymentKeys, setRequiresSignature } from "./payment-keys.ts";

export async function rotatePaymentKeys(
  tx: Tx,
  config: Config,
  caller: Caller,
  environment: Environment,
): Promise<OwnedKeys> {
  await holdCredential(tx, caller, "read");
  const { accountNumber } = caller;
  const keys = await replacePaymentKeys(tx, config, { accountNumber, environment });
  await recordAudit(tx, caller, "payment_key_rotated", { detail: { environment } });
  const place = environment === "live" ? "live" : "the sandbox";
  await tellOwnersOfCall(config, tx, caller, {
    subject: "The payment keys were replaced",
    what:
      `The payment keys for ${place} were replaced. The old ones no longer work, so the shop ` +
      "needs the new ones.",
  });
  return keys;
}

export async function changeSignatureRule(
  tx: Tx,
  config: Config,
  caller: Caller,
  rule: { readonly environment: Environment; readonly require_signature: boolean },
): Promise<void> {
  await holdCredential(tx, caller, "read");
  const { environment, require_signature } = rule;
  const owner = { accountNumber: caller.accountNumber, environment };
  await setRequiresSignature(tx, config, owner, require_signature);
  await recordAudit(tx, caller, "payment_key_changed", {
    detail: { environment, require_signature },
  });
}
