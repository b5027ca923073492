/**
 * A shop of the old kind is examined fairly: it knows the MD5 hash and the older webhook headers,
 * and its orders were never requested from the service, so there is no transaction id to compare.
 * Correct, it gets an A; hashing the total that it is told, it fails that case alone.
 */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createHash, createHmac } from "node:crypto";
import http from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { after, before, test } from "node:test";
import { type DemoService, startDemoService } from "../../testkit/demo-service.ts";
import { KEPT_SETTINGS } from "../../testkit/kept-settings.ts";
import { endAll, makeFolder } from "../../testkit/processes.ts";
import { projectRoot } from "../house/project-files.ts";

const TOOL = path.join(projectRoot, "sdk/bin/windward.mjs");
const SECRET = "whsec_dGhlLXNlY3JldC1vZi10aGlzLXRlc3Qh";
const TOTAL = "100.00";
const STATES: Record<string, string> = {
  "payment.success": "paid",
  "payment.refunded": "refunded",
  "payment.chargeback_pending": "disputed",
};

let service: DemoService;
before(async () => {
  service = await startDemoService();
});
after(async () => {
  await service.stop();
  await endAll();
});

/** `hashedTotal` is what it puts into the hash: its own total, or what the address says. */
async function openHashShop(hashedTotal: (query: URLSearchParams) => string) {
  const orders = new Map<string, { state: string; shipped: number }>();
  const orderOf = (id: unknown) => {
    const order = orders.get(String(id)) ?? { state: "unpaid", shipped: 0 };
    orders.set(String(id), order);
    return order;
  };
  const pay = (order: { state: string; shipped: number }) => {
    if (order.state === "unpaid") Object.assign(order, { state: "paid", shipped: 1 });
  };
  const server = http.createServer(async (request, response) => {
    const { pathname, searchParams: query } = new URL(request.url ?? "", "http://shop");
    const order = orderOf(query.get("order_id"));
    if (pathname === "/report") return void response.end(JSON.stringify(order));
    if (pathname === "/paid") {
      const text = `${query.get("transaction_id")}${hashedTotal(query)}123`;
      const isRight = query.get("hash") === createHash("md5").update(text).digest("hex");
      if (isRight && query.get("status") === "success") pay(order);
      return void response.writeHead(302, { location: "/thanks" }).end();
    }
    const body = Buffer.concat(await request.toArray());
    const { headers } = request;
    const expected = createHmac("sha256", SECRET).update(body).digest("hex");
    const age = Date.now() / 1000 - Number(headers["x-svc-webhook-timestamp"]);
    if (headers["x-svc-webhook-signature"] !== `sha256=${expected}` || age > 300)
      return void response.writeHead(401).end();
    const { event, data } = JSON.parse(String(body));
    const told = orderOf(data.order_id);
    if (event === "payment.success") pay(told);
    else told.state = STATES[event] ?? told.state;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, close: () => new Promise((resolve) => server.close(resolve)) };
}

async function examine(url: string): Promise<{ code: number; failed: string[] }> {
  const orders = Array.from({ length: 12 }, (_, at) => `order-${at + 1}:${TOTAL}`).join();
  const args = [TOOL, "exam", `${url}/paid?shelf=7`, `${url}/hook`, "--json", "--orders", orders];
  args.push("--report-url", `${url}/report`, "--secret", SECRET, "--url", service.url);
  const env = { ...KEPT_SETTINGS, XDG_CONFIG_HOME: makeFolder(), WINDWARD_KEY: service.key };
  const [code, stdout] = await new Promise<[number, string]>((resolve) => {
    execFile(process.execPath, args, { env }, (error, out) =>
      resolve([Number(error?.code ?? 0), out]),
    );
  });
  const { cases } = JSON.parse(stdout);
  const wrong = cases.filter((each: { verdict: string }) => each.verdict !== "passed");
  return { code, failed: wrong.map((each: { case: string }) => each.case) };
}

for (const [kind, hashedTotal, end] of [
  ["that hashes its own total gets an A", () => TOTAL, { code: 0, failed: [] }],
  [
    "that hashes the total it is told fails that case alone",
    (query: URLSearchParams) => String(query.get("total")),
    { code: 1, failed: ["changed_total"] },
  ],
] as const)
  test(`a shop ${kind}`, async () => {
    const shop = await openHashShop(hashedTotal);
    assert.deepEqual(await examine(shop.url), end);
    await shop.close();
  });
