/**
 * Starts an OpenTelemetry SDK for Windward, by TRACING=<path of this file>: one trace of a hundred
 * goes to a collector, by OTLP over HTTP. `test/tracing/traces.test.ts` runs this very file.
 *
 * By environment: OTEL_SERVICE_NAME, OTEL_TRACES_SAMPLER_ARG (the part that is sampled, 0.01
 * without it), OTEL_EXPORTER_OTLP_ENDPOINT (http://localhost:4318 without it) and the exporter's
 * other variables.
 */

import process from "node:process";
import { context, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";

const provider = new TracerProvider({
  resource: resourceFromAttributes({
    "service.name": process.env.OTEL_SERVICE_NAME ?? "windward",
  }),
  sampler: new ParentBasedSampler({
    root: new TraceIdRatioBasedSampler(Number(process.env.OTEL_TRACES_SAMPLER_ARG ?? 0.01)),
  }),
  spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
});

context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
trace.setGlobalTracerProvider(provider);

/** Windward calls it as the last thing it does. */
export const stop = () => provider.shutdown();
