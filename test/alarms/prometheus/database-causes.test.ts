/**
 * The guarantee: a standby that is lost and changes that are not archived raise their alarms,
 * through real metrics, rules and a real Prometheus (Decision 0130).
 */

import { after, before, test } from "node:test";
import { clean } from "../../../testkit/database-owners.ts";
import { freePort } from "../../../testkit/free-port.ts";
import { endAll, start, UNHINDERED } from "../../../testkit/processes.ts";
import { startService, type TestService } from "../../../testkit/service.ts";
import { startPair } from "../../../testkit/standby.ts";
import { openShop, type Shop } from "../../../testkit/transactions.ts";
import { hostOf, type Watch, watch } from "./stage.ts";

let pair: Awaited<ReturnType<typeof startPair>>;
let service: TestService;
let shop: Shop;
let watched: Watch;

before(async () => {
  pair = await startPair({}, { archive_mode: "on" });
  service = await startService(pair.options);
  shop = await openShop(service);
  const port = await freePort();
  const own = { ROLE: "worker", DATABASE_URL: pair.primary.url, METRICS_PORT: String(port) };
  await start({ settings: { ...UNHINDERED, ...own } });
  watched = await watch([
    { job: "windward", role: "web", address: hostOf(service.url) },
    { job: "windward", role: "worker", address: `127.0.0.1:${port}` },
  ]);
});
after(async () => {
  await watched?.stop();
  await endAll();
  await service?.stop();
  await pair?.standby.stop();
  await clean();
});

async function set(name: string, value: string): Promise<void> {
  await pair.primary.query(`alter system set ${name} = '${value}'`);
  await pair.primary.query("select pg_reload_conf()");
}

test("a standby that is lost is not read from, and missed by commits that wait for it", async () => {
  await watched.holds("windward_database_standbys == 1");
  await pair.standby.kill();
  const read = () => service.request("/transactions/?page_size=5", { token: shop.token });
  await watched.raised("StandbyNotRead", read);
  await set("synchronous_standby_names", "standby");
  await watched.raised("NoStandby");
  await set("synchronous_standby_names", "");
  await watched.ended("NoStandby");
});

test("changes that cannot be archived are noticed, until they can", async () => {
  await set("archive_command", "false");
  await pair.primary.query("select pg_switch_wal()");
  await watched.raised("ArchiveFails");
  await set("archive_command", "true");
  await watched.ended("ArchiveFails");
});
