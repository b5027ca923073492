/** Starts a process that is killed at a step of a checkout, and then lets time pass. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { sql } from "../../src/infra/db/query.ts";
import type { Step } from "../../src/modules/checkout/session/context.ts";
import { type Order, states, sweep } from "../../testkit/checkout-sessions.ts";
import type { TestService } from "../../testkit/service.ts";

const VICTIM = fileURLToPath(new URL("checkout-victim.ts", import.meta.url));
const SETTLED_SECONDS_MAX = 60;
const PACE_SECONDS = 5;

/** The steps from an approval that has arrived to the payment that has ended. */
export const ANSWER: readonly Step[] = [
  "answer: taken up",
  "answer: session held",
  "answer: attempt moved",
  "end: session ended",
  "end: payment ended",
  "answer: kept",
];

/** `SIGKILL`, or the code with which it ended by itself. */
export async function runVictim(
  { database }: TestService,
  { task, order, step }: { readonly task: string; readonly order: Order; readonly step: string },
): Promise<string | number | null> {
  const args = [VICTIM, database.url, task, order.token, step];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "inherit", "inherit"] });
  const [code, signal] = await once(child, "exit");
  return signal ?? code;
}

/** Until every card's outcome is known, which must be soon. */
export async function settle(service: TestService, order: Order): Promise<void> {
  for (let passed = 0; passed <= SETTLED_SECONDS_MAX; passed += PACE_SECONDS) {
    await sweep(service);
    if (!(await isUndecided(service, order))) return;
    await service.clock.advance({ seconds: PACE_SECONDS });
  }
  assert.fail(`undecided after ${SETTLED_SECONDS_MAX} s: ${await states(service, order)}`);
}

async function isUndecided({ ctx: { db } }: TestService, { id }: Order): Promise<boolean> {
  const row = await db.maybeOne(sql`
    select 1 from checkout_attempts
    where transaction_id = ${id} and next_ask_at is not null and state <> 'challenged'`);
  return row !== undefined;
}
