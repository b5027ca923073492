/**
 * Opens a payment with a saved card (Interface §4.5, Decision 0042): the same request, order and
 * session as any payment, and beside it which card is charged.
 */

import { now } from "../../infra/db/clock.ts";
import { type Queryable, sql } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { Caller } from "../../infra/http/caller.ts";
import { fixedRefusal } from "../../kit/errors.ts";
import { money } from "../../kit/money.ts";
import { holdCredential } from "../auth/hold-credential.ts";
import { hasExpired } from "../checkout/form/card-fields.ts";
import type { OpenerContext } from "../checkout/request/checkout-opener.ts";
import { openCheckout } from "../checkout/request/known-orders.ts";
import { EmailIsTheMerchants } from "../checkout/request/merchants.ts";
import type { OpenedCheckout } from "../checkout/request/open-checkouts.ts";
import type { PaymentRequest } from "../checkout/request/payment-request.ts";
import type { FieldRules } from "../checkout/request/request-fields.ts";
import { type ChargeValues, responseUrlFor } from "./request-fields.ts";
import { type CardRow, findCard, holdCard, type WantedCard } from "./trusted-card.ts";

/** On the record of such a payment. */
const METHOD = "trusted_card";

class CardNotVerified extends fixedRefusal("card_not_verified") {}

class CardExpired extends fixedRefusal("card_expired") {}

class NoLiveGateway extends fixedRefusal("no_live_gateway", {
  message: "Live cards cannot be charged: no live gateway is configured.",
}) {}

/** Why a card that is there cannot be charged. */
export const CARD_REFUSALS = [new CardNotVerified(), new CardExpired(), new NoLiveGateway()];

/** Before anything is written: what can be judged from reading. */
export async function readyCharge(
  ctx: OpenerContext,
  { accountNumber, countryCode }: Caller,
  { wanted, values, rules }: { wanted: WantedCard; values: ChargeValues; rules: FieldRules },
): Promise<PaymentRequest> {
  const card = await findCard(ctx.db, wanted);
  await demandChargeable(ctx, ctx.db, card);
  const { environment } = card;
  const responseUrl = responseUrlFor(rules, environment, values);
  const { email, own } = await ctx.opener.findMerchant({ accountNumber, environment, countryCode });
  if (email === values.email) throw new EmailIsTheMerchants();
  return {
    purpose: "charge",
    transaction: {
      accountNumber,
      environment,
      countryCode,
      total: money(values.currency, values.total),
      own,
      feeStructure: values.fee_structure,
      orderId: values.order_id,
      checkoutMethod: METHOD,
      origin: values.origin ?? null,
      customer: values.email === undefined ? {} : { email: values.email },
      details: { data: values.data },
    },
    email: values.email,
    responseUrl,
    isAvs: false,
    cardType: undefined,
    words: { card_uuid: card.card_uuid, ...values },
  };
}

/** The card's row is locked after the session's, as everywhere. */
export async function chargeCard(
  ctx: OpenerContext,
  tx: Tx,
  caller: Caller,
  { wanted, request }: { wanted: WantedCard; request: PaymentRequest },
): Promise<OpenedCheckout> {
  await holdCredential(tx, caller, "read");
  const opened = await openCheckout(ctx, tx, request);
  const card = await holdCard(tx, wanted);
  await demandChargeable(ctx, tx, card);
  await tx.run(sql`
    insert into card_charges (transaction_id, card_uuid)
    values (${opened.transactionId}, ${card.card_uuid})
    on conflict do nothing`);
  return opened;
}

async function demandChargeable(
  ctx: Pick<OpenerContext, "gateways">,
  db: Queryable,
  card: CardRow,
): Promise<void> {
  if (card.state !== "verified") throw new CardNotVerified();
  const expiry = { month: card.exp_month, year: card.exp_year };
  if (hasExpired(expiry, await now(db))) throw new CardExpired();
  if (ctx.gateways[card.environment] === undefined) throw new NoLiveGateway();
}
