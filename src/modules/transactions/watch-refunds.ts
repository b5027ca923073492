/** How long refunds have been under way. */

import { sqlOf } from "../../infra/db/query.ts";
import { float, word } from "../../infra/db/row.ts";
import { defineWatch } from "../../infra/jobs/watch.ts";
import { ENVIRONMENTS } from "../../kit/vocabulary.ts";
import { ENVIRONMENT_OF_ID } from "./environment-of-id.ts";

const WAITING = { environment: word(...ENVIRONMENTS), seconds: float };

export const watchRefunds = defineWatch({
  what: "refunds",
  gauges: {
    seconds: {
      name: "windward_refunds_oldest_seconds",
      help: "How long the oldest refund that has not ended has been under way, when last looked.",
    },
  },
  labels: ["environment"],
  async read(db) {
    const found = await db.rows(sqlOf(WAITING)`
      select ${ENVIRONMENT_OF_ID} as environment,
        extract(epoch from app_now() - min(created_at))::float8 as seconds
      from refunds where next_try_at is not null group by 1`);
    // 0 where none waits, so that a graph goes on.
    return ENVIRONMENTS.map(
      (environment) =>
        found.find((row) => row.environment === environment) ?? { environment, seconds: 0 },
    );
  },
});
