/**
 * Spans, by the OpenTelemetry API alone (Decision 0131). Who records them is the operator's choice
 * (`infra/process/start-tracing.ts`); without a recorder every function here does its work and
 * nothing else.
 *
 * A trace begins with a request, a job or other background work, and one of so many is recorded.
 * All else is a child of the span that it runs in; where none is recorded, it runs as if it were
 * not here, and so does what goes on after the end of its trace. Names and attributes are words of
 * the code, and numbers: never what somebody sent.
 *
 * Which are recorded is decided here, and the current span is kept here, because a request takes as
 * little as 50 µs: to ask an SDK for a sampler's decision took 2 µs, and to look for the span in
 * its context 35 ns each time (2 busy cores, November 2026).
 */

import { AsyncLocalStorage } from "node:async_hooks";
import { randomInt } from "node:crypto";
import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from "@opentelemetry/api";

export { type Attributes, type Span, SpanKind };

interface About {
  readonly kind?: SpanKind;
  readonly attributes?: Attributes;
}

interface Beginning extends About {
  /** A `traceparent`: of the work that wanted this one. */
  readonly parent?: string | undefined;
}

type Work<T> = (span?: Span) => Promise<T>;

/** The only version there is; of its flags one says that the caller's trace is recorded. */
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
const NO_ID = /^0+$/;

const current = new AsyncLocalStorage<Span | undefined>();
let tracer: Tracer | undefined;
let oneOf = 1;
/** How many traces begin until one is recorded. */
let untilNext = 1;

/**
 * From now on spans go to the provider that is registered with the API: those of one trace of so
 * many, and of what it wanted.
 */
export function recordSpans(options: { readonly oneOf: number }): void {
  tracer = trace.getTracer("windward");
  ({ oneOf } = options);
  untilNext = 1;
}

/** From now on no span begins; those under way end as ever. */
export function recordNothing(): void {
  tracer = undefined;
}

/** The first span of a trace; undefined: it is not recorded. */
export function beginTrace(name: string, { parent, ...about }: Beginning = {}): Span | undefined {
  if (tracer === undefined || (parent === undefined && !isNext())) return undefined;
  const span = tracer.startSpan(name, about, contextOf(parent));
  return span.isRecording() ? span : undefined;
}

/** Does the work in a trace of its own, or of its parent. */
export function inTrace<T>(name: string, beginning: Beginning, work: Work<T>): Promise<T> {
  const span = beginTrace(name, beginning);
  return span === undefined ? within(undefined, work) : record(span, work);
}

/** Does the work in a child of the span that this is called in, if one is recorded. */
export function inSpan<T>(name: string, about: About, work: Work<T>): Promise<T> {
  const parent = currentSpan();
  if (tracer === undefined || parent === undefined) return work();
  return record(tracer.startSpan(name, about, trace.setSpan(ROOT_CONTEXT, parent)), work);
}

/** Spans that begin in the work are children of this one; undefined: they are not recorded. */
export function within<T>(span: Span | undefined, work: () => T): T {
  return span === current.getStore() ? work() : current.run(span, work);
}

/** Undefined where nothing is recorded, also after the end of its span. */
export function currentSpan(): Span | undefined {
  const span = current.getStore();
  return span?.isRecording() ? span : undefined;
}

/** For log lines. */
export function traceIdOf(span: Span | undefined): string | undefined {
  return span?.spanContext().traceId;
}

/** For work that goes on elsewhere, of the span that this is called in. */
export function traceparent(): string | undefined {
  const of = currentSpan()?.spanContext();
  return of && `00-${of.traceId}-${of.spanId}-0${of.traceFlags & TraceFlags.SAMPLED}`;
}

/** Undefined for anything else. A `tracestate` is left out: it may hold any text. */
export function readTraceparent(text: string | undefined): SpanContext | undefined {
  const [, traceId = "", spanId = "", flags = ""] = TRACEPARENT.exec(text ?? "") ?? [];
  if (traceId === "" || NO_ID.test(traceId) || NO_ID.test(spanId)) return undefined;
  return { traceId, spanId, traceFlags: Number(`0x${flags}`) & TraceFlags.SAMPLED, isRemote: true };
}

/** A word for what went wrong: a message might say anything. */
export function markFailed(span: Span | undefined, errorType: string): void {
  span?.setAttribute("error.type", errorType).setStatus({ code: SpanStatusCode.ERROR });
}

/** Spread evenly around the mean, so that what comes at a rhythm is met, too. */
function isNext(): boolean {
  untilNext -= 1;
  if (untilNext > 0) return false;
  untilNext = randomInt(1, 2 * oneOf);
  return true;
}

function contextOf(parent: string | undefined): Context {
  const found = parent === undefined ? undefined : readTraceparent(parent);
  return found === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, found);
}

async function record<T>(span: Span, work: Work<T>): Promise<T> {
  try {
    return await within(span, () => work(span));
  } catch (error) {
    markFailed(span, errorTypeOf(error));
    throw error;
  } finally {
    span.end();
  }
}

/** A code, such as PostgreSQL's or one of ours, else the name of the class. */
function errorTypeOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  const { code } = error as { code?: unknown };
  return typeof code === "string" && /^\w{1,40}$/.test(code) ? code : error.constructor.name;
}
