/**
 * Checks the result that a browser brought to `/docs/welcome` as a shop's server would, with the
 * SDK's own verifier (Decision 0106).
 *
 * Only results of sandbox payments that this service knows are checked. Those of live are not: the
 * page would tell strangers whether a guessed signature is right. Why one does not fit is explained
 * only in the development stage: an explanation names what was signed, and takes many digests.
 */

import type { Explanation } from "../../../sdk/src/verify/explanation.ts";
import type { VerifiedRedirect } from "../../../sdk/src/verify/verify-redirect.ts";
import type { Infra } from "../../infra/context.ts";
import { TRANSACTION_ID } from "../../kit/ids.ts";
import { formatMoney, money } from "../../kit/money.ts";
import { paymentKeysOf } from "../../modules/checkout/result/payment-keys.ts";
import { findPaymentsToSign } from "../../modules/checkout/result/result-address.ts";
import { resultParameters } from "../../modules/checkout/result/result-parameters.ts";

export type ResultCheck =
  | { readonly kind: "nothing" | "live" | "refused" | "unknown" }
  | { readonly kind: "verified"; readonly result: VerifiedRedirect }
  | { readonly kind: "wrong"; readonly reason: string; readonly explanation?: Explanation };

export async function checkResult(
  { db, config }: Infra,
  query: URLSearchParams,
): Promise<ResultCheck> {
  const id = query.get("transaction_id") ?? "";
  if (!query.has("status") && id === "") return { kind: "nothing" };
  if (id === "") return { kind: "refused" };
  if (!TRANSACTION_ID.test(id)) return { kind: "unknown" };
  if (!id.startsWith("SB-")) return { kind: "live" };
  const [found] = await findPaymentsToSign(db, [id]);
  if (found === undefined || found instanceof Error) return { kind: "unknown" };
  const { account_number: accountNumber, currency, total_minor } = found.payment;
  const owner = { accountNumber, environment: "sandbox" } as const;
  const keys = await paymentKeysOf(db, config, owner);
  const { signingSecret, hashKey } = keys;
  const requestedTotal = formatMoney(money(currency, total_minor));
  const checks = { signingSecret, hashKey, requestedTotal };
  // Loaded on demand: most processes never check a result.
  const { verifyRedirect } = await import("../../../sdk/src/verify/verify-redirect.ts");
  const { VerificationError } = await import("../../../sdk/src/verify/verification-error.ts");
  try {
    return { kind: "verified", result: await verifyRedirect(query, checks) };
  } catch (error) {
    if (!(error instanceof VerificationError)) throw error;
    if (!config.demoWorld) return { kind: "wrong", reason: error.message };
    const { explainRedirect } = await import("../../../sdk/src/verify/explain-redirect.ts");
    // With what we sent, a changed parameter is found at once.
    const known = Object.fromEntries(resultParameters(found.payment, keys));
    const explanation = await explainRedirect(query, { ...checks, known });
    return { kind: "wrong", reason: explanation.summary, explanation };
  }
}
