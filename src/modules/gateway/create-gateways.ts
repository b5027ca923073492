/** Chooses the adapter of each environment. */

import type { Infra } from "../../infra/context.ts";
import type { Gateways } from "./port.ts";
import { createSimulator } from "./sandbox/simulator.ts";

export function createGateways(infra: Pick<Infra, "db" | "config">): Gateways {
  const simulator = createSimulator(infra);
  return {
    sandbox: simulator,
    live: infra.config.liveGateway === "simulator" ? simulator : undefined,
  };
}
