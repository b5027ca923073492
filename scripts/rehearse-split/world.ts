/**
 * What is split: the demo world, and for each part merchants with a record of nearly everything and
 * shops that callers buy from.
 */

import { MEMBERS_OF, seedDemoWorld } from "../../src/demo-world.ts";
import { fund } from "../../testkit/books.ts";
import type { TestDatabase } from "../../testkit/database.ts";
import { startService, type TestService } from "../../testkit/service.ts";
import { openOwner } from "../../testkit/withdrawals.ts";
import type { Merchant } from "../drill/callers.ts";
import { drillSettings } from "../drill/service.ts";
import type { Heads } from "./owners.ts";
import { keepRecordsOfAll } from "./records.ts";

/** In each part. */
const SHOPS = 6;
/** One for all services, as behind a proxy: a token of one is good for the next. */
const PUBLIC_URL = "http://pay.example";

export interface World {
  readonly heads: Heads;
  /** Of each part: callers buy from these. */
  readonly shops: readonly (readonly Merchant[])[];
}

export async function makeWorld(database: TestDatabase, parts: number): Promise<World> {
  const service = await startService({ database, settings: { PUBLIC_URL } });
  try {
    await seedDemoWorld(service.ctx);
    const shops = dealt(await makeShops(service, SHOPS * parts), parts);
    const heads: string[][] = [];
    for (const own of shops)
      heads.push([...(await keepRecordsOfAll(service)), ...own.map((shop) => shop.accountNumber)]);
    // Apart from another account that one of its members acts for: that person is in both parts.
    heads.at(-1)?.push(MEMBERS_OF);
    return { heads, shops };
  } finally {
    await service.stop();
  }
}

async function makeShops(service: TestService, count: number): Promise<Merchant[]> {
  const shops: Merchant[] = [];
  while (shops.length < count) {
    const { accountNumber, token } = await openOwner(service);
    await fund(service.ctx.db, accountNumber, "1000000.00 TTD");
    shops.push({ accountNumber, token });
  }
  return shops;
}

/** Of more than ten some have the same last digit: they are neighbours, and part. */
function dealt(shops: readonly Merchant[], parts: number): Merchant[][] {
  const digit = ({ accountNumber }: Merchant) => Number(accountNumber.slice(-1));
  const inOrder = shops.toSorted((a, b) => digit(a) - digit(b));
  return Array.from({ length: parts }, (_, part) => inOrder.filter((_, at) => at % parts === part));
}

/** Of the service as whole processes, on the database that is split or on a part. */
export function settingsFor({ url }: TestDatabase): Record<string, string> {
  return { ...drillSettings(url), PUBLIC_URL };
}
