/**
 * What was simulated stays as it was told: a withdrawal that ended so has ended so, and nobody else
 * moved it. (Payments are held against what their clients were told with all the others.)
 */

import { sql } from "../../../src/infra/db/query.ts";
import { simulatedOf } from "../traffic/sandbox.ts";
import type { Check } from "./evidence.ts";

/** The others go on by themselves. */
const ENDS = new Set(["completed", "failed", "returned"]);

export const whatWasSimulatedHappened: Check = async ({ db, diary }) => {
  const rows = await db.rows<{ id: string; status: string }>(sql`
    select transaction_id as id, status from withdrawals`);
  const wrong = rows.flatMap(({ id, status }) => {
    const known = diary.registers.get(simulatedOf(id));
    if (known === undefined || !ENDS.has(known.told) || known.allows(status)) return [];
    return [`${id} is ${status}, though it was simulated to be ${known.told}`];
  });
  return { looked: diary.tried.get("simulations") ?? 0, wrong };
};
