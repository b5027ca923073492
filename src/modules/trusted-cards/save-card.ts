/**
 * Opens a page at which a customer saves a card (Interface §4.5, Decision 0042), under the same
 * conditions as a payment; its session charges the small amount that proves the card.
 */

import type { Tx } from "../../infra/db/transaction.ts";
import { type Caller, environmentOf } from "../../infra/http/caller.ts";
import { holdCredential } from "../auth/hold-credential.ts";
import type { OpenerContext } from "../checkout/request/checkout-opener.ts";
import type { OpenedCheckout } from "../checkout/request/open-checkouts.ts";
import type { FieldRules } from "../checkout/request/request-fields.ts";
import { type NewCheck, openCheck } from "./card-check.ts";
import { responseUrlFor, type SaveValues } from "./request-fields.ts";

/** Before anything is written: what can be judged from reading. */
export async function readySave(
  { opener }: OpenerContext,
  caller: Caller,
  { values, rules }: { values: SaveValues; rules: FieldRules },
): Promise<NewCheck> {
  const { accountNumber, countryCode } = caller;
  const environment = environmentOf(caller, values.environment);
  const responseUrl = responseUrlFor(rules, environment, values);
  await opener.findMerchant({ accountNumber, environment, countryCode });
  return { accountNumber, environment, countryCode, responseUrl, passThrough: values.data };
}

export async function saveCard(
  { config }: OpenerContext,
  tx: Tx,
  caller: Caller,
  check: NewCheck,
): Promise<OpenedCheckout> {
  await holdCredential(tx, caller, "read");
  return openCheck(config, tx, check);
}
