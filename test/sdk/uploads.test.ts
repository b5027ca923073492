/** A file goes through the SDK like anything else: typed, with a key, once though it is lost. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, test } from "node:test";
import { createWindward } from "../../sdk/src/windward.ts";
import { mintKey } from "../../testkit/credentials.ts";
import { startService } from "../../testkit/service.ts";
import { startWire } from "./support.ts";

const FILE = new URL("../fixtures/pictures/baseline-libjpeg.jpg", import.meta.url);

const service = await startService();
const wire = await startWire(service.url);
after(async () => {
  await wire.close();
  await service.stop();
});

test("a picture is created when its first request and its first answer are lost", async () => {
  const shop = await service.world.merchant();
  const { key: apiKey } = await mintKey(service.ctx, shop, ["svc-user-all"], { prefix: "live" });
  const windward = createWindward({ baseUrl: wire.url, apiKey });
  const picture = new Blob([await readFile(FILE)]);
  wire.fate("/user/picture", "before", "after");
  const { message } = await windward.POST("/user/picture", { body: { picture } });
  assert.equal(message, "Created");
  assert.equal(wire.requests.length, 3);
  const { data } = await windward.GET("/user/");
  assert.match(data.profile_picture ?? "", /\/pictures\//);
});
