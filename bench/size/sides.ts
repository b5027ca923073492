/**
 * The two sides of a comparison: a service on a nearly empty database, and one on a full one. Both
 * have as many callers, who do the same.
 *
 * With one merchant, all requests and every second checkout are that merchant's, who has no
 * endpoint: one takes 20 deliveries a second at most. With many, callers are spread over 200. Those
 * who get webhooks only sell; those whose orders stay unpaid get none.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { openDatabase } from "../../src/infra/db/database.ts";
import { createLog } from "../../src/infra/log.ts";
import { makeMerchants } from "../../testkit/books.ts";
import { type Running, start } from "../../testkit/processes.ts";
import { giveEndpoints } from "../scenes/webhooks.ts";
import { type ConsoleTab, openConsole } from "../support/console-tab.ts";
import { onItsOwn, type Stage } from "../support/stage.ts";
import { DEMO_MERCHANT, type FilledSize, fillSize } from "./fill-size.ts";
import { holdHourlyJobs } from "./hourly-jobs.ts";
import type { Size } from "./payment-rows.ts";

const CALLERS = 200;
/** So that its pages show as many rows as those of the large ones. */
const NEARLY_EMPTY: Size = { merchants: 1, paymentsEach: 500 };
/** What a fill left to be written would else be written meanwhile. */
const SETTLE_MS = 3_000;

export interface Side {
  readonly filled: FilledSize;
  readonly service: Running;
  readonly database: URL;
  readonly key: string;
  readonly tab: ConsoleTab;
  /** Whose orders stay unpaid. */
  readonly askers: readonly string[];
  /** Who sell, by turns. */
  readonly sellers: readonly string[];
}

export interface Sides {
  readonly empty: Side;
  readonly full: Side;
}

interface Setting {
  readonly size: Size;
  /** Where webhooks go. */
  readonly receiver: string;
  tell(line: string): void;
}

/** Each on a database of its own, which is gone afterwards. */
export function withSides<T>(
  stage: Stage,
  { size, ...setting }: Setting,
  use: (sides: Sides) => Promise<T>,
): Promise<T> {
  const isOfOne = size.merchants === 1;
  return withSide(stage, "size_empty", { ...setting, size: NEARLY_EMPTY, isOfOne }, (empty) =>
    withSide(stage, "size_full", { ...setting, size, isOfOne }, (full) => use({ empty, full })),
  );
}

function withSide<T>(
  stage: Stage,
  name: string,
  { size, receiver, tell, isOfOne }: Setting & { readonly isOfOne: boolean },
  use: (side: Side) => Promise<T>,
): Promise<T> {
  return onItsOwn(stage, name, async ({ service: first, settings, key }) => {
    // It has made the schema and the demo world; its jobs would count what is being filled in.
    await first.stop();
    const database = new URL(settings.DATABASE_URL ?? "");
    await holdHourlyJobs(database);
    const filled = await fillSize(database, size, tell);
    const callers = await makeCallers(database, { filled, receiver, isOfOne });
    const service = await start({ settings });
    try {
      await sleep(SETTLE_MS);
      const tab = await openConsole(service.url, "sandbox");
      return await use({ filled, service, database, key, tab, ...callers }).finally(tab.close);
    } finally {
      await service.stop();
    }
  });
}

async function makeCallers(
  database: URL,
  how: { filled: FilledSize; receiver: string; isOfOne: boolean },
): Promise<Pick<Side, "askers" | "sellers">> {
  const { filled, receiver, isOfOne } = how;
  const log = createLog({ level: "warn" });
  const db = openDatabase({ url: database.href, connectionsMax: 1, log });
  try {
    const known = filled.others.slice(0, 2 * CALLERS);
    const made = await makeMerchants(db, 2 * CALLERS - known.length);
    const all = [...known, ...made];
    const sellers = all.slice(0, CALLERS);
    await giveEndpoints(db, receiver, { merchants: sellers, environment: "sandbox" });
    if (!isOfOne) return { sellers, askers: all.slice(CALLERS) };
    return {
      sellers: sellers.flatMap((one) => [DEMO_MERCHANT, one]),
      askers: [DEMO_MERCHANT],
    };
  } finally {
    await db.close();
  }
}
