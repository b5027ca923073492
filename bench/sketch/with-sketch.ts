/**
 * The limit of today's tables: what would be left if no rule cost anything. A sketch commits the
 * rows of payments in groups, with all their indexes, and checks nothing. Ours against it says what
 * the rules cost; it against pgbench, what the tables do.
 *
 * Its rows are those of real payments, which the service writes before it on the same database. So
 * a change of the tables changes the sketch. Then the service ends, and foreign keys, checks and
 * triggers are removed; whatever is unique stays so. What a transaction removes again it leaves.
 */

import pg from "pg";
import { openDatabase } from "../../src/infra/db/database.ts";
import { createLog } from "../../src/infra/log.ts";
import { type Sketch, startSketch } from "../peers/start-sketch.ts";
import { makeEndpoints } from "../scenes/webhooks.ts";
import { askForOrder, payOrder } from "../support/check-out.ts";
import { openConnection } from "../support/connection.ts";
import { ORDER } from "../support/open-checkout.ts";
import { onItsOwn, type Stage } from "../support/stage.ts";
import { planOf } from "./plan.ts";
import { readColumns, removeRules } from "./read-columns.ts";
import { type SeenRow, watchRows } from "./watch-rows.ts";

/** The first makes what all later ones change, such as balances, and is not counted. */
const PAYMENTS = 4;

export interface SketchOf {
  readonly name: string;
  /** Then it is paid as well, and both events are sent there. */
  readonly receiver?: string;
}

/** Its address takes what the service takes. */
export interface RunningSketch extends Sketch {
  /** What it writes to, for somebody who looks. */
  readonly db: pg.Client;
}

/** For as long as it is used. */
export function withSketch<T>(
  stage: Pick<Stage, "settings">,
  { name, receiver }: SketchOf,
  use: (sketch: RunningSketch) => Promise<T>,
): Promise<T> {
  return onItsOwn(stage, name, async (own) => {
    const database = own.settings.DATABASE_URL ?? "";
    const db = new pg.Client({ connectionString: database, application_name: "bench" });
    await db.connect();
    try {
      const observed = await observe(db, own, receiver);
      await own.service.stop();
      await removeRules(db);
      const sketch = await startSketch({ ...observed, database, receiver });
      return await use({ ...sketch, db }).finally(() => sketch.end());
    } finally {
      await db.end();
    }
  });
}

async function observe(db: pg.Client, { service, settings }: Stage, receiver: string | undefined) {
  const merchant = await merchantOf(settings.DATABASE_URL ?? "", receiver);
  const watching = await watchRows(db);
  const customer = openConnection(service.url);
  const payments: SeenRow[][][] = [];
  let answer = "";
  let page = "";
  for (let number = 1; number <= PAYMENTS; number++) {
    let asked = { url: "", origin: "", text: "" };
    const opened = await watching.during(async () => {
      asked = await askForOrder(customer, service.url, { merchant, orderId: `seen-${Date.now()}` });
    });
    answer = asked.text;
    const steps = [opened];
    if (receiver !== undefined)
      steps.push(
        await watching.during(async () => {
          page = await payOrder(customer, asked);
        }),
      );
    if (number > 1) payments.push(steps);
  }
  customer.close();
  await watching.stop();
  const { rows } = await db.query("select body from events order by event_id desc limit 1");
  return { plan: planOf(payments, await readColumns(db)), answer, page, event: rows[0].body };
}

/** The demo merchant, or one with an endpoint. */
async function merchantOf(url: string, receiver: string | undefined): Promise<string> {
  if (receiver === undefined) return String(ORDER.account_number);
  const db = openDatabase({ url, connectionsMax: 2, log: createLog({ level: "warn" }) });
  const [merchant = ""] = await makeEndpoints(db, receiver, { count: 1, environment: "sandbox" });
  await db.close();
  return merchant;
}
