/**
 * The mistake: the webhook is answered when all the work is done: mail, invoice, warehouse. After
 * 15 seconds Windward gives up, counts a failure and sends it again.
 */

import { setTimeout as wait } from "node:timers/promises";
import { rules, startShop } from "../shop-typescript/shop.ts";

const WORK_MS = 30_000;

await startShop({
  ...rules,
  async handle(order, event) {
    await rules.handle(order, event);
    await wait(WORK_MS);
  },
});
