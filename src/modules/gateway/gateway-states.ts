/** How the gateways are, as `/readyz` says it: payments wait for one that is down, nothing else. */

import { wordSchema } from "../../kit/response-schema.ts";
import { Type } from "../../kit/schema.ts";
import { ENVIRONMENTS } from "../../kit/vocabulary.ts";
import type { GatewayContext } from "./port.ts";

const STATES = ["up", "down", "none"] as const;

const stateOf = (environment: string) =>
  wordSchema(STATES, `Of ${environment} payments; \`none\`: not configured.`);

export const gatewayStates = {
  fields: {
    gateways: Type.Object(Object.fromEntries(ENVIRONMENTS.map((one) => [one, stateOf(one)])), {
      description: "Whether the card acquirers answer. It is ready without them, too.",
    }),
  },
  example: { gateways: { live: "up", sandbox: "up" } },
  read: ({ gateways }: GatewayContext) => ({
    gateways: Object.fromEntries(
      ENVIRONMENTS.map((one) => [one, gateways[one]?.state() ?? "none"]),
    ),
  }),
};
