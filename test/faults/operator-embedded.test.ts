/**
 * The guarantee: without DATABASE_URL the commands find the embedded database of a Windward that is
 * running, and work beside it.
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { demoSignIn } from "../../testkit/ask.ts";
import { makeDataDir } from "../../testkit/database-owners.ts";
import { operatorProcess, SIGNED } from "../../testkit/operator.ts";
import { endAll, start, UNHINDERED } from "../../testkit/processes.ts";

after(endAll);

test("freezing an account of a running Windward ends its token there at once", async () => {
  const settings = { ...UNHINDERED, DATA_DIR: await makeDataDir() };
  const running = await start({ settings });
  const signedIn = await running.ask("/auth/tokens", demoSignIn());
  const token: string = signedIn.body.access_token;
  assert.equal((await running.ask("/auth/whoami", { token })).status, 200);
  const said = await operatorProcess(undefined, ["freeze-account", "1234567890", ...SIGNED], {
    settings,
  });
  assert.deepEqual([said.code, said.stderr], [0, ""]);
  assert.equal((await running.ask("/auth/whoami", { token })).status, 401);
  assert.equal((await running.ask("/auth/tokens", demoSignIn())).status, 401);
  await running.stop();
});
