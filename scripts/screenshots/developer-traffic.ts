/**
 * What a developer of the shop sees in the screenshots: a key and its requests, good and refused,
 * and a webhook endpoint that failed for a while.
 */

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { sql } from "../../src/infra/db/query.ts";
import { startReceiver } from "../../testkit/receivers.ts";
import { recordTransaction } from "../../testkit/record-transaction.ts";
import type { TestService } from "../../testkit/service.ts";
import { finaliseTransaction } from "../../testkit/transactions.ts";
import { CUSTOMERS } from "./people.ts";
import { ask, ENVIRONMENT, shopPayment } from "./traffic.ts";

/** In place of the receiver's own address, whose port differs each time. */
const SHOWN_URL = "https://books.example.com/webhooks";
const OUT_OF_ORDER = "<h1>503 Service Unavailable</h1>\n<p>Back in a minute.</p>";

interface LastPayments {
  readonly endpointId: string;
  /** Of the last, which is paid, and of which nothing is refunded. */
  readonly paymentId: string;
}

/** The last payments of the day; the receiver fails at the last one and is mended. */
export async function makeDeliveries(
  service: TestService,
  lastOrder: number,
): Promise<LastPayments> {
  const { ctx } = service;
  const receiver = await startReceiver();
  const { id: endpointId = "" } = await ask(service, "/webhooks", {
    environment: ENVIRONMENT,
    url: receiver.url,
    description: "Web shop",
  });
  for (const [at, lastFour] of ["4242", "1881", "7005"].entries())
    await payAndTell(service, endpointId, { at, lastFour, lastOrder });
  receiver.behave((_request, response) => {
    response.writeHead(503, { "content-type": "text/html" }).end(OUT_OF_ORDER);
  });
  const paymentId = await payAndTell(service, endpointId, { at: 3, lastFour: "3310", lastOrder });
  receiver.behave((_request, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end('{"received":true}');
  });
  await service.clock.advance({ minutes: 2 });
  await ctx.messenger.deliver(endpointId);
  await ctx.messenger.stop();
  await receiver.close();
  await ctx.db.run(sql`
    update webhook_endpoints set url = ${SHOWN_URL} where endpoint_id = ${endpointId}`);
  return { endpointId, paymentId };
}

async function payAndTell(
  { ctx, clock, numberEvents }: TestService,
  endpointId: string,
  made: { readonly at: number; readonly lastFour: string; readonly lastOrder: number },
): Promise<string> {
  const { at, lastFour, lastOrder } = made;
  const payment = shopPayment({
    orderId: `${lastOrder + 1 + at}`,
    amount: `${[120, 64, 215, 385][at]}.00 TTD`,
    customer: CUSTOMERS[2 * at] ?? {},
  });
  const { transaction_id: id } = await ctx.db.transaction((tx) => recordTransaction(tx, payment));
  await clock.advance({ seconds: 41 + 7 * at });
  await ctx.db.transaction((tx) =>
    finaliseTransaction(tx, id, {
      status: "success",
      message: "[1-R00]: Transaction is approved.",
      card: { brand: "visa", lastFour },
      sale: { reference: randomUUID(), avs: "M", cvv: "M" },
    }),
  );
  await numberEvents();
  await ctx.messenger.deliver(endpointId);
  await clock.advance({ minutes: 4 });
  return id;
}

/** The id of a refused request, in the request log. */
export async function makeRequests(service: TestService, paidId: string): Promise<string> {
  const made = await ask(service, "/auth/keys", {
    environment: ENVIRONMENT,
    name: "Web shop",
    scopes: "svc-user-retrieve svc-transactions-all",
  });
  const key = made.key ?? "";
  const get = async (path: string) => {
    await service.request(path, { key });
    await service.clock.advance({ seconds: 9 });
  };
  await get(`/transactions/?environment=${ENVIRONMENT}&page_size=20`);
  await get(`/transactions/${paidId}`);
  await get("/events?page_size=50");
  await get("/user/");
  await get(`/transactions/${paidId}`);
  const refused = await service.request(`/transactions/${paidId}/refund`, {
    method: "POST",
    key,
    json: { amount: "1250.00", reason: "Sent back within 14 days" },
  });
  assert.equal(refused.status, 422, refused.text);
  await service.clock.advance({ seconds: 30 });
  await get("/events?page_size=50");
  await service.ctx.requestLog.flush();
  return refused.headers.get("x-request-id") ?? "";
}
