/**
 * The guarantee: the environment of a process does not change where events go or whom we believe.
 * Node reads these variables when it starts, so a process of its own is asked.
 */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import https from "node:https";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { promisify } from "node:util";
import type { Outcome } from "../../src/infra/outbound/send.ts";
import { selfSigned } from "../../testkit/certificates.ts";
import { startRogue } from "./rogue-server.ts";

const SCRIPT = `
  const { createSender } = await import("./src/infra/outbound/send.ts");
  const { readConfig } = await import("./src/infra/config.ts");
  const sender = createSender({ config: readConfig({}) });
  const outcome = await sender.send({ url: process.argv[1], headers: {}, body: "{}" });
  await sender.stop();
  process.stdout.write(JSON.stringify(outcome));
`;

async function sendWith(env: Record<string, string>, url: string): Promise<Outcome> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--no-warnings", "--input-type=module", "--eval", SCRIPT, url],
    { env, cwd: new URL("../../", import.meta.url) },
  );
  return JSON.parse(stdout) as Outcome;
}

test("proxies that the environment names are not asked", async (t) => {
  const proxy = await startRogue((socket) => socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n"));
  const target = await startRogue((socket) => {
    socket.end("HTTP/1.1 204 No Content\r\n\r\n");
  });
  t.after(() => Promise.all([proxy.close(), target.close()]));
  const names = [
    "HTTP_PROXY",
    "http_proxy",
    "HTTPS_PROXY",
    "https_proxy",
    "ALL_PROXY",
    "all_proxy",
  ];
  const env = Object.fromEntries(names.map((name) => [name, `http://127.0.0.1:${proxy.port}`]));
  const outcome = await sendWith({ ...env, NODE_USE_ENV_PROXY: "1" }, target.url);
  assert.equal("status" in outcome && outcome.status, 204, JSON.stringify(outcome));
  assert.deepEqual([proxy.connectionCount(), target.connectionCount()], [0, 1]);
});

test("a certificate is verified even where the environment says that none should be", async (t) => {
  const server = https.createServer(selfSigned({ hosts: ["localhost"] }), (_, response) => {
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const env = { NODE_TLS_REJECT_UNAUTHORIZED: "0" };
  const outcome = await sendWith(env, `https://localhost:${port}/`);
  assert.equal("failure" in outcome && outcome.failure, "tls_failed", JSON.stringify(outcome));
});
