/**
 * The mistake: the signature is checked, and nothing else. It says that Windward said this, not
 * that it is about the payment that the shop requested: somebody may have requested another one
 * under the same order id, for less.
 */

import { verifyRedirect } from "@windward/sdk";
import { rules, startShop } from "../shop-typescript/shop.ts";

const signingSecret = process.env.WINDWARD_SIGNING_SECRET ?? "sandbox-signing-secret";

await startShop({
  ...rules,
  async isPaid(address) {
    return (await verifyRedirect(address, { signingSecret })).status === "success";
  },
});
