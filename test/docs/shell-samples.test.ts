/**
 * The shell samples of the guides work: each is run from top to bottom against a service with the
 * demo world. The test does what a guide asks a person to do: to pay at the page, and to copy.
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { seedDemoWorld } from "../../src/demo-world.ts";
import { expectBooksToBalance } from "../../testkit/books.ts";
import { freePort } from "../../testkit/free-port.ts";
import { startService } from "../../testkit/service.ts";
import { type Expected, followSamples, type Next } from "./follow-samples.ts";
import { payAt } from "./pay-at.ts";

const service = await startService({ settings: { PORT: String(await freePort()) } });
await seedDemoWorld(service.ctx);
after(() => service.stop());
const { publicUrl } = service.ctx.config.http;

const paid: Next = async (said) => {
  const [url = ""] = /http:\/\/[^"\s]+\/checkout\/[\w-]+/.exec(said) ?? [];
  const result = new URL(await payAt(url)).searchParams;
  assert.equal(result.get("status"), "success");
  return {
    "paste the uuid here": result.get("uuid") ?? "",
    "paste the amount here": result.get("total") ?? "",
  };
};

const GUIDES: Readonly<Record<string, readonly Expected[]>> = {
  "checkout.md": [{ says: /"message":"OK"/, next: paid }],
  "trusted-cards.md": [
    { says: /"message":"OK"/, next: paid },
    /"verified":true/,
    { says: /"message":"OK"/, next: paid },
    /"pan":"\*{12}1111".*"message":"OK"/s,
  ],
  "withdrawals.md": [
    /"message":"Created"/,
    /"status":"pending"/,
    /"message":"OK"/,
    /"message":"Created"/,
  ],
  "webhooks.md": [
    /"secret":"whsec_/,
    /"event_id".*\/deliveries.*"queued"/s,
    /"last_sequence"/,
    /"secret":"whsec_/,
  ],
  "migrating.md": [/deprecation: true/i],
};

for (const [guide, expected] of Object.entries(GUIDES))
  test(`the samples of ${guide} work from top to bottom`, async (t) => {
    await followSamples(t, { guide, expected, written: { "http://localhost:3000": publicUrl } });
    await expectBooksToBalance(service.ctx.db);
  });
