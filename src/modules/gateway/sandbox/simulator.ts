/**
 * The simulated acquirer, which the sandbox runs on, and live too outside production (Decisions
 * 0030 and 0038). It keeps a journal of its own, in statements of its own: what it has done stays
 * done whatever becomes of the tx or the process that asked.
 */

import type { Infra } from "../../../infra/context.ts";
import type { Gateway } from "../gateway.ts";
import { simulatedRefunds } from "./refunds.ts";
import { simulatedSales } from "./sale.ts";

export function createSimulator(infra: Pick<Infra, "db" | "config">): Gateway {
  return { ...simulatedSales(infra), ...simulatedRefunds(infra.db) };
}
