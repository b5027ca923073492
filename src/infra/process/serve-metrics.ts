/** Metrics on a port of their own, for all processes together. */

import cluster from "node:cluster";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { AggregatorRegistry, register } from "prom-client";

export async function serveMetrics(options: { host: string; port: number }): Promise<Server> {
  const aggregator = cluster.isPrimary && hasWorkers() ? new AggregatorRegistry() : undefined;
  const server = createServer(async (request, response) => {
    if (request.url !== "/metrics") return void response.writeHead(404).end();
    try {
      const text = await (aggregator?.clusterMetrics() ?? register.metrics());
      response.writeHead(200, { "content-type": register.contentType }).end(text);
    } catch {
      response.writeHead(503).end();
    }
  });
  server.listen(options.port, options.host);
  await once(server, "listening").catch((error) => {
    throw Object.assign(error, { setting: "METRICS_PORT" });
  });
  return server;
}

function hasWorkers(): boolean {
  return Object.keys(cluster.workers ?? {}).length > 0;
}
