/**
 * kill -9 of a worker between any two steps from a receipt that is due to its mail that was sent:
 * the customer gets it all the same, under one Message-ID, and twice only when the process died
 * between the mail server's word and ours (Decision 0098).
 */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { after, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { sql } from "../../src/infra/db/query.ts";
import { expectBooksToBalance } from "../../testkit/books.ts";
import { PRODUCTION_SETTINGS, startSmtpServer } from "../../testkit/mails.ts";
import { deliverReceipts, dueReceipts, mailReasons, paidBy } from "../../testkit/receipts.ts";
import { startService } from "../../testkit/service.ts";
import { openShop } from "../../testkit/transactions.ts";
import { until } from "../../testkit/until.ts";

const VICTIM = fileURLToPath(new URL("receipt-victim.ts", import.meta.url));

/** Where it dies, and how often the mail arrives in all. */
const STEPS: readonly [string, number][] = [
  ["before the commit of the queue", 1],
  ["after the queue", 1],
  ["before the mail server has it", 1],
  ["after the mail server took it", 2],
  ["before the commit of the outcome", 2],
  ["after the outcome", 1],
];

const smtp = await startSmtpServer();
const service = await startService({ settings: { ...PRODUCTION_SETTINGS, SMTP_URL: smtp.url } });
after(async () => {
  await smtp.stop();
  await expectBooksToBalance(service.ctx.db);
  await service.stop();
});

async function someWait(): Promise<boolean> {
  return (await service.ctx.db.run(sql`select from mails where state = 'waiting'`)) > 0;
}

describe("kill -9 of a worker at a receipt", () => {
  for (const [step, count] of STEPS)
    test(`${step}: it arrives ${count === 1 ? "once" : "twice"}, under one Message-ID`, async () => {
      const before = smtp.received.length;
      const id = await paidBy(service, await openShop(service));
      const child = spawn(process.execPath, [VICTIM, service.database.url, smtp.url, step], {
        stdio: ["ignore", "inherit", "inherit"],
      });
      const [code, signal] = await once(child, "exit");
      assert.equal(signal ?? code, "SIGKILL");
      // Its lease on the mail, if it had one, is over.
      await service.clock.advance({ minutes: 5 });
      await until(async () => {
        await deliverReceipts(service);
        if (!(await someWait())) return true;
        // A mail server that was not reached on a busy machine is asked again after a pause.
        await service.clock.advance({ minutes: 5 });
        return false;
      }, "every mail has left");
      await deliverReceipts(service);
      const arrived = smtp.received.slice(before);
      assert(arrived.every(({ text }) => text?.includes(`Reference: ${id}`)));
      assert.equal(arrived.length, count);
      assert.equal(new Set(arrived.map(({ messageId }) => messageId)).size, 1);
      assert.deepEqual(await mailReasons(service, id), [`receipt ${id}`]);
      assert.deepEqual(await dueReceipts(service), []);
    });
});
