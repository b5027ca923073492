/**
 * The guarantee: with the file that docs/operations.md shows, a payment can be followed through the
 * service, from the request to the acquirer and the webhook, and no span holds anything that came
 * from outside.
 *
 * Spans are sent when the processes stop, by two of them under a supervisor.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { demoSignIn } from "../../testkit/ask.ts";
import { makeDataDir } from "../../testkit/database-owners.ts";
import { minimal, PATH } from "../../testkit/payment-requests.ts";
import { endAll, launch, type Running, start, UNHINDERED } from "../../testkit/processes.ts";
import { type Receiver, startReceiver } from "../../testkit/receivers.ts";
import {
  type CollectedSpan,
  type Collector,
  startCollector,
} from "../../testkit/trace-collector.ts";
import { until } from "../../testkit/until.ts";

const PROJECT = path.resolve(import.meta.dirname, "../..");
const TRACING = path.resolve(PROJECT, "docs/operations/tracing.mjs");
/** Of spans, as OTLP counts them. */
const [SERVER, CLIENT, CONSUMER] = [2, 3, 5];
const NEVER_BY_ITSELF_MS = "3600000";
const CALLER = { traceId: "4bf92f3577b34da6a3ce929d0e0e4736", spanId: "00f067aa0ba902b7" };
const TRACEPARENT = `00-${CALLER.traceId}-${CALLER.spanId}-01`;

/** Each is in some request below. */
const TYPED = {
  account: "1234567890",
  number: "4111111111111111",
  cvv: "987",
  holder: "Maya Joseph",
  email: "maya.joseph@customer.example",
  merchant: "merchant@example.com",
  order: "order-of-maya-7",
  cart: "cart-of-maya-7",
  reason: "Broken in its box",
};

let collector: Collector;
let receiver: Receiver;
let log: readonly Record<string, unknown>[];
/** What the service made up itself: ids and credentials. */
const secrets: string[] = [];

before(async () => {
  collector = await startCollector();
  receiver = await startReceiver();
  const service = await start({
    settings: {
      ...UNHINDERED,
      DATA_DIR: await makeDataDir(),
      WORKERS: "2",
      LOG_LEVEL: "info",
      TRACING,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      TRACE_ONE_OF: "1",
      OTEL_BSP_SCHEDULE_DELAY: NEVER_BY_ITSELF_MS,
    },
  });
  await payAndRefund(service);
  const { stdout } = await service.stop();
  log = (stdout.match(/^\{.*\}$/gm) ?? []).map((line) => JSON.parse(line));
});

after(async () => {
  await endAll();
  collector?.close();
  await receiver?.close();
});

async function payAndRefund(service: Running): Promise<void> {
  const scopes = "svc-user-all svc-transactions-all";
  const { body: tokens } = await service.ask("/auth/tokens", demoSignIn(TYPED.merchant, scopes));
  const token: string = tokens.access_token;
  const hook = await service.ask("/webhooks", {
    method: "POST",
    token,
    json: { url: `${receiver.url}?secret=of-maya`, environment: "sandbox" },
  });
  assert.equal(hook.status, 201, hook.text);
  const asked = await service.ask(PATH, {
    method: "POST",
    headers: { traceparent: TRACEPARENT, tracestate: "vendor=of-maya" },
    json: minimal(TYPED.account, {
      order_id: TYPED.order,
      email: TYPED.email,
      response_url: `https://shop.example/paid?cart=${TYPED.cart}`,
    }),
  });
  assert.equal(asked.status, 200, asked.text);
  const { transaction_id: transactionId, url } = asked.body;
  secrets.push(
    token,
    tokens.refresh_token,
    transactionId,
    new URL(url).pathname.split("/")[2] ?? "",
  );
  await payByForm(service, new URL(url).pathname);
  const refund = `/transactions/${transactionId}/refund`;
  const refunded = await service.ask(refund, {
    method: "POST",
    token,
    json: { environment: "sandbox", reason: TYPED.reason },
  });
  assert.equal(refunded.status, 201, refunded.text);
  await service.ask(`/no/such/path/${TYPED.account}?email=${TYPED.email}`);
  const events = () => receiver.received.map(({ body }) => JSON.parse(body).event);
  await until(() => events().includes("payment.success"), "the payment is told");
  await until(() => events().includes("payment.refunded"), "the refund is told");
  await until(async () => {
    const { text } = await service.ask("/dev/mail");
    return text.includes(TYPED.email);
  }, "a receipt is mailed");
  secrets.push(...receiver.ids);
}

/** As a browser sends the form of the page. */
async function payByForm(service: Running, page: string): Promise<void> {
  const { text } = await service.ask(page);
  const form_token = /name="form_token" value="([^"]+)"/.exec(text)?.[1] ?? "";
  const { number, cvv, holder } = TYPED;
  const typed = { form_token, attempts: "0", number, expiry: "09/35", cvv, holder };
  const paid = await service.ask(page, {
    method: "POST",
    headers: { origin: service.url, "sec-fetch-site": "same-origin" },
    raw: {
      type: "application/x-www-form-urlencoded",
      body: new URLSearchParams(typed).toString(),
    },
  });
  assert.equal(paid.status, 303, paid.text);
  secrets.push(form_token);
}

const named = (name: string) => collector.spans.filter((span) => span.name === name);

