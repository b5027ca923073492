/**
 * The mistake: a framework parses the body, and the signature is checked over what the shop writes
 * of it anew. JSON has many ways to write the same, so good webhooks are refused.
 */

import { rules, startShop } from "../shop-typescript/shop.ts";

await startShop({
  ...rules,
  readWebhook(body, headers) {
    return rules.readWebhook(Buffer.from(JSON.stringify(JSON.parse(String(body)))), headers);
  },
});
