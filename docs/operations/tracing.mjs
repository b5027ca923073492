/**
 * Starts an OpenTelemetry SDK for Windward, by TRACING=<path of this file>: what is traced goes to
 * a collector, by OTLP over HTTP. `test/faults/traces.test.ts` runs this very file.
 *
 * By environment: OTEL_SERVICE_NAME, OTEL_EXPORTER_OTLP_ENDPOINT (http://localhost:4318 without it)
 * and the exporter's other variables.
 */

import process from "node:process";
import { trace } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";

const provider = new TracerProvider({
  resource: resourceFromAttributes({
    "service.name": process.env.OTEL_SERVICE_NAME ?? "windward",
  }),
  spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
});

trace.setGlobalTracerProvider(provider);

/** Windward calls it as the last thing it does. */
export const stop = () => provider.shutdown();
