/**
 * Payment links: merchants make them and switch them off and on; customers of anybody open them and
 * pay. Each visit is an order of its own, which stands in the form; the form is sent until it is
 * answered, and sometimes twice, and leads to the same payment unless that has failed meanwhile.
 */

import { type Client, type Environment, expectStatus, write } from "./client.ts";
import { visitPage } from "./page.ts";
import { RESPONSE_URL } from "./payments.ts";
import type { Answered, WireRequest } from "./wire.ts";

/** Few enough that customers meet at one link, also at its last slots. */
const LINKS_OF_A_CLIENT_MAX = 3;
const LIVE_PERCENT = 20;
const AMOUNT = "600.00";
const BOUNDS = { min: 300, max: 900 };
const ORDER = /name="order" value="([^"]+)"/;
const FORM_TOKEN = /name="form_token" value="([^"]+)"/;

export interface ToldLink {
  readonly id: string;
  readonly owner: string;
  readonly path: string;
  readonly environment: Environment;
  /** Absent: the customer says how much. */
  readonly amount: string | undefined;
  readonly slots: number | undefined;
}

/** A form that was sent: whether its payment was answered, and as what it was paid. */
export interface ToldVisit {
  readonly linkId: string;
  readonly amount: string;
  readonly reference: string;
  isAnswered?: true;
  /** To which pages to pay it was led. */
  readonly pages: Set<string>;
}

export const linkOf = (id: string) => `link ${id}`;
export const ON = "on";
const OFF = "off";

export async function useLink(client: Client): Promise<void> {
  const { chance, diary } = client;
  const own = [...diary.links.values()].filter(({ owner }) => owner === client.name);
  if (own.length < LINKS_OF_A_CLIENT_MAX && chance.percent(own.length === 0 ? 100 : 20))
    return makeLink(client);
  if (own.length > 0 && chance.percent(8)) return switchLink(client, chance.pick(own));
  await payByLink(client, chance.pick([...diary.links.values()]));
}

export async function makeLink(client: Client): Promise<void> {
  const { chance, diary, me } = client;
  const title = client.word();
  const environment = client.hasAcquirer && chance.percent(LIVE_PERCENT) ? "live" : "sandbox";
  const isOpen = chance.percent(30);
  const slots = chance.percent(40) ? chance.between(1, 5) : undefined;
  const amounts = isOpen
    ? { amount_min: BOUNDS.min.toFixed(2), amount_max: BOUNDS.max.toFixed(2) }
    : { amount: AMOUNT };
  const asked: WireRequest = {
    method: "POST",
    path: "/payment-links",
    json: {
      ...amounts,
      ...{ environment, title, currency: me.currency, reference_label: "Your name" },
      fee_structure: chance.pick(["customer_pay", "merchant_absorb", "split"]),
      ...(slots === undefined ? {} : { max_payments: slots }),
      ...(chance.percent(50) ? { success_url: RESPONSE_URL } : {}),
    },
    idempotencyKey: title,
    ...client.credential(environment),
  };
  const outcome = await write(client, "link made", asked);
  expectStatus(client, asked, outcome, [201]);
  if (outcome.answer?.status !== 201) return;
  const { id, url } = outcome.answer.body.data;
  const amount = isOpen ? undefined : AMOUNT;
  const path = new URL(url).pathname;
  diary.links.set(id, { id, owner: client.name, path, environment, amount, slots });
  diary.register(linkOf(id), ON);
}

/** Only its owner does it, so what must stand there is known. */
async function switchLink(client: Client, { id, environment }: ToldLink): Promise<void> {
  const known = client.diary.register(linkOf(id), ON);
  const to = known.told === ON ? OFF : ON;
  const asked: WireRequest = {
    method: "PATCH",
    path: `/payment-links/${id}`,
    json: { active: to === ON, environment },
    ...client.credential(environment),
  };
  const outcome = await write(client, `link switched ${to}`, asked);
  expectStatus(client, asked, outcome, [200]);
  known.sent(to, { isTold: outcome.answer?.status === 200, unsure: outcome.unsure });
}

async function payByLink(client: Client, link: ToldLink): Promise<void> {
  const { chance, diary, wire } = client;
  const { path } = link;
  const { answer: page } = await wire.insist({ method: "GET", path });
  diary.reads.count += 1;
  const order = ORDER.exec(page?.text ?? "")?.[1];
  const token = FORM_TOKEN.exec(page?.text ?? "")?.[1];
  // Off, or every slot is taken.
  if (page?.status === 410 || order === undefined || token === undefined) return;
  const typed = chance.between(BOUNDS.min, BOUNDS.max).toFixed(2);
  const visit: ToldVisit = {
    linkId: link.id,
    amount: link.amount ?? typed,
    reference: client.word(),
    pages: new Set(),
  };
  diary.visits.set(order, visit);
  const form = { order, form_token: token, amount: typed, reference: visit.reference };
  const asked: WireRequest = { method: "POST", path, form, isFromPage: true };
  const twice = chance.percent(20) ? wire.insist(asked) : undefined;
  const outcome = await write(client, "link's form sent", asked);
  expectStatus(client, asked, outcome, [303, 410]);
  const to = placeIn(outcome.answer);
  const again = placeIn((await twice)?.answer);
  if (to === undefined) return;
  if (again !== undefined) visit.pages.add(again);
  visit.pages.add(to);
  visit.isAnswered = true;
  diary.checkoutTokens.add(to.slice(to.lastIndexOf("/") + 1));
  if (chance.percent(35)) return;
  const isLive = link.environment === "live";
  await visitPage(client, { path: to, paysWith: "a card", isLive, email: customerOf(client) });
}

const customerOf = ({ name }: Client) => `customer-of-${name}@example.com`;

function placeIn(answer: Answered | undefined): string | undefined {
  const to = answer?.status === 303 ? String(answer.headers.location) : "";
  return to.startsWith("/checkout/") ? to : undefined;
}
