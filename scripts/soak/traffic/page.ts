/**
 * A customer on the payment page, without scripts: reads the form, sends a card, answers the bank,
 * looks again after a lost answer. A form that was sent and not answered is sent again as it was
 * shown; the page knows it by the number of cards tried.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { liveNumbers, pickLiveCard, playBank } from "../../live/customer.ts";
import { PUBLIC_URL } from "../settings.ts";
import { type Client, write } from "./client.ts";
import type { Answered } from "./wire.ts";

export interface Visit {
  /** Of the page. */
  readonly path: string;
  /** A saved card asks for its code alone. */
  readonly paysWith: "a card" | "a saved card" | "nothing";
  /** By the fake of a real acquirer, with its cards and its bank. */
  readonly isLive?: boolean;
  /** Of a customer whom the merchant does not know: the page asks for it. */
  readonly email?: string;
}

const ROUNDS_MAX = 8;
const LOOK_AGAIN_MS = 200;
const CARDS = {
  approved: 60,
  declined: 9,
  "wrong code": 2,
  "bank down": 2,
  "asked by the bank": 12,
  slow: 1,
  "unknown, then approved": 3,
  "unknown, then declined": 2,
  "unknown for long": 1,
  "gateway down": 1,
};
/** A gateway that says nothing for ten minutes is what alarms are for. */
const EVERY_DAY: typeof CARDS = { ...CARDS, "unknown for long": 0 };
const NUMBERS: Readonly<Record<keyof typeof CARDS, readonly string[]>> = {
  approved: ["4111111111111111", "5111111111111111", "4111111111114444"],
  declined: ["4111111111113333", "5111111111113333"],
  "wrong code": ["4666666666662222"],
  "bank down": ["4111111111110000"],
  "asked by the bank": ["4111111111112010", "5111111111112010"],
  slow: ["4111111111112030"],
  "unknown, then approved": ["4111111111112040"],
  "unknown, then declined": ["4111111111112050"],
  "unknown for long": ["4111111111112060"],
  "gateway down": ["4111111111112070"],
};

/** Every number that a customer may type here. */
export const cardNumbers = () => [...Object.values(NUMBERS).flat(), ...liveNumbers()];

/** The path of a page, from the address that a merchant was told; its token is a secret. */
export function pageAt({ diary }: Client, url: string): string {
  const { pathname } = new URL(url);
  diary.checkoutTokens.add(pathname.slice(pathname.lastIndexOf("/") + 1));
  return pathname;
}

/** The result that the browser was led to the merchant with; undefined when it left before. */
export async function visitPage(
  client: Client,
  visit: Visit,
): Promise<URLSearchParams | undefined> {
  const { wire } = client;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const { answer: page } = await wire.insist({ method: "GET", path: visit.path });
    client.diary.reads.count += 1;
    if (page === undefined || page.status === 404) return undefined;
    if (page.status === 410) return statusOf(client, visit);
    const formToken = /name="form_token" value="([^"]+)"/.exec(page.text)?.[1];
    const attempts = /name="attempts" value="(\d)"/.exec(page.text)?.[1];
    const isForm = formToken !== undefined && attempts !== undefined;
    const next = isForm
      ? await sendForm(client, visit, { form_token: formToken, attempts })
      : await (visit.isLive ? answerLiveBank : answerBank)(client, visit);
    if (next === "over") return undefined;
    if (next !== undefined) return next;
  }
  return undefined;
}

type Next = URLSearchParams | "over" | undefined;

async function sendForm(
  client: Client,
  { path, paysWith, isLive = false, email }: Visit,
  hidden: { form_token: string; attempts: string },
): Promise<Next> {
  const { chance } = client;
  if (paysWith === "nothing") {
    const back = { method: "POST", path: `${path}/back`, form: hidden, isFromPage: true } as const;
    const { answer } = await write(client, "customer went back", back);
    return resultOf(client, answer);
  }
  const number = isLive ? pickLiveCard(chance) : pickCard(client);
  const card = { number, expiry: "12/39", cvv: "739", holder: "Anika Mohammed" };
  const form = {
    ...hidden,
    ...(paysWith === "a saved card" ? { cvv: "739" } : card),
    ...(email === undefined ? {} : { email }),
  };
  // Not insisted upon: after a lost answer the customer looks at the page first.
  const asked = { method: "POST", path, form, isFromPage: true } as const;
  const answer = await client.wire.send(asked);
  if (answer?.status === 303 || answer?.status === 422) client.diary.acknowledge("card submitted");
  if (answer?.status === 422 && chance.percent(50)) return "over";
  return resultOf(client, answer);
}

function pickCard({ chance, isEveryDay }: Client): string {
  return chance.pick(NUMBERS[chance.weigh(isEveryDay ? EVERY_DAY : CARDS)]);
}

/** The bank asks, or an answer is due: passes, refuses, or waits a moment. */
async function answerBank(client: Client, visit: Visit): Promise<Next> {
  const { wire, chance } = client;
  const { answer } = await wire.insist({ method: "GET", path: `${visit.path}/challenge` });
  const token = /\/sandbox\/acs\/(\w+)/.exec(answer?.text ?? "")?.[1];
  if (token === undefined) return statusOf(client, visit);
  const result = chance.percent(80) ? "passed" : "refused";
  await wire.send({ method: "GET", path: `/sandbox/acs/${token}` });
  const bank = { method: "POST", path: `/sandbox/acs/${token}`, form: { result } } as const;
  await write(client, "bank answered", bank);
  const form = { token };
  const back = { method: "POST", path: `${visit.path}/challenge`, form } as const;
  await write(client, "came back from the bank", back);
  return undefined;
}

/** The same where a real acquirer's pages stand in the frame. */
async function answerLiveBank(client: Client, visit: Visit): Promise<Next> {
  const { wire, chance } = client;
  const at = `${visit.path}/challenge`;
  const { answer } = await wire.insist({ method: "GET", path: `${at}/document` });
  const form = await playBank(chance, answer?.text ?? "");
  if (form === "leaves") return "over";
  if (form !== undefined) {
    const back = { method: "POST", path: at, form, isFromBank: true } as const;
    await write(client, "came back from the bank", back);
  }
  const next = await statusOf(client, visit);
  if (next === undefined) await sleep(LOOK_AGAIN_MS);
  return next;
}

async function statusOf(client: Client, { path }: Visit): Promise<URLSearchParams | undefined> {
  const asked = { method: "GET", path: `${path}/status` } as const;
  const { answer } = await client.wire.insist(asked);
  const next: string | undefined = answer?.body?.next;
  return next === undefined ? undefined : noted(client, next);
}

function resultOf(client: Client, answer: Answered | undefined): Next {
  const to = String(answer?.headers.location ?? "");
  const isResult = to.startsWith("https:") || to.startsWith(`${PUBLIC_URL}/pay/`);
  return answer?.status === 303 && isResult ? noted(client, to) : undefined;
}

/** A result that was told once is the result for good. */
function noted(client: Client, address: string): URLSearchParams {
  const told = new URL(address).searchParams;
  const id = told.get("transaction_id") ?? "";
  const status = told.get("status") ?? "";
  client.diary.tell(id, status);
  return told;
}
