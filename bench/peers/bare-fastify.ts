/**
 * A yardstick: Fastify with a route that does nothing but send the JSON it was given (and read the
 * one that is posted), as a process of its own. `node bare-fastify.ts '<json>'` tells its parent
 * the address.
 */

import Fastify from "fastify";

const bodies: Record<string, unknown> = JSON.parse(process.argv[2] ?? "{}");
const app = Fastify();
for (const [path, body] of Object.entries(bodies)) {
  app.get(path, async () => body);
  app.post(path, async () => body);
}
const address = await app.listen({ host: "127.0.0.1", port: 0 });
process.send?.({ address });
process.on("disconnect", () => process.exit(0));
