/** Webhook endpoints: one of its own, whose receiver is simulated, and removed afterwards. */

import { randomUUID } from "node:crypto";
import { wait } from "../../wait.ts";
import { simulate } from "../simulate.ts";
import { ToolError } from "../tool-error.ts";
import { moveClock, type Recipe, type TriggerContext } from "./trigger-context.ts";

/** A warning comes after a day of failures. */
const DAY_SECONDS = 86_400;
/** Beyond the move of the clock, so that the next try, which brings the warning, fails as well. */
const SIMULATED_SECONDS = DAY_SECONDS + 600;
const TRIED_WITHIN_MS = 15_000;
const POLL_MS = 300;

/**
 * An address that every service takes which is not reached by https, whatever its own is. It is
 * not called: the receiver is simulated until the endpoint is removed.
 */
const PLACEHOLDER = "http://localhost:3000";

async function make({ api, note, url }: TriggerContext): Promise<string> {
  const { data } = await api.call("POST", "/webhooks", {
    body: {
      environment: "sandbox",
      url: `${url.startsWith("https:") ? url : PLACEHOLDER}/docs/${randomUUID()}`,
      events: ["webhook.test"],
      description: "windward trigger",
    },
  });
  note(`Webhook ${data.id} is made; it is removed afterwards.`);
  return data.id;
}

const receiver = (outcome: string) => (ctx: TriggerContext, id: string) =>
  simulate(ctx.api, { kind: "webhooks", id, outcome, seconds: SIMULATED_SECONDS });

function test({ api }: TriggerContext, id: string) {
  return api.call("POST", "/webhooks/{id}/test", { path: { id } });
}

async function failForADay(ctx: TriggerContext, id: string): Promise<void> {
  await receiver("error")(ctx, id);
  await test(ctx, id);
  await untilTried(ctx, id);
  ctx.note(
    "The sandbox's clock is moved by a day: the warning comes after a day of failures. The " +
      "simulated receiver fails for ten minutes more.",
  );
  await moveClock(ctx, DAY_SECONDS + 60);
}

async function untilTried({ api }: TriggerContext, id: string): Promise<void> {
  for (const began = performance.now(); ; await wait(POLL_MS)) {
    const { data } = await api.call("GET", "/webhooks/{id}/deliveries", { path: { id } });
    if (data[0]?.attempts.some((each: { duration_ms: unknown }) => each.duration_ms !== null))
      return;
    if (performance.now() - began > TRIED_WITHIN_MS)
      throw new ToolError("The test event was not delivered in time.", "Try again.");
  }
}

const remove = ({ api }: TriggerContext, id: string) =>
  api.call("DELETE", "/webhooks/{id}", { path: { id } });

export const ENDPOINT_RECIPES: Readonly<Record<string, Recipe>> = {
  "webhook.test": {
    make: async (ctx) => {
      const id = await make(ctx);
      await receiver("ok")(ctx, id);
      return id;
    },
    force: test,
    after: remove,
  },
  "webhook.failing": { make, force: failForADay, after: remove },
  "webhook.disabled": {
    make,
    force: async (ctx, id) => {
      await receiver("gone")(ctx, id);
      await test(ctx, id);
    },
    after: remove,
  },
};
