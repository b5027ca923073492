/** A payment request that has been read: what is to be recorded, and what tells it apart. */

import type { Config } from "../../../infra/config.ts";
import type { CardNetwork } from "../../../kit/card-network.ts";
import { money } from "../../../kit/money.ts";
import { derivedKey, keyedDigest } from "../../../kit/secrets.ts";
import type { NewTransaction } from "../../transactions/record-transaction.ts";
import { CUSTOMER_FIELDS, type Customer } from "../../transactions/transaction.ts";
import type { PurposeName } from "../session/purpose.ts";
import type { RequestValues } from "./request-fields.ts";

export interface PaymentRequest {
  readonly purpose: Extract<PurposeName, "payment" | "charge">;
  readonly transaction: NewTransaction;
  /** The customer's, for the rule that it is not the merchant's; absent, the page asks for it. */
  readonly email: string | undefined;
  readonly responseUrl: string;
  readonly isAvs: boolean;
  readonly cardType: CardNetwork | undefined;
  /** The same for every spelling of the same request; under each pepper, the current one first. */
  readonly digests: readonly Buffer[];
}

export function paymentRequestOf(
  { tokenPeppers }: Pick<Config, "tokenPeppers">,
  values: RequestValues,
): PaymentRequest {
  // The digest covers the request without its signature: a shop that starts to sign, or signs with
  // a new secret, asks for the same payment, and the digests of open payments must not change.
  const { signature: _, ...asked } = values;
  return {
    purpose: "payment",
    transaction: {
      accountNumber: values.account_number,
      environment: values.environment,
      countryCode: values.country_code,
      total: money(values.currency, values.total),
      feeStructure: values.fee_structure,
      orderId: values.order_id,
      checkoutMethod: values.method,
      origin: values.origin,
      customer: customerOf(values),
      passThrough: values.data,
    },
    email: values.email,
    responseUrl: values.response_url,
    isAvs: values.avs,
    cardType: values.card_type,
    digests: requestDigests({ tokenPeppers }, Object.values(asked)),
  };
}

/** With a key: a request may hold an address, and a plain digest of that can be guessed at. */
export function requestDigests(
  { tokenPeppers }: Pick<Config, "tokenPeppers">,
  values: readonly unknown[],
): Buffer[] {
  const canonical = JSON.stringify(values.map((value) => String(value ?? "")));
  return tokenPeppers.all.map((pepper) =>
    keyedDigest(derivedKey(pepper, "payment request"), canonical),
  );
}

function customerOf(values: RequestValues): Customer {
  const { fname, lname } = values.fname === undefined ? splitName(values.name) : values;
  const known = { ...values, fname, lname };
  const given = CUSTOMER_FIELDS.filter((name) => known[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, known[name]]));
}

/** At the last space; one word alone is the first name. */
function splitName(name: string | undefined): { fname?: string; lname?: string } {
  const whole = name?.trim() ?? "";
  const at = whole.lastIndexOf(" ");
  if (whole === "") return {};
  if (at === -1) return { fname: whole };
  return { fname: whole.slice(0, at).trimEnd(), lname: whole.slice(at + 1) };
}
