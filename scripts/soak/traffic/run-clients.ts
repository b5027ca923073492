/** All clients at once, each choosing by its own chance what to do next, until it is over. */

import { setTimeout as sleep } from "node:timers/promises";
import { signInAndOut, useKeys } from "./access.ts";
import { keepAccounts } from "./accounts.ts";
import { chargeCard, saveCard } from "./cards.ts";
import { changePhone, changePicture, changeSomething } from "./changes.ts";
import type { Client } from "./client.ts";
import { useConsole, withdraw as withdrawByForm } from "./console.ts";
import { useLink } from "./links.ts";
import { look, readFeed, readRequests } from "./looking.ts";
import { askForMail, askForReceipt, forget } from "./mail.ts";
import { askForRefund, withdraw } from "./money.ts";
import { askForPayment, pay } from "./payments.ts";
import { doTheRest } from "./rest.ts";
import { simulate, simulateApproval } from "./sandbox.ts";

/** False: there was nothing to do it with, so something else is chosen. */
type ClientAction = (client: Client) => Promise<unknown>;

const ACTIONS = {
  pay: askForPayment,
  link: useLink,
  console: useConsole,
  mail: askForMail,
  simulate,
  requests: readRequests,
  refund: askForRefund,
  withdraw,
  "save a card": saveCard,
  "charge a card": chargeCard,
  change: changeSomething,
  picture: changePicture,
  phone: changePhone,
  "sign in": signInAndOut,
  keys: useKeys,
  look,
  feed: readFeed,
  rest: doTheRest,
} satisfies Record<string, ClientAction>;

const WEIGHTS: Readonly<Record<keyof typeof ACTIONS, number>> = {
  pay: 90,
  link: 0,
  console: 0,
  mail: 0,
  simulate: 0,
  requests: 0,
  refund: 60,
  withdraw: 60,
  "save a card": 6,
  "charge a card": 8,
  change: 1_200,
  picture: 4,
  phone: 4,
  "sign in": 12,
  keys: 14,
  look: 60,
  feed: 12,
  rest: 30,
};
/** Of the others of a merchant: what several may do at once, above all with its money. */
const SHARED_WEIGHTS: typeof WEIGHTS = { ...WEIGHTS, change: 0, picture: 0, feed: 40, look: 120 };
/** What is added on a bad night; the alarms of an ordinary day are about the rest. */
const AT_NIGHT = { link: 60, console: 60, mail: 24, simulate: 20, requests: 8 };
const ALONE_AT_NIGHT = { ...AT_NIGHT, picture: 8 };
/** Before chance decides, each client does some of them, so that a short run has met them all. */
const FIRST_AT_NIGHT: readonly ClientAction[] = [
  async (client) => {
    await simulateApproval(client);
    await askForReceipt(client);
  },
  (client) => pay(client, "live"),
  useLink,
  withdrawByForm,
  forget,
  changePicture,
];
const FIRST_OF_EACH = 3;
const PAUSE_MS = 5;

function weightsOf({ isFirst, isEveryDay }: Client): typeof WEIGHTS {
  const weights = isFirst ? WEIGHTS : SHARED_WEIGHTS;
  return isEveryDay ? weights : { ...weights, ...(isFirst ? ALONE_AT_NIGHT : AT_NIGHT) };
}

function firstActions(turn: number): ClientAction[] {
  const at = turn % FIRST_AT_NIGHT.length;
  return [...FIRST_AT_NIGHT.slice(at), ...FIRST_AT_NIGHT].slice(0, FIRST_OF_EACH);
}

export async function runClients(
  clients: readonly Client[],
  mainClients: readonly Client[],
  isOver: () => boolean,
  /** Between what one does and what it does next: none, unless it is to be like every day. */
  restMs = 0,
): Promise<void> {
  const broken: unknown[] = [];
  const run = async (client: Client, nextAction: () => ClientAction) => {
    while (!isOver())
      try {
        if ((await nextAction()(client)) === false) await sleep(PAUSE_MS);
        else if (restMs > 0) await sleep(restMs);
      } catch (error) {
        broken.push(error);
        await sleep(PAUSE_MS);
      }
  };
  await Promise.all([
    ...clients.map((client, turn) => {
      const first = client.isEveryDay ? [] : firstActions(turn);
      return run(client, () => first.shift() ?? ACTIONS[client.chance.weigh(weightsOf(client))]);
    }),
    ...mainClients.map((client) =>
      run(client, () => (client.chance.percent(50) ? keepAccounts : look)),
    ),
  ]);
  // A mistake of the soak itself must not look like a quiet run.
  if (broken.length > 0) throw broken[0];
}
