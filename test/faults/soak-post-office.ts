/** The soak's post office in a test's own process: its service, its database and its mailbox. */

import { startMailbox } from "../../scripts/soak/mailbox.ts";
import { furnish, type PostOffice, postSettings } from "../../scripts/soak/post-office.ts";
import { chanceOf } from "../../scripts/soak/random.ts";
import { readConfig } from "../../src/infra/config.ts";
import { openDatabase } from "../../src/infra/db/database.ts";
import { createLog } from "../../src/infra/log.ts";
import { runService } from "../../src/run-service.ts";
import { freshDatabase } from "../../testkit/database.ts";

const SEED = 7;
const log = createLog({ level: "silent" });

/** Closing it ends all of it. */
export async function openPost(): Promise<PostOffice> {
  const mailbox = await startMailbox(chanceOf(SEED, "mailbox"));
  const database = await freshDatabase();
  const { url } = database;
  const config = readConfig({ ...postSettings(mailbox, url), PORT: "0" });
  const service = await runService({ config, databaseUrl: url, log });
  const db = openDatabase({ url, connectionsMax: 2, log });
  const port = Number(new URL(service.address ?? "").port);
  const office = await furnish({ db, port, mailbox, seed: SEED });
  return {
    ...office,
    async close() {
      await office.close();
      await db.close();
      await service.stop();
      await database.drop();
      await mailbox.stop();
    },
  };
}
