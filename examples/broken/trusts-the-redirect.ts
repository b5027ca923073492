/**
 * The mistake: `status=success` in the address is taken for a payment. Anybody can type it.
 */

import { rules, startShop } from "../shop-typescript/shop.ts";

await startShop({
  ...rules,
  async isPaid(address) {
    return new URLSearchParams(address.split("?")[1]).get("status") === "success";
  },
});
