/** What the merchants of the post office do: things that somebody gets a mail about. */

import { setTimeout as sleep } from "node:timers/promises";
import { useKeys } from "./access.ts";
import type { Client } from "./client.ts";
import { askForReceipt, forget } from "./mail.ts";
import { simulateApproval } from "./sandbox.ts";

/** Each is one mail or none, and the server takes four at a time. */
const REST_MS = 100;

export async function writeLetters(
  clients: readonly Client[],
  isOver: () => boolean,
): Promise<void> {
  const run = async (client: Client) => {
    for (; !isOver(); await sleep(REST_MS)) await causeMail(client);
    // However bad the night was, each has caused one.
    await useKeys(client);
  };
  await Promise.all(clients.map(run));
}

export async function causeMail(client: Client): Promise<void> {
  const { chance, me } = client;
  const does = chance.weigh({ key: 40, receipt: 40, forgotten: 20 });
  if (does === "key") return useKeys(client);
  if (does === "forgotten") return forget(client);
  if (client.paid.length < 2 || chance.percent(20)) await simulateApproval(client);
  // Of a sandbox payment only to somebody of the account.
  await askForReceipt(client, me.email);
}
