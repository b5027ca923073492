/** What leads to mails: a merchant asks for a receipt again, somebody forgot a password. */

import { hiddenOf } from "../../../testkit/console.ts";
import { type Client, expectStatus, write } from "./client.ts";
import type { WireRequest } from "./wire.ts";

const FORGOT = "/forgot";

export async function askForMail(client: Client): Promise<unknown> {
  return client.chance.percent(75) ? askForReceipt(client) : forget(client);
}

/** Each request is a mail of its own. */
export async function askForReceipt(client: Client, email?: string): Promise<boolean> {
  const { chance, diary, paid } = client;
  if (paid.length === 0) return false;
  const { id, environment } = chance.pick(paid);
  const word = client.word();
  const counts = diary.receipts.get(id) ?? { sent: 0, told: 0 };
  diary.receipts.set(id, counts);
  counts.sent += 1;
  const asked: WireRequest = {
    method: "POST",
    path: `/transactions/${id}/receipt`,
    json: { email: email ?? `${word}@example.com` },
    idempotencyKey: word,
    ...client.credential(environment),
  };
  const outcome = await write(client, "receipt asked for", asked);
  // 429: five an hour for a payment.
  expectStatus(client, asked, outcome, [202, 429]);
  if (outcome.answer?.status === 202) counts.told += 1;
  return true;
}

/** The answer is the same whether anybody has that address. */
export async function forget(client: Client): Promise<void> {
  const { diary, me, wire } = client;
  const { answer: page } = await wire.insist({ method: "GET", path: FORGOT });
  if (page?.status !== 200) return;
  const form = { ...hiddenOf(page), email: me.email };
  const asked: WireRequest = { method: "POST", path: FORGOT, form, isFromPage: true };
  const outcome = await write(client, "password forgotten", asked);
  expectStatus(client, asked, outcome, [200, 429]);
  if (outcome.answer?.status === 200) diary.forgotten.add(me.email);
}
