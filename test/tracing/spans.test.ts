/**
 * The guarantee: a span is recorded where it belongs, and nowhere else: not in the trace of another
 * request, not after the end of its own, and not where nothing is sampled.
 */

import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { trace } from "@opentelemetry/api";
import {
  InMemorySpanExporter,
  SamplingDecision,
  SimpleSpanProcessor,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import { readConfig } from "../../src/infra/config.ts";
import { createLog } from "../../src/infra/log.ts";
import { createBatcher } from "../../src/kit/batch.ts";
import {
  currentSpan,
  inSpan,
  inTrace,
  readTraceparent,
  recordNothing,
  recordSpans,
  traceparent,
} from "../../src/kit/trace.ts";
import { createMailSender } from "../../src/modules/mail/send-over-smtp.ts";
import { freePort } from "../../testkit/free-port.ts";
import { PRODUCTION_SETTINGS } from "../../testkit/mails.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";
const MANY = 2_000;
const VALID = `00-${TRACE}-${SPAN}-01`;

let currentProvider: TracerProvider | undefined;

test("without a recorder work is done, and no span is there", async () => {
  assert.equal(await inTrace("trace", {}, async (span) => span), undefined);
  assert.equal(await inSpan("span", {}, async () => currentSpan()), undefined);
  assert.equal(traceparent(), undefined);
});

describe("with a recorder", () => {
  const exporter = new InMemorySpanExporter();
  const ended = () =>
    exporter.getFinishedSpans().map(({ name, parentSpanContext }) => ({
      name,
      parent: parentSpanContext?.spanId,
    }));
  const idOf = (name: string) => spanOf(name).spanContext().spanId;
  const spanOf = (name: string) => {
    const found = exporter.getFinishedSpans().find((span) => span.name === name);
    assert(found !== undefined, `no span ${name}`);
    return found;
  };

  beforeEach(() => {
    exporter.reset();
    recordSpans({ oneOf: 1 });
    if (currentProvider !== undefined) return;
    currentProvider = new TracerProvider({
      // By name, so that a test can say what is not sampled.
      sampler: {
        shouldSample: (_context, _traceId, name) => ({
          decision: name.startsWith("not ")
            ? SamplingDecision.NOT_RECORD
            : SamplingDecision.RECORD_AND_SAMPLED,
        }),
        toString: () => "by name",
      },
      spanProcessors: [new SimpleSpanProcessor({ exporter })],
    });
    trace.setGlobalTracerProvider(currentProvider);
  });

  test("a child is below the span that it runs in, and a trace below none", async () => {
    await inTrace("first", {}, async () => {
      await inSpan("child", {}, async () => {});
      await inTrace("second", {}, async () => {});
    });
    const expected = [
      { name: "child", parent: idOf("first") },
      { name: "second", parent: undefined },
      { name: "first", parent: undefined },
    ];
    assert.deepEqual(ended(), expected);
  });

  test("one of so many traces is recorded, and whatever one of those wanted", async () => {
    recordSpans({ oneOf: 4 });
    for (let begun = 0; begun < MANY; begun++) await inTrace("first", {}, async () => {});
    const count = ended().length;
    assert(count > MANY / 5 && count < MANY / 3, `${count} of ${MANY}`);
    for (let begun = 0; begun < MANY; begun++)
      await inTrace("wanted", { parent: VALID }, async () => {});
    assert.equal(ended().length, count + MANY);
  });

  test("below what is not sampled nothing is recorded, nor outside of a trace", async () => {
    await inTrace("not sampled", {}, () => inSpan("child", {}, async () => {}));
    await inTrace("sampled", {}, () =>
      inTrace("not sampled", {}, () => inSpan("child", {}, async () => {})),
    );
    await inSpan("alone", {}, async () => {});
    assert.deepEqual(
      ended().map(({ name }) => name),
      ["sampled"],
    );
  });

  test("after the last nothing begins any more, and what is under way ends", async () => {
    await inTrace("first", {}, async () => {
      recordNothing();
      await inSpan("child", {}, async () => {});
      await inTrace("second", {}, async () => {});
    });
    assert.deepEqual(
      ended().map(({ name }) => name),
      ["first"],
    );
  });

  test("what goes on after the end of its trace is not recorded", async () => {
    let goOn = () => {};
    let late: Promise<void> | undefined;
    await inTrace("first", {}, async () => {
      late = new Promise<void>((resolve) => {
        goOn = resolve;
      }).then(() => inSpan("late", {}, async () => assert.equal(traceparent(), undefined)));
    });
    goOn();
    await late;
    assert.deepEqual(
      ended().map(({ name }) => name),
      ["first"],
    );
  });

  test("an error is a word, never its message, and is thrown on", async () => {
    const mistake = Object.assign(new RangeError("maya@customer.example"), { code: "23505" });
    const odd = Object.assign(new RangeError("maya@customer.example"), { code: "of maya" });
    for (const error of [mistake, odd])
      await assert.rejects(
        inTrace("fails", {}, () => Promise.reject(error)),
        error,
      );
    const spans = exporter.getFinishedSpans();
    assert.deepEqual(
      spans.map(({ attributes }) => attributes["error.type"]),
      ["23505", "RangeError"],
    );
    assert(spans.every(({ status, events }) => status.message === undefined && !events.length));
  });

  test("a batch is below its first traced item, and others link to that", async () => {
    const batch = createBatcher<string, string>({
      sizeMax: 10,
      run: (items) => inSpan("run", {}, async () => items),
    });
    await Promise.all([
      batch("not traced"),
      inTrace("one", {}, () => batch("one")),
      inTrace("two", {}, () => batch("two")),
    ]);
    const [first, second] = exporter.getFinishedSpans().filter(({ name }) => name === "batch");
    assert.equal(spanOf("run").parentSpanContext?.spanId, first?.spanContext().spanId);
    assert.equal(first?.attributes["windward.batch.size"], 3);
    assert.equal(first.parentSpanContext?.spanId, idOf("one"));
    assert.equal(second?.parentSpanContext?.spanId, idOf("two"));
    assert.deepEqual(
      second.links.map((link) => link.context.spanId),
      [first.spanContext().spanId],
    );
  });

  test("a batch that another one starts is not below it", async () => {
    const batch = createBatcher<string, string>({
      sizeMax: 1,
      run: (items) => inSpan("run", {}, async () => items),
    });
    await Promise.all([inTrace("one", {}, () => batch("one")), batch("two"), batch("three")]);
    assert.equal(exporter.getFinishedSpans().filter(({ name }) => name === "run").length, 1);
  });

  test("work that goes on elsewhere names its parent", async () => {
    let parent: string | undefined;
    await inTrace("first", {}, async () => {
      parent = traceparent();
    });
    await inTrace("elsewhere", { parent }, async () => {});
    assert.equal(spanOf("elsewhere").parentSpanContext?.spanId, idOf("first"));
    assert.equal(spanOf("elsewhere").spanContext().traceId, spanOf("first").spanContext().traceId);
  });

  test("a log line names the trace that is recorded where it is written", async () => {
    const lines: string[] = [];
    const log = createLog({ level: "info", write: (line) => void lines.push(line) });
    await inTrace("first", {}, async () => log.info("inside"));
    log.info("outside");
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).trace_id),
      [spanOf("first").spanContext().traceId, undefined],
    );
  });

  test("a mail that fails is a span with its code, and without its recipient", async () => {
    const SMTP_URL = `smtp://127.0.0.1:${await freePort()}`;
    const send = createMailSender(readConfig({ ...PRODUCTION_SETTINGS, SMTP_URL }).mail);
    const mail = { subject: "Subject", text: "Text", html: "<p>Text</p>" };
    const outcome = await inTrace("first", {}, () =>
      send({ ...mail, mailId: "1", to: "maya@customer.example", at: new Date(0) }),
    );
    assert.equal(outcome.kind, "failed");
    assert.deepEqual(spanOf("SMTP").attributes, { "error.type": "ESOCKET" });
  });
});

test("a traceparent is read when it is one, and nothing else is", () => {
  const read = { traceId: TRACE, spanId: SPAN, traceFlags: 1, isRemote: true };
  assert.deepEqual(readTraceparent(VALID), read);
  assert.deepEqual(readTraceparent(VALID.replace(/01$/, "02")), { ...read, traceFlags: 0 });
  const wrong = [
    undefined,
    "",
    VALID.toUpperCase(),
    `${VALID}-more`,
    VALID.replace(TRACE, "0".repeat(32)),
    VALID.replace(SPAN, "0".repeat(16)),
    VALID.replace(/^00/, "ff"),
  ];
  for (const text of wrong) assert.equal(readTraceparent(text), undefined, text);
});
