/** Bugs in who sends to which endpoint, and when. */

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of other files

import type { Mutant } from "./mutant.ts";

const WEBHOOKS = "src/modules/webhooks";
const CLAIMS = `${WEBHOOKS}/claim-endpoint.ts`;

export const deliveryMutants: readonly Mutant[] = [
  {
    name: "numbered-out-of-order",
    breaks: "a reader that goes on after the last number sees a refund before its payment",
    change: {
      file: "src/modules/events/number-events.ts",
      find: "over (partition by account_number, environment order by position)",
      replace: "over (partition by account_number, environment order by event_id desc)",
    },
    caughtBy: ["test/events/numbering.test.ts"],
  },
  {
    name: "lost-claim-goes-on",
    breaks: "a process that slept past its lease sends beside the one that took over",
    change: {
      file: CLAIMS,
      find: "join webhook_endpoints as one using (endpoint_id, claim_count) ${NEXT_DUE}",
      replace: "join webhook_endpoints as one using (endpoint_id) ${NEXT_DUE}",
    },
    caughtBy: ["test/webhooks/claims.test.ts"],
  },
  {
    name: "own-endpoint-claimed-again",
    breaks: "a process takes an endpoint that it is sending to, and sends each event twice",
    change: {
      file: CLAIMS,
      find: "and endpoint_id <> all(${except}::uuid[])",
      replace: "and ${except}::uuid[] is not null",
    },
    caughtBy: ["test/webhooks/looks.test.ts"],
  },
  {
    name: "failing-endpoints-take-all-room",
    breaks: "a merchant's dead receivers keep the events of all others waiting",
    change: {
      file: CLAIMS,
      find: "healthy as materialized (${due(IS_HEALTHY, healthy)}),",
      replace: "healthy as materialized (${due(sql`true`, healthy)}),",
    },
    caughtBy: ["test/webhooks/looks.test.ts"],
  },
  {
    name: "backlog-keeps-its-slot",
    breaks: "one endpoint with a backlog holds up all others",
    change: {
      file: CLAIMS,
      find: "greatest(due_at, (select app_now()), case when",
      replace: "greatest(due_at, case when",
    },
    caughtBy: ["test/webhooks/looks.test.ts"],
  },
  {
    name: "drain-not-told",
    breaks: "an event waits until the receiver has answered the one before",
    change: {
      file: `${WEBHOOKS}/drains.ts`,
      find: "drain.poke();",
      replace: "drain.seen();",
    },
    caughtBy: ["test/webhooks/looks.test.ts"],
  },
  {
    name: "hurry-during-a-look-forgotten",
    breaks: "what came during a look waits for the pause",
    change: {
      file: "src/infra/jobs/loop.ts",
      find: "if (!isHurried && !signal.aborted)",
      replace: "if (!signal.aborted)",
    },
    caughtBy: ["test/jobs/loop.test.ts"],
  },
];
