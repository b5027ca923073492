/**
 * Chooses who serves each environment: the sandbox always the simulator, live the configured
 * gateway, if any.
 */

import type { Infra } from "../../infra/context.ts";
import type { GatewayName, Gateways } from "./port.ts";
import { createPowertranz } from "./powertranz/powertranz.ts";
import { createRouter } from "./route-orders.ts";
import { createSimulator } from "./sandbox/simulator.ts";
import { traced } from "./traced-gateway.ts";

export function createGateways(infra: Pick<Infra, "db" | "config" | "log">): Gateways {
  const sandbox = traced(createSimulator(infra));
  const { liveGateway, powertranz } = infra.config;
  if (liveGateway !== "powertranz")
    return { sandbox, live: liveGateway === "simulator" ? sandbox : undefined };
  if (powertranz === undefined) throw new Error("PowerTranz has no settings");
  const name: GatewayName = "powertranz";
  const adapters = new Map([[name, createPowertranz(infra, powertranz)]]);
  return { sandbox, live: traced(createRouter(infra.db, adapters, name)) };
}
