/**
 * The mistake: every `payment.success` ships. A webhook is sent again until it is acknowledged, so
 * the same one may come twice, and the result in the browser has already shipped.
 */

import { rules, startShop } from "../shop-typescript/shop.ts";

await startShop({
  ...rules,
  async handle(order, event) {
    const mayShip = order.state === "unpaid" || order.state === "paid";
    if (event.event !== "payment.success") return rules.handle(order, event);
    if (!mayShip || event.data.transaction_id !== order.transactionId) return;
    order.state = "paid";
    order.shipped += 1;
  },
});
