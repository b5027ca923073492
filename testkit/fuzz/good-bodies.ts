/**
 * Bodies, by route, whose fields go together in a way that their schemas do not tell. Names in
 * braces stand for what exists.
 */

import { newAccount } from "../accounts.ts";
import { GOOD } from "../banks.ts";
import { CARDS } from "../checkout-sessions.ts";
import { minimal } from "../payment-requests.ts";
import { newCharge } from "../trusted-cards.ts";
import { SUB_BANKED, SUB_UNBANKED } from "../withdrawals.ts";

const payment = { ...minimal("{account_number}"), order_id: "{order_id}" };
const link = { title: "Classes", currency: "TTD", amount: "50.00", fee_structure: "customer_pay" };
const cardOf = (number: string) => ({
  ...{ form_token: "{form_token}", number: number.replaceAll(" ", ""), expiry: "12/39" },
  ...{ cvv: "739", holder: "Anika Mohammed", attempts: "0" },
});

const account = newAccount({ email: "{new_email}" });

export const GOOD_BODIES: Readonly<Record<string, readonly Record<string, unknown>[]>> = {
  "POST /plugins/payments/request": [payment, { ...payment, environment: "live" }],
  "POST /checkout/{token}": [cardOf(CARDS.approved), cardOf(CARDS.asked)],
  "POST /accounts": [account],
  "POST /accounts/create": [account],
  "POST /payment-links": [
    { ...link, environment: "sandbox" },
    { ...link, environment: "live" },
  ],
  "POST /trusted-cards/{uuid}/charge": [newCharge()],
  "POST /sandbox/transactions/{transaction_id}/simulate": [
    { outcome: "chargeback_pending" },
    { outcome: "fraud_confirmed" },
    { outcome: "approve" },
  ],
  "POST /sandbox/withdrawals/{transaction_id}/simulate": [
    { outcome: "hold" },
    { outcome: "process" },
  ],
  "POST /console/payments/filters": [{ name: "Mine" }],
  "POST /console/payments/filters/remove": [{ name: "Mine" }],
  "POST /console/account": [{ account_number: "{account_number}" }],
  "POST /console/links/new": [link],
  "POST /console/withdrawals/pay": [{ ...SUB_UNBANKED, ...SUB_BANKED }],
  "POST /console/withdrawals/banks/local": [GOOD.local],
  "POST /console/withdrawals/banks/foreign": [GOOD.foreign],
  "POST /user/banks/{type}": [GOOD.local, GOOD.foreign],
  "PATCH /user/banks/{type}": [GOOD.local, GOOD.foreign],
};
