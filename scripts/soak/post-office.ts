/**
 * A house of its own whose mail leaves: in development none does (Decision 0086), so one process in
 * the production stage stands beside the others, on a database of its own in the same PostgreSQL,
 * in the same weather. Its merchants do what mails are sent about.
 */

import pg from "pg";
import { readConfig } from "../../src/infra/config.ts";
import { type Database, openDatabase } from "../../src/infra/db/database.ts";
import { migrate } from "../../src/infra/db/migrate.ts";
import { createLog } from "../../src/infra/log.ts";
import { PRODUCTION_SETTINGS } from "../../testkit/mails.ts";
import { NO_LIMITS } from "../../testkit/no-limits.ts";
import type { Tool } from "../../testkit/tool/run-tool.ts";
import type { House } from "./house.ts";
import { type Mailbox, startMailbox } from "./mailbox.ts";
import { makeMerchants, signIn } from "./merchants.ts";
import { openPatiently } from "./open-patiently.ts";
import { chanceOf } from "./random.ts";
import { watchAnswers } from "./traffic/answer-watch.ts";
import { type Client, openClient } from "./traffic/client.ts";
import { Diary } from "./traffic/diary.ts";
import { openWire } from "./traffic/wire.ts";

const DATABASE = "post";
const MERCHANTS = 5;
const SCOPES = "svc-user-all svc-transactions-all";

export interface PostOffice {
  readonly db: Database;
  readonly mailbox: Mailbox;
  readonly clients: readonly Client[];
  readonly diary: Diary;
  readonly wrong: () => readonly string[];
  close(): Promise<void>;
}

export function postSettings(mailbox: Mailbox, databaseUrl: string): Record<string, string> {
  return {
    ...PRODUCTION_SETTINGS,
    ...NO_LIMITS,
    ROLE: "all",
    DATABASE_URL: databaseUrl,
    SMTP_URL: mailbox.url,
    OVERLOAD_LOOP_DELAY_MS: "0",
    LOG_LEVEL: "warn",
  };
}

export async function openPostOffice(house: House, tool: Tool, seed: number): Promise<PostOffice> {
  const admin = new pg.Client({ connectionString: house.databaseUrl });
  await admin.connect();
  await admin.query(`create database ${DATABASE}`);
  await admin.end();
  const at = (url: string) => Object.assign(new URL(url), { pathname: `/${DATABASE}` }).href;
  const url = at(house.databaseUrl);
  const log = createLog({ level: "silent" });
  await migrate({ url, log });
  const chance = chanceOf(seed, "mailbox");
  const mailbox = await tool.keep(
    () => startMailbox(chance),
    (started) => started.stop(),
  );
  const settings = postSettings(mailbox, at(house.settings.DATABASE_URL ?? ""));
  const { port = 0 } = await house.open("post office", settings);
  const db = openDatabase({ url, connectionsMax: 2, log });
  const patient = openPatiently(url, db);
  tool.add(() => Promise.all([db.close(), patient.close()]).then(() => {}));
  const office = await furnish({ db: patient, port, mailbox, seed });
  tool.add(() => office.close());
  return office;
}

/** Its merchants, each with a client. */
export async function furnish(given: {
  db: Database;
  port: number;
  mailbox: Mailbox;
  seed: number;
}): Promise<PostOffice> {
  const { db, port, mailbox, seed } = given;
  const diary = new Diary();
  const watch = watchAnswers();
  const wire = openWire([port], watch, PRODUCTION_SETTINGS.PUBLIC_URL);
  const blanks = await makeMerchants(db, MERCHANTS, readConfig(PRODUCTION_SETTINGS));
  const clients: Client[] = [];
  for (const [turn, blank] of blanks.entries()) {
    const token = await signIn({ wire, watch }, blank, SCOPES);
    const me = { ...blank, token, key: "", kid: "", endpointId: "" };
    const name = `p${turn + 1}`;
    const kind = { isFirst: true, isEveryDay: false, hasAcquirer: false, others: [] };
    clients.push(
      openClient({ name, me, ...kind, chance: chanceOf(seed, name), wire, watch, diary }),
    );
  }
  return {
    ...{ db, mailbox, clients, diary },
    wrong: () => [...watch.wrong, ...[...diary.seenWrong.values()].flat()],
    close: () => wire.close(),
  };
}
