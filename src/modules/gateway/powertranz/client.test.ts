/**
 * The guarantee: a call that was written down long ago is not sent, because others may have given
 * it up by then; and it does not count as a failure of the gateway.
 */

import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { createClient } from "./client.ts";

let calls = 0;
const server = createServer((_request, response) => {
  calls += 1;
  response.end("{}");
});
before(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
after(() => server.close());

test("what was written down too long ago is not sent", async () => {
  const { port } = server.address() as AddressInfo;
  const events = { onDown() {}, onUp() {} };
  const url = `http://127.0.0.1:${port}/api/`;
  const client = createClient({ url, gatewayKey: undefined }, events);
  const call = { method: "POST", path: "spi/payment", isFinancial: true } as const;
  for (let at = 0; at < 12; at++)
    await assert.rejects(
      client.call({ ...call, writtenAt: performance.now() - 6_000 }),
      /too long ago/,
    );
  assert.deepEqual([calls, client.state()], [0, "up"]);
  await client.call({ ...call, writtenAt: performance.now() });
  assert.equal(calls, 1);
  await client.stop();
});
