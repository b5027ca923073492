/**
 * A yardstick: the rows of payments by group commit over plain HTTP, and no rule at all. It speaks
 * as the service does to a merchant and a customer: an order, its page, its card, and a webhook for
 * each. Started by `start-sketch.ts`, which tells it what to write.
 */

import http from "node:http";
import type { AddressInfo } from "node:net";
import pg from "pg";
import { createBatcher } from "../../src/kit/batch.ts";
import { freshValues } from "../sketch/marks.ts";
import type { SketchPlan } from "./start-sketch.ts";

/** As the service has them, for the same reasons. */
const BATCH = { sizeMax: 256, parallelMax: 2 };
/** Rows are found by keys, as by the service. */
const SETTINGS = ["synchronous_commit=on", "jit=off"].concat(
  ["seqscan", "hashjoin", "mergejoin"].map((way) => `enable_${way}=off`),
);
const ORDER_ID = /^\/(\d+)$/;

process.on("disconnect", () => process.exit(0));
process.once("message", (plan: SketchPlan) => void serve(plan));

async function serve(sketch: SketchPlan): Promise<void> {
  const answer = answering(sketch, writersOf(sketch));
  const server = http.createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text) => {
      body += text;
    });
    request.on("end", () => {
      answer(request, body).then(
        (one) => send(response, one),
        (error: unknown) => send(response, { status: 500, type: "text/plain", body: `${error}` }),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  process.send?.({ address: `http://127.0.0.1:${port}` });
}

type Payment = readonly unknown[];
type Write = (payment: Payment) => Promise<true>;

/** One for each step of a payment: those of one moment are one statement and one commit. */
function writersOf({ database, plan }: SketchPlan): Write[] {
  const options = SETTINGS.map((setting) => `-c ${setting}`).join(" ");
  const max = BATCH.parallelMax * plan.steps.length;
  const pool = new pg.Pool({
    ...{ connectionString: database, application_name: "web" },
    ...{ options, max },
  });
  return plan.steps.map(({ text, marks }, step) =>
    createBatcher<Payment, true>({
      ...BATCH,
      async run(payments) {
        const values = marks.map((at) => payments.map((payment) => payment[at]));
        await pool.query({ name: `step-${step}`, text, values });
        return payments.map(() => true);
      },
    }),
  );
}

function answering(sketch: SketchPlan, [open, pay]: readonly Write[]) {
  const underWay = new Map<string, Payment>();
  const answered = JSON.parse(sketch.answer);
  const agent = new http.Agent({ keepAlive: true });
  let count = 0;

  function tell(event: string): void {
    if (sketch.receiver === undefined) return;
    const headers = { "webhook-id": event, "content-type": "application/json" };
    const request = http.request(sketch.receiver, { method: "POST", agent, headers });
    request.on("response", (response) => response.resume());
    // At the end of a scene the receiver is gone first.
    request.on("error", () => {});
    request.end(sketch.event);
  }

  return async ({ method, url: path, headers }: http.IncomingMessage, body: string) => {
    const [, order] = ORDER_ID.exec(path ?? "") ?? [];
    const base = `http://${headers.host}`;
    if (method === "GET") return { status: 200, type: "text/html", body: sketch.page };
    if (order !== undefined) {
      await pay?.(underWay.get(order) ?? []);
      underWay.delete(order);
      tell(`${order}-paid`);
      return { status: 303, location: `${base}/?status=success`, type: "text/plain", body: "" };
    }
    JSON.parse(body);
    const number = ++count;
    const payment = freshValues(sketch.plan.marks, number);
    await open?.(payment);
    if (pay !== undefined) underWay.set(String(number), payment);
    tell(`${number}-opened`);
    const answer = JSON.stringify({ ...answered, url: `${base}/${number}` });
    return { status: 200, type: "application/json", body: answer };
  };
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  readonly location?: string;
}

function send(response: http.ServerResponse, { status, type, body, location }: Answer): void {
  const length = Buffer.byteLength(body);
  response.writeHead(status, {
    "content-type": type,
    "content-length": length,
    ...(location === undefined ? {} : { location }),
  });
  response.end(body);
}
