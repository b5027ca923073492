/**
 * The end of every test of live payments: no card number, security code, SpiToken or password in
 * the log, in a table or in a metric.
 */

import assert from "node:assert/strict";
import { register } from "prom-client";
import { codesIn, dumpTables, numbersIn } from "../secrets-search.ts";
import type { TestService } from "../service.ts";
import { CARDS } from "./cards.ts";
import type { PowertranzFake } from "./fake.ts";

/** As `newToken` makes them. */
const SPI_TOKEN = /[0-9a-z]{50}-[0-9a-f]{8}/;
const NUMBERS = new Set(
  CARDS.flatMap(({ numbers }) => numbers).filter(({ length }) => length === 16),
);

/** `codes`: the security codes that were typed. */
export async function expectNoSecrets(
  service: Pick<TestService, "ctx" | "logged">,
  { password }: Pick<PowertranzFake, "password">,
  codes: readonly string[] = ["739"],
): Promise<void> {
  const dumped = await dumpTables(service.ctx.db);
  assert(dumped.length > 0, "there is something to search");
  const places = { log: service.logged, tables: dumped, metrics: [await register.metrics()] };
  for (const [place, lines] of Object.entries(places)) {
    for (const line of lines) {
      assert.deepEqual(numbersIn(line, NUMBERS), [], `a card number in the ${place}`);
      assert(!SPI_TOKEN.test(line), `an SpiToken in the ${place}`);
      assert(!line.includes(password), `the password in the ${place}`);
    }
  }
  const typed = new Set(codes);
  assert.deepEqual(codesIn([...service.logged, ...dumped], typed), [], "a security code");
}
