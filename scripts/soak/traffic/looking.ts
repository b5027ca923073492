/**
 * Reading, and reading what is somebody else's: what is told must be what was told before, the feed
 * has no gap, and another's records are as if they did not exist.
 */

import type { Client, Merchant } from "./client.ts";
import type { Answered, WireRequest } from "./wire.ts";

const PUBLIC = [
  "/plugins/get/states?country_code=US",
  "/plugins/get/currencies?country_code=TT",
  "/plugins/get/environments",
  "/plugins/get/fee_structures",
  "/withdrawals/meta?country_code=TT",
  "/.well-known/jwks.json",
  "/livez",
  "/readyz",
];
const OWN = [
  "/auth/whoami",
  "/user/",
  "/user/banks",
  "/user/banks/local",
  "/user/banks/foreign",
  "/transactions/?environment=sandbox&page_size=20",
  "/transactions/fees?total=100.00",
  "/transactions/meta?environment=sandbox",
  "/withdrawals/?environment=sandbox",
  "/trusted-cards/?environment=sandbox",
  "/webhooks?environment=sandbox",
];

export async function look(client: Client): Promise<void> {
  const { chance, diary } = client;
  const way = chance.weigh({ public: 12, own: 40, one: 30, foreign: 18 });
  diary.reads.count += 1;
  if (way === "public") await read(client, { path: chance.pick(PUBLIC) });
  else if (way === "own")
    judgeList(client, await read(client, { path: chance.pick(OWN), ...client.credential() }));
  else if (way === "one") await readOne(client);
  else await readForeign(client);
}

/** Of the newest requests in the log, none is of another account. */
export async function readRequests(client: Client): Promise<void> {
  const { diary, me, watch } = client;
  const path = "/requests?page_size=50";
  const answer = await read(client, { path, ...client.credential() });
  diary.reads.count += 1;
  if (answer?.status !== 200) return;
  for (const { request_id: id } of answer.body.data) {
    const known = watch.answered.get(id);
    if (known !== undefined && !known.endsWith(` of ${me.accountNumber}`))
      diary.complain("requests", `${me.accountNumber} is shown ${id}: ${known}`);
  }
}

function read({ wire }: Client, asked: Omit<WireRequest, "method">): Promise<Answered | undefined> {
  return wire.send({ method: "GET", ...asked });
}

/** Every record of a list is the reader's own. */
function judgeList({ diary, me }: Client, answer: Answered | undefined): void {
  const rows: unknown = answer?.body?.data;
  if (answer?.status !== 200 || !Array.isArray(rows)) return;
  for (const { transaction_id: id } of rows) {
    const told = diary.payments.get(id) ?? diary.withdrawals.get(id);
    if (told !== undefined && told.accountNumber !== me.accountNumber)
      diary.complain("foreign records", `${id} was shown to ${me.accountNumber}`);
  }
}

async function readOne(client: Client): Promise<void> {
  const { diary, me, chance } = client;
  const paid = client.paid.length > 0 ? chance.pick(client.paid) : undefined;
  if (paid === undefined) return readFeed(client);
  const who = client.credential(paid.environment);
  const answer = await read(client, { path: `/transactions/${paid.id}`, ...who });
  if (answer === undefined || answer.status === 503) return;
  const told = diary.payments.get(paid.id);
  const { order_id: orderId, status, data } = answer.body.data ?? {};
  diary.try("reads of what was told");
  if (orderId !== told?.orderId || data !== told?.data || status !== "success")
    diary.complain("reads", `${paid.id} of ${me.accountNumber} is told otherwise: ${answer.text}`);
}

/** From where it stopped the last time: the next number, and the next, and none twice. */
export async function readFeed(client: Client): Promise<void> {
  const { diary, me } = client;
  const path = `/events?environment=sandbox&page_size=100&after=${client.sequence}`;
  const answer = await read(client, { path, token: me.token });
  diary.reads.count += 1;
  if (answer?.status !== 200) return;
  for (const event of answer.body.data) {
    diary.try("events read in order");
    if (event.sequence !== client.sequence + 1 || event.meta.account_number !== me.accountNumber)
      diary.complain("feed", `${me.accountNumber}: ${event.sequence} after ${client.sequence}`);
    client.sequence = event.sequence;
  }
}

async function readForeign(client: Client): Promise<void> {
  const { chance, diary, me } = client;
  const { id, at, owner } = chance.pick([...diary.recent, ...client.others.map(endpointOf)]);
  if (owner === me.accountNumber) return;
  const answer = await read(client, { path: at + id, ...client.credential() });
  if (answer === undefined || answer.status === 503) return;
  diary.try("reads of what is another's");
  if (answer.status !== 404)
    diary.complain("foreign records", `${me.accountNumber} got ${answer.status} at ${at}`);
}

const endpointOf = ({ endpointId, accountNumber }: Merchant) => ({
  id: endpointId,
  at: "/webhooks/",
  owner: accountNumber,
});
