/** A collector of OpenTelemetry that takes spans by OTLP over HTTP, as JSON, and keeps them. */

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Absent of the first of a trace. */
  readonly parentSpanId?: string;
  readonly name: string;
  /** 2: server, 3: client, 5: consumer. */
  readonly kind: number;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  /** 2: an error. */
  readonly statusCode: number;
}

export interface Collector {
  readonly url: string;
  readonly spans: readonly CollectedSpan[];
  /** All that came, but times and the ids of spans, in which any digits may stand. */
  text(): string;
  close(): void;
}

type Value = { readonly stringValue?: string; readonly intValue?: number | string };

interface Sent extends Omit<CollectedSpan, "attributes" | "statusCode"> {
  readonly attributes: readonly { readonly key: string; readonly value: Value }[];
  readonly status: { readonly code: number };
}

interface Request {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly Sent[] }[];
  }[];
}

const MADE_UP = /TimeUnixNano$|^(trace|span|parentSpan)Id$/;

export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const texts: string[] = [];
  const server = createServer(async (request, response) => {
    const { resourceSpans } = (await json(request)) as Request;
    texts.push(JSON.stringify(resourceSpans, (key, value) => (MADE_UP.test(key) ? "" : value)));
    const sent = resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((one) => one.spans));
    spans.push(...sent.map(collected));
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    text: () => texts.join("\n"),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function collected({ attributes, status, ...span }: Sent): CollectedSpan {
  const values = attributes.map(({ key, value }) => [
    key,
    value.stringValue ?? Number(value.intValue),
  ]);
  return { ...span, attributes: Object.fromEntries(values), statusCode: status.code };
}
