/** What was sent to a webhook endpoint: looking at it, sending it again, test events. */

import type { Tx } from "../../infra/db/transaction.ts";
import type { Answer } from "../../infra/http/answer.ts";
import { oneOf } from "../../kit/fields/choice.ts";
import { optional, readFields } from "../../kit/fields/field.ts";
import { integer } from "../../kit/fields/number.ts";
import { simulateReceiver } from "../../modules/sandbox-controls/simulate-receiver.ts";
import { receiverSimulationFields } from "../../modules/sandbox-controls/simulation-fields.ts";
import { STATES, showDeliveries } from "../../modules/webhooks/delivery.ts";
import {
  browseDeliveries,
  LISTED_MAX,
  readDelivery,
} from "../../modules/webhooks/list-deliveries.ts";
import { replayEvents } from "../../modules/webhooks/replay-events.ts";
import { resendDelivery } from "../../modules/webhooks/resend-delivery.ts";
import { sendTest } from "../../modules/webhooks/send-test.ts";
import { type ConsoleRoute, consoleRoute } from "../console-route.ts";
import type { ConsoleContext } from "../context.ts";
import { idParam } from "../id-param.ts";
import { orRefused } from "../refused.ts";
import type { Visitor } from "../visitor.ts";
import { DELIVERIES_SHOWN } from "./deliveries-panel.ts";
import { deliveryPage } from "./delivery-page.ts";
import { readReplay } from "./endpoint-fields.ts";
import { type EndpointView, endpointPage } from "./endpoint-page.ts";
import { WEBHOOKS } from "./tabs.ts";
import { endpointOf, ONE, ofEndpoint, wantedOf } from "./webhook-routes.ts";

type PageOfState = Pick<EndpointView, "state" | "page">;

async function showEndpoint(
  ctx: ConsoleContext,
  visitor: Visitor,
  params: { readonly id: string },
  { state, page, ...refused }: PageOfState & Pick<EndpointView, "sent" | "refused" | "simulated">,
): Promise<Answer> {
  const row = await endpointOf(ctx, visitor, params);
  const filter = { endpointId: row.endpoint_id, state, since: undefined, until: undefined };
  const asked = { page, page_size: DELIVERIES_SHOWN };
  const { ids, hasOlder } = await browseDeliveries(ctx.db, filter, asked);
  const deliveries = await showDeliveries(ctx.db, ids);
  return endpointPage(visitor, { row, deliveries, state, page, hasOlder, ...refused });
}

const one = consoleRoute({
  ...ofEndpoint,
  method: "GET",
  path: ONE,
  summary: "A webhook endpoint and what was sent to it",
  query: {
    state: optional(oneOf(STATES)),
    page: integer({ min: 1, max: LISTED_MAX, default: 1 }),
  },
  run: (ctx: ConsoleContext, { params, query }, visitor) =>
    showEndpoint(ctx, visitor, params, query),
});

const simulate = consoleRoute({
  ...ofEndpoint,
  method: "POST",
  path: `${ONE}/simulate`,
  summary: "Simulate the receiver of a sandbox endpoint",
  run(ctx: ConsoleContext, { params, texts, once }, visitor): Promise<Answer> {
    const sent = texts();
    return orRefused(
      async () => {
        const wanted = readFields(receiverSimulationFields, sent);
        return once(async (tx) => {
          await simulateReceiver(tx, visitor.caller, { ...wantedOf(visitor, params), ...wanted });
          const done = wanted.seconds === 0 ? "receiver_back" : "receiver";
          return `${WEBHOOKS}/${params.id}?done=${done}`;
        });
      },
      (refused) => {
        const simulated = { sent, refused };
        return showEndpoint(ctx, visitor, params, { state: undefined, page: 1, simulated });
      },
    );
  },
});

const test = consoleRoute({
  ...ofEndpoint,
  method: "POST",
  path: `${ONE}/test`,
  summary: "Send a test event",
  run: (_ctx: ConsoleContext, { params, once }, visitor) =>
    once(async (tx) => {
      await sendTest(tx, visitor.caller, wantedOf(visitor, params));
      return `${WEBHOOKS}/${params.id}?done=tested`;
    }),
});

const ofDelivery = {
  right: ofEndpoint.right,
  params: { ...ofEndpoint.params, delivery: idParam },
} as const;

const delivery = consoleRoute({
  ...ofDelivery,
  method: "GET",
  path: `${ONE}/deliveries/{delivery}`,
  summary: "A delivery",
  async run(ctx: ConsoleContext, { params }, visitor): Promise<Answer> {
    const row = await endpointOf(ctx, visitor, params);
    const wanted = { endpointId: row.endpoint_id, deliveryId: params.delivery };
    return deliveryPage(visitor, row, await readDelivery(ctx.db, wanted));
  },
});

const resend = consoleRoute({
  ...ofDelivery,
  method: "POST",
  path: `${ONE}/deliveries/{delivery}/resend`,
  summary: "Send a delivery again",
  run: (_ctx: ConsoleContext, { params, once }, visitor) =>
    once(async (tx) => {
      const wanted = { ...wantedOf(visitor, params), deliveryId: params.delivery };
      await resendDelivery(tx, visitor.caller, wanted);
      return `${WEBHOOKS}/${params.id}/deliveries/${params.delivery}?done=sent`;
    }),
});

/** One form sends at most this many parts of 2,000 events, in one tx. */
const PARTS_MAX = 5;

const replay = consoleRoute({
  ...ofEndpoint,
  method: "POST",
  path: `${ONE}/replay`,
  summary: "Send again what happened in a span of days",
  run(ctx: ConsoleContext, { params, texts, once }, visitor): Promise<Answer> {
    const sent = texts();
    return orRefused(
      async () => {
        const wanted = readReplay(visitor, sent);
        return once(async (tx) => {
          const word = await replayParts(tx, visitor, params, wanted);
          return `${WEBHOOKS}/${params.id}?done=${word}`;
        });
      },
      (refused) => showEndpoint(ctx, visitor, params, { state: undefined, page: 1, sent, refused }),
    );
  },
});

async function replayParts(
  tx: Tx,
  visitor: Visitor,
  params: { readonly id: string },
  wanted: ReturnType<typeof readReplay>,
): Promise<string> {
  let part = { ...wanted, onlyFailed: wanted.only_failed };
  let count = 0;
  for (let parts = 0; parts < PARTS_MAX; parts++) {
    const done = await replayEvents(tx, visitor.caller, wantedOf(visitor, params), part);
    count += done.queued;
    if (done.next === undefined) return count === 0 ? "replayed_none" : "replayed";
    part = { ...part, ...done.next };
  }
  return "replayed_part";
}

export const deliveryRoutes: readonly ConsoleRoute<ConsoleContext>[] = [
  one,
  test,
  simulate,
  delivery,
  resend,
  replay,
];
