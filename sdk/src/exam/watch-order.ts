/** Looks at an order by the shop's report until it is as wanted, or long enough. */

import { setTimeout as pause } from "node:timers/promises";
import { ToolError } from "../tool/tool-error.ts";
import type { ExamOrder } from "./orders.ts";
import type { OrderReport, Shop } from "./shop.ts";

/** For a shop that answers first and does its work afterwards, as it should. */
const WAIT_MS = 15_000;
/** Where a case has waited that long already, and in vain. */
const WAIT_AGAIN_MS = 4_000;
const TELL_AFTER_MS = 3_000;
const PAUSE_MS = 150;

/** The last report; undefined when the shop has none, or is too busy to give it. */
export type Watch = (isSo: (report: OrderReport) => boolean) => Promise<OrderReport | undefined>;

/** `onLong` is called once, when the waiting takes a person's patience. */
export function watchOrder(shop: Shop, order: ExamOrder, onLong: () => void): Watch {
  let patienceMs = WAIT_MS;
  let isTold = false;
  return async (isSo) => {
    const began = performance.now();
    for (;;) {
      const report = await reportOf(shop, order);
      if (report === undefined || isSo(report)) return report;
      const waitedMs = performance.now() - began;
      if (waitedMs > patienceMs) {
        patienceMs = WAIT_AGAIN_MS;
        return report;
      }
      if (waitedMs > TELL_AFTER_MS && !isTold) {
        isTold = true;
        onLong();
      }
      await pause(PAUSE_MS);
    }
  };
}

/** A report that fails now has answered before the exam: a busy shop, of which nothing is seen. */
export async function reportOf(shop: Shop, order: ExamOrder): Promise<OrderReport | undefined> {
  try {
    return await shop.report(order.id);
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}
