/**
 * The guarantee: mails that the server does not take raise their alarms, through real metrics,
 * rules and a real Prometheus (Decision 0130). In production, the only stage that sends mail.
 */

import { after, before, test } from "node:test";
import pg from "pg";
import { sql } from "../../../src/infra/db/query.ts";
import { freshDatabase, type TestDatabase } from "../../../testkit/database.ts";
import { freePort } from "../../../testkit/free-port.ts";
import { PRODUCTION_SETTINGS, startSmtpServer } from "../../../testkit/mails.ts";
import { endAll, start } from "../../../testkit/processes.ts";
import { startService, type TestService } from "../../../testkit/service.ts";
import { queue } from "../../mail/support.ts";
import { type Watch, watch } from "./stage.ts";

let database: TestDatabase;
let service: TestService;
let watched: Watch;
const smtp = await startSmtpServer();

before(async () => {
  database = await freshDatabase();
  const settings = { ...PRODUCTION_SETTINGS, SMTP_URL: smtp.url };
  service = await startService({ database, settings });
  const port = await freePort();
  const worker = { ROLE: "worker", DATABASE_URL: database.url, METRICS_PORT: String(port) };
  await start({ settings: { ...settings, ...worker } });
  watched = await watch([{ job: "windward", role: "worker", address: `127.0.0.1:${port}` }]);
});
after(async () => {
  await watched?.stop();
  await endAll();
  await service?.stop();
  await database?.drop();
  await smtp.stop();
});

test("mails that are refused, held by a forgotten session and given up are noticed", async () => {
  const { db } = service.ctx;
  smtp.refuse("DATA", { code: 451, text: "4.3.2 Not now" });
  await watched.raised("MailsFail", () => queue(service));
  const forgotten = new pg.Client({ connectionString: database.url });
  await forgotten.connect();
  await forgotten.query("begin; select from mails for update");
  await service.clock.advance({ hours: 2 });
  await watched.raised("MailsOld");
  await forgotten.end();
  await db.run(sql`update mails set attempt_count = 7 where state = 'waiting'`);
  await service.clock.advance({ hours: 24 });
  await watched.raised("MailsGivenUp");
});

test("once it takes them, the alarms are over", async () => {
  smtp.refuse("DATA", undefined);
  await queue(service);
  await watched.ended("MailsOld");
  await watched.ended("MailsFail");
});
