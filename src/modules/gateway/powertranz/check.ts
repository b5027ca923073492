/**
 * Tries PowerTranz without moving money: whether it is reached, takes our credentials, and has each
 * currency and card brand enabled. A sale is prepared with one of its public test cards and never
 * completed, and nothing is charged before a sale is completed. Nothing is written down.
 */

import { randomUUID } from "node:crypto";
import { type CardNetwork, NETWORK_NAMES } from "../../../kit/card-network.ts";
import { type Currency, money } from "../../../kit/money.ts";
import { fieldsOf, readAnswer } from "./answer.ts";
import { describeAnswer, describeProblem, type Finding } from "./check-words.ts";
import { type Client, createClient, isNotFound } from "./client.ts";
import { ORIGINAL_NOT_FOUND } from "./codes.ts";
import { GatewayProblem } from "./problem.ts";
import { saleBody } from "./sale-body.ts";
import { credentialsFor, type PowertranzSettings } from "./settings.ts";

/** Public numbers of the acquirer's test cards; no account is behind them. */
const TEST_CARDS: Readonly<Record<CardNetwork, string>> = {
  visa: "4012000000020071",
  mastercard: "5100270000000023",
};
const AMOUNT_MINOR = 100n;
const EXPIRY = { expiryMonth: 12, expiryYear: 2031 };

export type Check = Finding & { readonly what: string };

/** `returnUrl`: ours, as a sale names it; no browser is sent there. */
export async function checkPowertranz(
  settings: PowertranzSettings,
  returnUrl: string,
): Promise<Check[]> {
  const client = createClient(settings, { onDown() {}, onUp() {} });
  const checks: Check[] = [];
  /** False: it cannot be reached, so that there is nothing more to learn. */
  const note = async (what: string, look: () => Promise<Finding>) => {
    const found = await look().catch(describeProblem);
    checks.push({ what, ...found });
    return found.isReached;
  };
  try {
    if (!(await note("reach", () => findAlive(client)))) return checks;
    for (const { currency, brand } of combinations(settings)) {
      const what = `${currency} ${NETWORK_NAMES[brand]}`;
      const look = () => prepare(client, settings, { currency, brand, returnUrl });
      if (!(await note(what, look))) return checks;
    }
    if (settings.hasLookup) await note("lookup", () => lookUp(client, settings));
    return checks;
  } finally {
    await client.stop();
  }
}

/** Each currency with one brand, and each further brand in one currency. */
function combinations({ currencies, brands }: PowertranzSettings) {
  const [brand = "visa", ...others] = brands;
  const [currency = "USD"] = currencies;
  return [
    ...currencies.map((one) => ({ currency: one, brand })),
    ...others.map((one) => ({ currency, brand: one })),
  ];
}

async function findAlive(client: Client): Promise<Finding> {
  const name = fieldsOf(await client.call({ method: "GET", path: "alive" })).get("name");
  const isIt = typeof name === "string" && /powertranz/i.test(name);
  return isIt
    ? { result: "good", isReached: true, words: "it answers" }
    : { result: "wrong", isReached: false, words: "something else answers at POWERTRANZ_URL" };
}

async function prepare(
  client: Client,
  settings: PowertranzSettings,
  { currency, brand, returnUrl }: { currency: Currency; brand: CardNetwork; returnUrl: string },
): Promise<Finding> {
  const identifier = randomUUID();
  const sale = {
    reference: identifier,
    transactionId: `check-${identifier}`,
    attemptNumber: 1,
    amount: money(currency, AMOUNT_MINOR),
    // With a challenge, so that it takes a second call to charge anything.
    isAmountSecret: false,
    card: { number: TEST_CARDS[brand], cvv: "123", holder: "Test Card", ...EXPIRY },
    isStoredCard: false,
    billing: {},
    email: "check@example.com",
    wantsAvs: false,
    challengeReturnUrl: returnUrl,
  };
  const json = await client.call({
    method: "POST",
    path: "spi/sale",
    body: saleBody(sale, identifier, settings.cardCheck),
    credentials: credentialsFor(settings, currency),
  });
  return describeAnswer(readAnswer(json));
}

/** That of a transaction that does not exist. */
async function lookUp(client: Client, settings: PowertranzSettings): Promise<Finding> {
  const [currency = "USD"] = settings.currencies;
  const path = `Transactions/${randomUUID()}`;
  const credentials = credentialsFor(settings, currency);
  try {
    const answer = readAnswer(await client.call({ method: "GET", path, credentials }));
    const finding = describeAnswer(answer);
    return answer.code === "" || answer.errors.includes(ORIGINAL_NOT_FOUND)
      ? { result: "good", isReached: true, words: "it answers" }
      : finding;
  } catch (error) {
    if (!(error instanceof GatewayProblem) || !isNotFound(error)) throw error;
    const words =
      "it answers 404: nothing is found, or lookups are not enabled; ask PowerTranz which";
    return { result: "unclear", isReached: true, words };
  }
}
