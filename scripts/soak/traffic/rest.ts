/**
 * The rest of the routes, each now and then: nothing is left out of the weather. What an answer
 * must be is told by the contract, and by what was there before.
 */

import { type Client, expectStatus, write } from "./client.ts";
import type { WireRequest } from "./wire.ts";

const READS = [
  "/user/payment-key?environment=sandbox",
  "/auth/keys",
  "/docs",
  "/metrics",
  "/checkout/assets/nothing.css",
  "/pictures/00000000000000000000000000000000",
  "/trusted-cards/00000000-0000-4000-8000-000000000000",
  "/user/banks/nowhere",
];

const HEAVY = ["/openapi.json", "/docs/reference.js"];

export async function doTheRest(client: Client): Promise<void> {
  const { chance, me, wire, diary } = client;
  const way = chance.weigh({ read: 40, endpoint: 40, report: 5, key: 5, refused: 10 });
  if (way === "endpoint") return useEndpoint(client);
  if (way === "read") {
    const path = chance.pick([
      ...READS,
      `/auth/keys/${me.kid}`,
      `/webhooks/${me.endpointId}`,
      `/webhooks/${me.endpointId}/deliveries`,
    ]);
    diary.reads.count += 1;
    const heavy = chance.percent(3) ? chance.pick(HEAVY) : path;
    await wire.send({ method: "GET", path: heavy, token: me.token });
  } else if (way === "report") {
    const json = { reports: [] };
    await write(client, "report sent", { method: "POST", path: "/reports/csp", json });
  } else if (way === "key")
    await write(client, "payment key rotated", {
      method: "POST",
      path: "/user/payment-key/rotate",
      json: { environment: "sandbox" },
      idempotencyKey: client.word(),
      token: me.token,
    });
  else await askForNonsense(client);
}

/** Refused by its fields: a refusal in bad weather is a refusal, or no answer, and nothing else. */
async function askForNonsense(client: Client): Promise<void> {
  const { chance, me, wire } = client;
  const token = me.token;
  const path = "/user/banks/nowhere";
  const signIn = "/auth/tokens";
  const asked: WireRequest = chance.pick<WireRequest>([
    { method: "POST", path: "/withdrawals/", json: { amount: "-5" }, token },
    { method: "POST", path: "/plugins/payments/request", form: { total: "1e999" } },
    { method: "POST", path: signIn, json: { email: me.email, password: "wrong one" } },
    { method: "POST", path, json: {}, token },
    { method: "PATCH", path, json: {}, token },
    { method: "DELETE", path, token },
  ]);
  const outcome = await wire.insist(asked);
  expectStatus(client, asked, outcome, asked.path === signIn ? [400, 401] : [400]);
}

/** Tests and replays of the merchant's first endpoint; or an endpoint that comes and goes. */
async function useEndpoint(client: Client): Promise<void> {
  const { chance, me, wire } = client;
  const at = `/webhooks/${me.endpointId}`;
  const keyed = () => ({ idempotencyKey: client.word(), ...client.credential() });
  const way = chance.weigh({ test: 35, replay: 10, resend: 20, passing: 35 });
  if (way === "test") {
    const asked: WireRequest = { method: "POST", path: `${at}/test`, ...keyed() };
    expectStatus(client, asked, await write(client, "test sent", asked), [202, 409]);
  } else if (way === "replay") {
    const json = { since: new Date(Date.now() - 20_000).toISOString(), only_failed: true };
    const asked: WireRequest = { method: "POST", path: `${at}/replay`, json, ...keyed() };
    expectStatus(client, asked, await write(client, "replayed", asked), [202, 409, 400]);
  } else if (way === "resend") {
    const list: WireRequest = { method: "GET", path: `${at}/deliveries`, token: me.token };
    const [first] = (await wire.send(list))?.body?.data ?? [];
    if (first === undefined) return;
    const asked: WireRequest = {
      method: "POST",
      path: `${at}/deliveries/${first.id}/resend`,
      ...keyed(),
    };
    expectStatus(client, asked, await write(client, "sent again", asked), [202, 409]);
  } else await passingEndpoint(client, keyed);
}

async function passingEndpoint(
  client: Client,
  keyed: () => Pick<WireRequest, "idempotencyKey" | "token" | "key">,
): Promise<void> {
  const word = client.word();
  const json = {
    url: `http://127.0.0.1:9/${word}`,
    environment: "sandbox",
    events: ["webhook.test"],
    description: word,
  };
  const asked: WireRequest = { method: "POST", path: "/webhooks", json, ...keyed() };
  const outcome = await write(client, "endpoint made", asked);
  expectStatus(client, asked, outcome, [201, 409]);
  const id = outcome.answer?.body?.data?.id;
  if (outcome.answer?.status !== 201) return;
  const rotation: WireRequest = { method: "POST", path: `/webhooks/${id}/rotate`, ...keyed() };
  expectStatus(client, rotation, await write(client, "secret rotated", rotation), [200]);
  const removal: WireRequest = {
    method: "DELETE",
    path: `/webhooks/${id}`,
    token: client.me.token,
  };
  const removed = await write(client, "endpoint removed", removal);
  expectStatus(client, removal, removed, removed.unsure > 0 ? [200, 404] : [200]);
}
