/**
 * The mistake: the shop listens for payments only. The money goes back, the order stays paid, and
 * what was refunded before it was shipped is shipped all the same.
 */

import { rules, startShop } from "../shop-typescript/shop.ts";

await startShop({
  ...rules,
  async handle(order, event) {
    if (!event.event.startsWith("payment.refund")) await rules.handle(order, event);
  },
});
