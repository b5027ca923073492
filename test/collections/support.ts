/** A fresh Windward as `npm start` runs it, with the demo world, on a database of its own. */

import { readConfig } from "../../src/infra/config.ts";
import { createLog } from "../../src/infra/log.ts";
import { runService } from "../../src/run-service.ts";
import { freshDatabase } from "../../testkit/database.ts";
import { freePort } from "../../testkit/free-port.ts";

export interface DemoService {
  readonly url: string;
  stop(): Promise<void>;
}

export async function startDemoService(): Promise<DemoService> {
  const database = await freshDatabase();
  const settings = {
    PORT: String(await freePort()),
    PASSWORD_HASHING: "floor",
    OVERLOAD_LOOP_DELAY_MS: "0", // the test's own requests keep the same thread busy
  };
  const log = createLog({ level: "warn", write: () => {} });
  const service = await runService({
    config: readConfig(settings),
    databaseUrl: database.url,
    log,
  });
  return {
    url: `http://127.0.0.1:${settings.PORT}`,
    async stop() {
      await service.stop();
      await database.drop();
    },
  };
}
