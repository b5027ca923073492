/**
 * Runs in a thread of its own (see `reference-page.ts`): the viewer's script, gzipped, and then the
 * end.
 */

import { parentPort } from "node:worker_threads";
import { gzipSync } from "node:zlib";
import scalar from "@scalar/fastify-api-reference";
import Fastify from "fastify";

/** Nothing is asked of anybody else's servers: no fonts, no proxy, no telemetry, no assistant. */
const SETTINGS = {
  url: "/openapi.json",
  withDefaultFonts: false,
  telemetry: false,
  proxyUrl: "",
  hideClientButton: true,
  showDeveloperTools: "never",
  agent: { disabled: true },
  mcp: { disabled: true },
};

const app = Fastify();
await app.register(scalar, { routePrefix: "/docs", configuration: { url: "/openapi.json" } });
const bundle = await app.inject("/docs/js/scalar.js");
/** What stood there to be read meanwhile makes room. */
const start = `
document.querySelector(".plain")?.remove();
Scalar.createApiReference("#reference", ${JSON.stringify(SETTINGS)});
`;
parentPort?.postMessage(gzipSync(bundle.body + start));
