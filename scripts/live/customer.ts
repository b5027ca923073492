/**
 * A customer on the payment page of a live payment, by HTTP: reads the form, sends a card, goes
 * through the bank's pages and posts back. After an answer that says nothing the customer looks at
 * the page again, a few times, then leaves.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { type PostBackFields, playBrowser } from "../../testkit/powertranz/play-browser.ts";
import type { Running } from "../../testkit/processes.ts";
import type { Chance } from "../soak/random.ts";

const ROUNDS_MAX = 6;
const LOOK_AGAIN_MS = 300;
export const CVV = "739";

/** Which card, by how often. */
const CARDS = {
  frictionless: 48,
  asked: 18,
  "asked for a fingerprint": 8,
  declined: 10,
  "without 3-D Secure": 3,
  "not authenticated": 4,
  "bank cannot be reached": 3,
};
const NUMBERS: Readonly<Record<keyof typeof CARDS, readonly string[]>> = {
  frictionless: ["4012000000020071", "5100270000000023", "4012000000020089"],
  asked: ["4012000000020006", "5100270000000031"],
  "asked for a fingerprint": ["4012010000020070", "5100271000000120", "4012010000020005"],
  declined: ["4666666666662222", "5111111111113333", "5555666666662222"],
  "without 3-D Secure": ["4333333333332222"],
  "not authenticated": ["4012000000020121", "5100270000000056", "5100270000000072"],
  "bank cannot be reached": ["4111111111110000", "4111111111119999"],
};

/** What customers do when their bank asks. */
const AT_THE_BANK = { confirms: 88, cancels: 4, "gives a wrong password": 3, leaves: 5 };

/** Every number that a customer may type here. */
export const liveNumbers = () => Object.values(NUMBERS).flat();

export function pickLiveCard(chance: Chance): string {
  return chance.pick(NUMBERS[chance.weigh(CARDS)]);
}

export interface Customer {
  readonly service: Running;
  readonly chance: Chance;
}

/** The status that the browser was sent to the shop with; undefined: it left before. */
export async function visitPage(customer: Customer, url: string): Promise<string | undefined> {
  const { service, chance } = customer;
  const { pathname } = new URL(url);
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const page = await service.ask(pathname);
    const formToken = /name="form_token" value="([^"]+)"/.exec(page.text)?.[1];
    const attempts = /name="attempts" value="(\d)"/.exec(page.text)?.[1];
    const next =
      page.status === 200 && formToken !== undefined && attempts !== undefined
        ? await sendCard(customer, pathname, { form_token: formToken, attempts })
        : await answerBank(customer, pathname);
    if (next === "leaves") return undefined;
    if (next !== undefined) return next;
    if (round > 2 && chance.percent(50)) return undefined;
  }
  return undefined;
}

async function sendCard(
  { service, chance }: Customer,
  path: string,
  hidden: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  const number = pickLiveCard(chance);
  const form = { ...hidden, number, expiry: "12/39", cvv: CVV, holder: "Anika Mohammed" };
  const answer = await post(service, path, form, new URL(service.url).origin);
  if (answer.status === 422 && chance.percent(30)) return "leaves";
  return statusIn(String(answer.headers.location ?? ""));
}

async function answerBank(
  { service, chance }: Customer,
  path: string,
): Promise<string | undefined> {
  const frame = await service.ask(`${path}/challenge/document`);
  const posted = await playBank(chance, frame.text);
  if (posted === "leaves") return "leaves";
  if (posted !== undefined) await post(service, `${path}/challenge`, posted, "null");
  const { body } = await service.ask(`${path}/status`);
  if (body?.next !== undefined) return statusIn(body.next);
  await sleep(LOOK_AGAIN_MS);
  return undefined;
}

/** At the bank, in the frame: what the browser brings back; undefined when no bank asks. */
export async function playBank(
  chance: Chance,
  frame: string,
): Promise<PostBackFields | "leaves" | undefined> {
  if (!frame.includes('name="SpiToken"')) return undefined;
  const does = chance.weigh(AT_THE_BANK);
  if (does === "leaves") return "leaves";
  const passwords = does === "gives a wrong password" ? { passwords: ["x", "y", "z"] } : {};
  const played = await playBrowser(frame, does === "cancels" ? { cancel: true } : passwords)
    // The bank's pages have faults of their own: the customer gives up.
    .catch(() => undefined);
  return played === undefined ? "leaves" : played.fields;
}

function post(
  service: Running,
  path: string,
  form: Readonly<Record<string, string>>,
  origin: string,
) {
  const body = new URLSearchParams(form).toString();
  const raw = { type: "application/x-www-form-urlencoded", body };
  return service.ask(path, { method: "POST", raw, headers: { origin } });
}

function statusIn(address: string): string | undefined {
  if (!address.startsWith("https:")) return undefined;
  return new URL(address).searchParams.get("status") ?? undefined;
}
