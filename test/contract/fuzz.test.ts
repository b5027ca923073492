/**
 * No input makes a 5xx, and every answer has a documented shape: random requests to
 * every route, each answer held against the OpenAPI document. `npm run fuzz` sends many
 * more; a failure prints its seed, which belongs in a named test.
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import fc from "fast-check";
import { appRoutes } from "../../src/app.ts";
import { SCOPES } from "../../src/kit/scopes.ts";
import { mintToken } from "../../testkit/credentials.ts";
import { createCast } from "../../testkit/fuzz/cast.ts";
import { damages, sendDamaged } from "../../testkit/fuzz/damaged-requests.ts";
import { GOOD_BODIES } from "../../testkit/fuzz/good-bodies.ts";
import { badLines, judgeAnswer } from "../../testkit/fuzz/judge-answer.ts";
import { LEADS } from "../../testkit/fuzz/leads.ts";
import { type FuzzRequest, requestsTo } from "../../testkit/fuzz/requests.ts";
import { createNoteTable, createProbes } from "../../testkit/probe-routes.ts";
import { fuzzRuns } from "../../testkit/proof-counts.ts";
import { routeName } from "../../testkit/route-requests.ts";
import { startService } from "../../testkit/service.ts";

const probes = createProbes();
const service = await startService({
  extraRoutes: probes.routes,
  settings: { TRUSTED_PROXIES: "127.0.0.0/8" },
});
const { ctx } = service;
await createNoteTable(ctx.db);
after(() => service.stop());
const shop = await service.world.mainMerchant();
const cast = await createCast(service, { looksAround: false });

/** Two fail or wait because a test asks them to; a file of megabytes; a stream of a minute. */
const NO_TARGETS = ["/probe/broken", "/probe/slow", "/docs/reference.js", "/console/live"];
const routes = [...appRoutes(ctx), ...probes.routes].filter(
  ({ path }) => !NO_TARGETS.includes(path),
);

function isAskedToFail({ body }: FuzzRequest): boolean {
  const { mood } = { ...(body.json as { mood?: unknown } | null), ...body.form };
  return mood === "broken" || mood === "slow";
}

test("random requests to every route get documented answers and no 5xx", async () => {
  const requests = requestsTo(routes).filter((request) => !isAskedToFail(request));
  const statuses = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(requests, async (request) => {
      const sent = await cast.ready(request);
      const answer = await service.request(sent.path, sent);
      judgeAnswer(ctx.config, sent, answer);
      cast.learn(request, sent, answer);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    }),
    { numRuns: fuzzRuns({ usual: 2_000, proof: 4_000 }) },
  );
  // A fuzzer that never gets past the first check proves nothing.
  for (const status of [200, 303, 400, 401, 403, 404, 405, 413, 415])
    assert(statuses.has(status), `no request was answered with ${status}`);
});

test("good bodies, and what leads to a route, are of routes that there are", () => {
  const known = new Set(routes.map(routeName));
  const named = [...Object.keys(GOOD_BODIES), ...Object.entries(LEADS).flat(2)];
  assert.deepEqual(
    named.filter((name) => !known.has(name)),
    [],
  );
});

test("damaged requests are answered or cut off, and never with a 5xx", async () => {
  const { token } = await mintToken(ctx, shop, SCOPES);
  await fc.assert(
    fc.asyncProperty(damages, (damage) => sendDamaged(service.url, token, damage)),
    { numRuns: fuzzRuns({ usual: 150, proof: 300 }) },
  );
});

test("afterwards the service is well and knows of no mistake of its own", async () => {
  await cast.settled();
  assert.equal((await service.request("/readyz")).status, 200);
  const { token } = await mintToken(ctx, shop, SCOPES);
  assert.equal((await service.request("/auth/whoami", { token })).status, 200);
  assert.deepEqual(badLines(service.logged), []);
  assert.deepEqual(Object.keys(Object.prototype), []);
});
