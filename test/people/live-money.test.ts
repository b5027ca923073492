/**
 * Where it is demanded, as in production, an owner without a second factor moves no live money from
 * the console (Decision 0090).
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { consoleErrorPage } from "../../src/console/error-page.ts";
import {
  demandSecondFactorForLiveMoney,
  SecondFactorNeeded,
} from "../../src/console/live-money.ts";
import { readConfig } from "../../src/infra/config.ts";
import { ROLES } from "../../src/kit/roles.ts";
import { findHolder } from "../../src/modules/people/person.ts";
import { signInTo } from "../../testkit/console.ts";
import { setUpApp } from "../../testkit/second-factors.ts";
import { startService } from "../../testkit/service.ts";

const service = await startService({ settings: { OWNER_SECOND_FACTOR: "required" } });
after(() => service.stop());

test("only owners, only live, and only until they have a factor", async () => {
  const { ctx } = service;
  const who = await service.world.merchant();
  const tab = await signInTo(service, who);
  const person = await findHolder(ctx.db, who.accountNumber);
  assert(person !== undefined);
  const demand = (role: (typeof ROLES)[number], environment: "live" | "sandbox") =>
    demandSecondFactorForLiveMoney(ctx, { role, environment, person });
  await assert.rejects(demand("owner", "live"), SecondFactorNeeded);
  for (const role of ROLES) await demand(role, "sandbox");
  for (const role of ROLES.filter((each) => each !== "owner")) await demand(role, "live");
  await setUpApp(service, tab);
  await demand("owner", "live");
});

test("the refusal reads as a page that leads to the profile", () => {
  const refusal = new SecondFactorNeeded();
  const parts = { refusal, params: {}, body: undefined, header: () => undefined };
  const page = String(consoleErrorPage(refusal.status, parts).body);
  assert.match(page, /Add a second factor first/);
  assert.match(page, /href="\/console\/me"/);
});

test("production cannot do without it, and development need not", () => {
  assert.equal(readConfig({}).ownersNeedSecondFactor, false);
  const production = { STAGE: "production", OWNER_SECOND_FACTOR: "optional" };
  assert.throws(() => readConfig(production), /OWNER_SECOND_FACTOR must be required/);
});
