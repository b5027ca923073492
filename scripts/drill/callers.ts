/**
 * Merchants and their customers: payment requests, whole checkouts, refunds and withdrawals, one
 * after the other and each caller by itself. A caller that gets 503 or nothing repeats its request,
 * as the documents tell callers to; what is acknowledged goes into the diary.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { type AskedAnswer, type AskOptions, ask, NoAnswer } from "../../testkit/ask.ts";
import { minimal, PATH } from "../../testkit/payment-requests.ts";
import type { Diary } from "./diary.ts";

/** Longer than any scene takes servers away. */
const TRIES_MAX = 400;
const PAUSE_MS = 250;
const CARD = { number: "4111111111111111", expiry: "12/39", cvv: "123", holder: "A. Mohammed" };

/** The page again, the way on, or a card that is still under way. */
const PAGE_STATUSES = new Set([200, 303, 409, 410]);
const SHOP = "https://shop.example/paid";

export interface Merchant {
  readonly accountNumber: string;
  readonly token: string;
}

export interface Callers {
  /** Lets callers finish what they are doing. */
  stop(): Promise<void>;
}

interface Scene {
  readonly webs: readonly string[];
  readonly merchants: readonly Merchant[];
  readonly diary: Diary;
  /** What each caller does is drawn from it: the same seed asks for the same. */
  readonly random: (caller: number) => (below: number) => number;
  readonly count: number;
  /** Between two actions of a caller; none when it is not given. */
  readonly pauseMs?: number;
  /** Begins every name, so that no two runs of callers share one. */
  readonly mark: string;
}

export function startCallers(scene: Scene): Callers {
  let isOver = false;
  const callers = Array.from({ length: scene.count }, async (_, index) => {
    const random = scene.random(index);
    for (let number = 1; !isOver; number++) {
      const merchant = scene.merchants[Math.floor(random(scene.merchants.length))];
      if (merchant === undefined) throw new Error("the drill has no merchants");
      const web = scene.webs[Math.floor(random(scene.webs.length))] ?? "";
      const name = `${scene.mark}-${index}-${number}`;
      const caller = new Caller(scene.diary, web, () => isOver);
      await ACTIONS[Math.floor(random(ACTIONS.length))]?.(caller, merchant, name);
      if (scene.pauseMs !== undefined) await sleep(random(2 * scene.pauseMs));
    }
  });
  return {
    async stop() {
      isOver = true;
      await Promise.all(callers);
    },
  };
}

type Act = (caller: Caller, merchant: Merchant, name: string) => Promise<void>;

/** A refund begins with a checkout of its own, so payments are the most. */
const ACTIONS: readonly Act[] = [
  async (caller, merchant, name) => void (await openPayment(caller, merchant, name)),
  async (caller, merchant, name) => void (await checkOut(caller, merchant, name)),
  refundOne,
  withdraw,
];

class Caller {
  readonly diary: Diary;
  readonly #web: string;
  /** Whether a 503 is left alone, because the drill is over. */
  readonly givesUp: () => boolean;

  constructor(diary: Diary, web: string, givesUp: () => boolean) {
    this.diary = diary;
    this.#web = web;
    this.givesUp = givesUp;
  }

