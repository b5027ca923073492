/** An operator sets the limits and fees of a shop, and the shop sees them. */

import { operatorJson, SIGNED } from "../../testkit/operator.ts";
import { minimal } from "../../testkit/payment-requests.ts";
import type { TestService } from "../../testkit/service.ts";
import type { Shop } from "../../testkit/transactions.ts";

export function ownTermsOn(service: TestService) {
  return {
    setLimits: ({ accountNumber }: Shop, ...given: string[]) =>
      operatorJson(service, ["set-limits", accountNumber, ...given, ...SIGNED]),
    setFees: ({ accountNumber }: Shop, ...given: string[]) =>
      operatorJson(service, ["set-fees", accountNumber, ...given, ...SIGNED]),
    meta: async ({ token }: Shop) =>
      (await service.request("/transactions/meta", { token })).body.data.totals,
    fees: ({ token }: Shop, amount: string, structure = "customer_pay", currency = "TTD") =>
      service.request(
        `/transactions/fees?fee_structure=${structure}&currency=${currency}&amount=${amount}`,
        { token },
      ),
  };
}

export const request = (shop: Shop, fields = {}) => minimal(shop.accountNumber, fields);