function only(name: string): CollectedSpan {
  const [span, ...others] = named(name);
  assert(span !== undefined && others.length === 0, `${others.length + 1} spans ${name}`);
  return span;
}

/** All that is under it, by name. */
function below(span: CollectedSpan): ReadonlyMap<string, CollectedSpan> {
  const children = collector.spans.filter(({ parentSpanId }) => parentSpanId === span.spanId);
  return new Map([
    ...children.map((child) => [child.name, child] as const),
    ...children.flatMap((child) => [...below(child)]),
  ]);
}

function expectBelow(span: CollectedSpan, names: readonly string[]): void {
  const found = below(span);
  const missing = names.filter((name) => !found.has(name));
  assert.deepEqual(missing, [], `below ${span.name} are ${[...found.keys()]}`);
}

test("a request is the first span of a trace, by the conventions, and links to its caller's", () => {
  const span = only("POST /plugins/payments/request");
  assert.equal(span.kind, SERVER);
  assert.equal(span.parentSpanId, undefined);
  assert.deepEqual(span.attributes, {
    "http.request.method": "POST",
    "http.route": "/plugins/payments/request",
    "http.response.status_code": 200,
  });
  const [link, ...others] = span.links;
  assert.deepEqual({ traceId: link?.traceId, spanId: link?.spanId }, CALLER);
  assert.deepEqual(others, []);
  assert.notEqual(span.traceId, CALLER.traceId);
  expectBelow(span, ["find-merchants", "open-checkouts"]);
});

test("a card can be followed to the acquirer and into the books", () => {
  const span = only("POST /checkout/{token}");
  expectBelow(span, ["begin-attempts", "gateway sale", "tx", "post-to-ledger", "commit"]);
  const sale = below(span).get("gateway sale");
  assert.equal(sale?.kind, CLIENT);
  assert.deepEqual(sale.attributes, { "windward.gateway.outcome": "approved" });
});

test("a job is part of the trace that wanted it", () => {
  const asked = only("POST /transactions/{transaction_id}/refund");
  const job = below(asked).get("job settle-refund");
  assert.equal(job?.kind, CONSUMER);
  assert.equal(job.traceId, asked.traceId);
  expectBelow(job, ["gateway refund", "tx", "commit"]);
});

test("each delivery of a webhook is a trace, from its beginning to its end", () => {
  const deliveries = named("deliver webhook");
  assert.equal(deliveries.length, receiver.received.length);
  for (const delivery of deliveries) {
    assert.equal(delivery.parentSpanId, undefined);
    expectBelow(delivery, ["begin-webhook-attempts", "POST", "end-webhook-attempts", "commit"]);
    const answered = { "http.request.method": "POST", "http.response.status_code": 204 };
    assert.deepEqual(below(delivery).get("POST")?.attributes, answered);
  }
});

test("a path that does not exist is no name of a span", () => {
  const { attributes } = only("GET");
  assert.deepEqual(attributes, { "http.request.method": "GET", "http.response.status_code": 404 });
});

test("log lines of a request name its trace", () => {
  const answered = log.filter(({ msg, route }) => msg === "answered" && route === PATH);
  assert.deepEqual(
    answered.map(({ trace_id }) => trace_id),
    named(`POST ${PATH}`).map(({ traceId }) => traceId),
  );
});

test("no span holds what was sent, typed or made up", () => {
  const sent = collector.text();
  const all = [...Object.values(TYPED), ...secrets];
  assert(all.every((one) => one.length > 2));
  assert.deepEqual(
    all.filter((one) => sent.includes(one)),
    [],
  );
  const keys = new Set(collector.spans.flatMap(({ attributes }) => Object.keys(attributes)));
  assert.deepEqual([...keys].toSorted(), [
    "db.system.name",
    "http.request.method",
    "http.response.status_code",
    "http.route",
    "windward.batch.size",
    "windward.gateway.outcome",
  ]);
});

test("a TRACING that cannot be used ends the start, with a sentence", async () => {
  const refused = async (file: string) => {
    const { ended } = launch({ settings: { TRACING: file } });
    const { code, stderr } = await ended;
    assert.equal(code, 1);
    return stderr;
  };
  const gone = await refused("/no/such/file.mjs");
  assert.match(gone, /TRACING: \/no\/such\/file\.mjs could not be loaded: Cannot find module/);
  const other = path.resolve(PROJECT, "src/infra/local-url.ts");
  assert.match(await refused(other), /does not export a function stop\(\)/);
  // The program that is being started waits for this file, and this file for the program.
  const itself = path.resolve(PROJECT, "src/start.mjs");
  assert.match(await refused(itself), /src\/start\.mjs was not loaded within 20 seconds\./);
});

test("the guide installs the packages that are tried here, and the service has the API alone", () => {
  const read = (file: string) => readFileSync(path.resolve(PROJECT, file), "utf8");
  const { dependencies, devDependencies } = JSON.parse(read("package.json"));
  const ours = (all: object) => Object.entries(all).filter(([name]) => /^@opentel/.test(name));
  assert.deepEqual(
    ours(dependencies).map(([name]) => name),
    ["@opentelemetry/api"],
  );
  const guide = read("docs/operations.md");
  const all = [...ours(dependencies), ...ours(devDependencies)];
  assert.equal(all.length, 4);
  for (const [name, version] of all) assert(guide.includes(`${name}@${version}`), name);
});