  /** Asks until there is an answer that means something; undefined when none came. */
  async insist(path: string, asked: AskOptions = {}): Promise<AskedAnswer | undefined> {
    for (let tried = 1; tried <= TRIES_MAX; tried++) {
      const beganAt = performance.now();
      const answer = await ask(this.#web + path, asked).catch(lostOnTheWay);
      this.diary.answer(answer?.status ?? 0, beganAt);
      const isLater = answer === undefined || answer.status === 503 || answer.status === 409;
      if (!isLater) return answer;
      if (this.givesUp()) return undefined;
      await sleep(PAUSE_MS);
    }
    return undefined;
  }
}

/** A connection that broke is no answer; one that came and breaks the contract ends the drill. */
function lostOnTheWay(error: unknown): undefined {
  if (error instanceof NoAnswer) return undefined;
  throw error;
}

async function openPayment(
  caller: Caller,
  { accountNumber }: Merchant,
  name: string,
): Promise<URL | undefined> {
  const json = minimal(accountNumber, { order_id: name, origin: "drill" });
  caller.diary.ask("payment request", name);
  const answer = await caller.insist(PATH, { method: "POST", json });
  if (answer === undefined) return undefined;
  const url = new URL(answer.body?.url ?? "http://none/");
  if (answer.status !== 200 || !url.pathname.startsWith("/checkout/"))
    throw new Error(`a payment request was answered with ${answer.status} ${answer.text}`);
  caller.diary.acknowledge({ operation: "payment request", name, id: "" });
  return url;
}

/** The id of the payment, once the customer was led back with it. */
async function checkOut(
  caller: Caller,
  merchant: Merchant,
  name: string,
): Promise<string | undefined> {
  const page = await openPayment(caller, merchant, name);
  if (page === undefined) return undefined;
  caller.diary.ask("checkout", name);
  for (let tried = 1; tried <= TRIES_MAX; tried++) {
    const shown = await caller.insist(page.pathname);
    if (shown === undefined) return undefined;
    const isOver = returnUrl(shown) !== undefined;
    const paid = isOver ? shown : await submitCard(caller, page, shown);
    if (paid !== undefined && !PAGE_STATUSES.has(paid.status))
      throw new Error(`a card was answered with ${paid.status}`);
    const back = paid === undefined ? undefined : returnUrl(paid);
    if (back === undefined) {
      if (caller.givesUp()) return undefined;
      await sleep(PAUSE_MS);
      continue;
    }
    const result = new URL(back).searchParams;
    const id = result.get("transaction_id") ?? "";
    if (result.get("status") !== "success") throw new Error(`a card was not taken: ${result}`);
    caller.diary.acknowledge({ operation: "checkout", name, id });
    await findInHistory(caller, merchant, { name, id });
    return id;
  }
  return undefined;
}

/** What was just told is in the list, whichever server it is read from (Decision 0125). */
async function findInHistory(
  caller: Caller,
  { token }: Merchant,
  { name, id }: { readonly name: string; readonly id: string },
): Promise<void> {
  const path = `/transactions/?environment=sandbox&order_id=${name}`;
  const answer = await caller.insist(path, { token });
  if (answer === undefined) return;
  const [found] = answer.body?.data ?? [];
  if (found?.transaction_id !== id || found.status !== "success")
    throw new Error(`${id} was told and is not in the history: ${answer.status} ${answer.text}`);
}

/** Where the customer is led with the result; a page that is over has it as a link. */
function returnUrl({ headers, status, text }: AskedAnswer): string | undefined {
  if (headers.location?.startsWith(SHOP)) return headers.location;
  if (status !== 410) return undefined;
  const link = new RegExp(`href="(${SHOP}[^"]*)"`).exec(text)?.[1];
  return link?.replaceAll("&amp;", "&");
}

/** Once: whether it was taken after all is shown by the page. */
async function submitCard(
  caller: Caller,
  { origin, pathname }: URL,
  { text }: AskedAnswer,
): Promise<AskedAnswer | undefined> {
  const inField = (field: string) =>
    new RegExp(`name="${field}" value="([^"]*)"`).exec(text)?.[1] ?? "";
  const formToken = inField("form_token");
  if (formToken === "") return undefined;
  const body = new URLSearchParams({
    form_token: formToken,
    attempts: inField("attempts"),
    ...CARD,
  }).toString();
  return caller.insist(pathname, {
    method: "POST",
    raw: { type: "application/x-www-form-urlencoded", body },
    headers: { origin, "sec-fetch-site": "same-origin" },
  });
}

async function refundOne(caller: Caller, merchant: Merchant, name: string): Promise<void> {
  const id = await checkOut(caller, merchant, name);
  if (id === undefined) return;
  caller.diary.ask("refund", name);
  const answer = await caller.insist(`/transactions/${id}/refund`, {
    method: "POST",
    token: merchant.token,
    json: { amount: "10.00", reason: name },
    headers: { "idempotency-key": name },
  });
  if (answer === undefined) return;
  if (answer.status !== 201) throw new Error(`a refund was answered with ${answer.text}`);
  const { refund } = answer.body.data;
  caller.diary.acknowledge({ operation: "refund", name, id: refund.refund_id });
}

async function withdraw(caller: Caller, { token }: Merchant, name: string): Promise<void> {
  caller.diary.ask("withdrawal", name);
  const answer = await caller.insist("/withdrawals/", {
    method: "POST",
    token,
    json: { withdrawal_type: "normal", currency: "TTD", amount: "5.00", data: name },
    headers: { "idempotency-key": name },
  });
  if (answer === undefined) return;
  if (answer.status !== 201) throw new Error(`a withdrawal was answered with ${answer.text}`);
  caller.diary.acknowledge({ operation: "withdrawal", name, id: answer.body.data.transaction_id });
}
