/** An endpoint whose secret cannot be opened is named in the error, and delays no other. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import { beginAttempts } from "../../src/modules/webhooks/begin-attempts.ts";
import { claimEndpoints } from "../../src/modules/webhooks/claim-endpoint.ts";
import { setScene, type TestEndpoint } from "../../testkit/webhooks.ts";

const scene = await setScene();
const { ctx } = scene.service;

async function claimFirstOf(shop: TestEndpoint) {
  const [eventId = ""] = await scene.tell(shop);
  const { delivery_id: deliveryId } = await scene.delivery(shop, eventId);
  const [held] = await claimEndpoints(ctx.db, [shop.endpointId]);
  assert(held !== undefined);
  return { claim: held.claim, deliveryId };
}

test("of two deliveries that begin together, the one with a lost key fails alone", async () => {
  const [broken, well] = [await scene.endpoint(), await scene.endpoint()];
  await ctx.db.run(sql`
    update webhook_endpoints set secret_key_id = 'lost'
    where endpoint_id = ${broken.endpointId}`);
  const wanted = [await claimFirstOf(broken), await claimFirstOf(well)];
  const [failed, begun] = await beginAttempts(ctx, wanted);
  assert(failed instanceof Error);
  assert.match(failed.message, new RegExp(`endpoint ${broken.endpointId} cannot be opened`));
  assert(begun !== undefined && !(begun instanceof Error));
  assert.equal(begun.delivery_id, wanted[1]?.deliveryId);
});
