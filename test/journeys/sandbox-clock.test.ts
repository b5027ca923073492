/**
 * The sandbox's clock on a whole service at work: what would take minutes, days and months is seen
 * in seconds, which are printed, and nobody is signed out by it (Decision 0104).
 */

import assert from "node:assert/strict";
import { after, describe, type TestContext, test } from "node:test";
import { createStopList } from "../../src/infra/process/stop.ts";
import { addDays } from "../../src/kit/local-day.ts";
import { startWork } from "../../src/start-work.ts";
import { expectBooksToBalance } from "../../testkit/books.ts";
import { signInTo } from "../../testkit/console.ts";
import { ask, minimal } from "../../testkit/payment-requests.ts";
import { startReceiver } from "../../testkit/receivers.ts";
import { startService } from "../../testkit/service.ts";
import { openShop, saveCard } from "../../testkit/trusted-cards.ts";
import { until } from "../../testkit/until.ts";
import { makeEndpoint } from "../../testkit/webhook-endpoints.ts";

const HOUR = 3_600;
/** A little more than the schedule's waits with their jitter (docs/events.md). */
const WAITS = [5, 300, 1_800, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];
const LATEST = 1.21;

const service = await startService();
const stops = createStopList();
await startWork(service.ctx, stops);
const shop = await openShop(service);
const { token } = shop;
after(async () => {
  await expectBooksToBalance(service.ctx.db);
  await stops.stopAll();
  await service.stop();
});

async function move(json: { advance: number } | { set: string }) {
  const answer = await service.request("/sandbox/clock", { method: "POST", token, json });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

/** How long it took is for the reader: a machine at work for others takes longer. */
function timed(name: string, run: (t: TestContext) => Promise<void>): void {
  test(name, async (t) => {
    const beganAt = performance.now();
    await run(t);
    t.diagnostic(`${((performance.now() - beganAt) / 1_000).toFixed(1)} s`);
  });
}

describe("with the clock moved", () => {
  timed("a session of three minutes ends", async () => {
    const json = minimal(shop.accountNumber, { environment: "sandbox" });
    const { transaction_id: id } = (await ask(service, json)).body;
    const status = async () =>
      (await service.request(`/transactions/${id}`, { token })).body.data.status;
    assert.equal(await status(), "incomplete");
    await move({ advance: 181 });
    await until(async () => (await status()) !== "incomplete", "the session ended");
    assert.equal(await status(), "failed");
  });

  timed("a card that was not verified within its day is deleted", async () => {
    const card = await saveCard(service, { shop });
    const read = () => service.request(`/trusted-cards/${card.uuid}`, { token });
    assert.equal((await read()).status, 200);
    await move({ advance: 24 * HOUR + 1 });
    await until(async () => (await read()).status === 404, "the card is gone");
  });

  timed("a webhook is tried ten times, and its endpoint disabled after 120 hours", async (t) => {
    const beganAt = Date.now();
    const receiver = await startReceiver(500);
    t.after(() => receiver.close());
    const json = { environment: "sandbox", url: receiver.url };
    const { id } = await makeEndpoint(service, { token }, json);
    const send = () => service.request(`/webhooks/${id}/test`, { method: "POST", token });
    const tries = (count: number) =>
      until(() => receiver.received.length >= count, `attempt ${count} went out`);
    const settled = async (count: number) => {
      const path = `/webhooks/${id}/deliveries`;
      const ended = async () =>
        (await service.request(path, { token })).body.data.at(-1).attempts.at(-1).attempt ===
          count && (await service.request(path, { token })).body.data.at(-1).state !== "sending";
      await until(ended, `attempt ${count} has ended`);
    };
    await send();
    for (const [at, wait] of WAITS.entries()) {
      await tries(at + 1);
      await settled(at + 1);
      await move({ advance: Math.ceil(wait * LATEST) + 2 });
    }
    await tries(10);
    await settled(10);
    for (const { headers } of receiver.received) {
      const signedAt = Number(headers["webhook-timestamp"]) * 1_000;
      const isReal = beganAt - 1_000 <= signedAt && signedAt <= Date.now();
      assert(isReal, "a receiver's own clock agrees with the timestamp");
    }
    await move({ advance: 48 * HOUR });
    await send();
    const read = async () => (await service.request(`/webhooks/${id}`, { token })).body.data;
    await until(async () => (await read()).status === "disabled", "the endpoint is disabled");
    assert.equal((await read()).disabled_because, "failing");
  });

  timed("the statements of the months that ended are mailed to who asked", async () => {
    const page = "/console/settings/notifications";
    const tab = await signInTo(service, shop);
    await tab.post(page, { statements: "yes" }, { from: page });
    const { now } = await move({ advance: 0 });
    const first = `${addDays(`${now.slice(0, 7)}-01`, 32).slice(0, 7)}-01`;
    await move({ set: `${addDays(first, 40)}T12:00:00Z` });
    const subjects = async (): Promise<string[]> =>
      (await service.request("/dev/mail.json")).body
        .filter((mail: { to: string }) => mail.to === shop.email)
        .map((mail: { subject: string }) => mail.subject);
    for (const month of [now.slice(0, 7), first.slice(0, 7)])
      await until(
        async () => (await subjects()).includes(`Your statement of ${month}`),
        `the statement of ${month} is there`,
      );
    // Months later the same sign-ins are good, of the console and of the API.
    assert.equal((await tab.get(page)).status, 200);
    assert.equal((await service.request("/auth/whoami", { token })).status, 200);
  });
});
