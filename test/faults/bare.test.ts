/**
 * A service without a proxy in front is not taken down for good by slow clients: those that never
 * finish their headers are cut off, and honest requests are answered meanwhile and afterwards.
 */

import assert from "node:assert/strict";
import { once } from "node:events";
import net from "node:net";
import { after, test } from "node:test";
import { startService } from "../../testkit/service.ts";
import { until } from "../../testkit/until.ts";

const SLOW_CLIENTS = 2_000;
const AT_ONCE = 100;
const BYTE_EVERY_MS = 2_000;
/** Node cuts off headers after 10 s; a busy machine gets all the time it needs. */
const RECOVERY_SECONDS = 120;

const service = await startService();
after(() => service.stop());
const { hostname, port } = new URL(service.url);

async function slowClient(open: Set<net.Socket>): Promise<void> {
  const socket = net.connect({ host: hostname, port: Number(port) });
  socket.on("error", () => {}).resume();
  open.add(socket);
  socket.once("close", () => open.delete(socket));
  await once(socket, "connect").catch(() => {});
  socket.write("GET /auth/whoami HTTP/1.1\r\nX-Slow: ");
}

test("2,000 clients that send headers byte by byte neither stop the service nor stay", async (t) => {
  const open = new Set<net.Socket>();
  const dripping = setInterval(() => {
    for (const socket of open) socket.write("x");
  }, BYTE_EVERY_MS);
  t.after(() => {
    clearInterval(dripping);
    for (const socket of open) socket.destroy();
  });
  for (let begun = 0; begun < SLOW_CLIENTS; begun += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, () => slowClient(open)));
  for (const path of ["/livez", "/readyz", "/openapi.json"])
    assert.equal((await service.request(path)).status, 200, path);
  await until(() => open.size === 0, "the slow clients are cut off", RECOVERY_SECONDS);
  const connections = () =>
    new Promise<number>((resolve) =>
      service.server.http.getConnections((_error, count) => resolve(count)),
    );
  await until(async () => (await connections()) < 10, "their connections are gone");
  assert.equal((await service.request("/auth/whoami")).status, 401);
});
