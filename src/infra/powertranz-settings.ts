/**
 * The settings of the live acquirer (Decision 0080). Three switch it on: all of them or none. The
 * others have defaults that suit a new contract.
 */

import { CARD_NETWORKS } from "../kit/card-network.ts";
import { CURRENCIES, type Currency } from "../kit/money.ts";
import {
  flag,
  integer,
  list,
  Mistake,
  oneOf,
  type Setting,
  type Stage,
  text,
  url,
} from "./setting-kinds.ts";

const POLICY_SOURCE = /^https:$|^https:\/\/(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::\d{1,5})?$/;
const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

export const POWERTRANZ_DECLARED = {
  POWERTRANZ_URL: url(
    ["https:", "http:"],
    { check: demandSafeGateway, example: "https://gateway.ptranz.com/api/" },
    "The root of PowerTranz's API. With POWERTRANZ_ID and POWERTRANZ_PASSWORD it serves live " +
      "payments; without them LIVE_GATEWAY says who does.",
  ),
  POWERTRANZ_ID: text("", "The merchant id that PowerTranz gave."),
  POWERTRANZ_PASSWORD: text("", "Its processing password."),
  POWERTRANZ_GATEWAY_KEY: text("", "Its gateway key, if PowerTranz gave one."),
  POWERTRANZ_CURRENCY_IDS: credentialsByCurrency(
    "Where a currency has credentials of its own: currency:id:password, separated by commas.",
  ),
  POWERTRANZ_CURRENCIES: wordsOf(
    CURRENCIES,
    "Currencies that the contract covers, separated by commas. Without it: all.",
  ),
  POWERTRANZ_BRANDS: wordsOf(
    CARD_NETWORKS,
    "Card brands that the contract covers, separated by commas. Without it: all.",
  ),
  POWERTRANZ_LOOKUP: flag(
    "true",
    "Whether PowerTranz lets us look transactions up. false: a lost answer stays unknown, and " +
      "what it may have charged is voided.",
  ),
  POWERTRANZ_VOID_MINUTES: integer(
    { min: 0, max: 1_440, preset: "20" },
    "For how long after a sale a void is tried before a refund.",
  ),
  POWERTRANZ_CARD_CHECK: oneOf(
    ["direct", "non-payment"],
    { preset: "direct" },
    "How the amount that proves a card stays secret: direct charges it without 3-D Secure; " +
      "non-payment authenticates without naming it, where PowerTranz agreed to that.",
  ),
  POWERTRANZ_UNAUTHENTICATED: oneOf(
    ["refuse", "demand", "take"],
    { preset: "refuse" },
    "What becomes of cards whose bank takes no part in 3-D Secure or could not authenticate: " +
      "refuse undoes a sale of which the gateway says so; demand undoes also one of which it " +
      "says nothing, for an acquirer whose answers name it; take charges them at our own risk.",
  ),
  POWERTRANZ_CHALLENGE_ORIGINS: policySources(
    "Where the frame of a challenge may lead beside the gateway, as sources of a " +
      "Content-Security-Policy, separated by commas. Without it: https:, because the pages of " +
      "card issuers are on many hosts.",
    { preset: "https:" },
  ),
};

type Declared = typeof POWERTRANZ_DECLARED;
export type PowertranzValues = {
  readonly [Name in keyof Declared]: ReturnType<Declared[Name]["read"]>;
};

interface Credentials {
  readonly id: string;
  readonly password: string;
}

/** Undefined: it is not configured. */
export function powertranzOf(given: PowertranzValues) {
  const { POWERTRANZ_URL: root, POWERTRANZ_ID: id, POWERTRANZ_PASSWORD: password } = given;
  if (root === undefined || id === "" || password === "") return undefined;
  return {
    /** With a slash at the end. */
    url: root.endsWith("/") ? root : `${root}/`,
    credentials: { id, password },
    /** Where a currency has an id of its own. */
    credentialsByCurrency: given.POWERTRANZ_CURRENCY_IDS,
    gatewayKey: given.POWERTRANZ_GATEWAY_KEY || undefined,
    currencies: given.POWERTRANZ_CURRENCIES,
    brands: given.POWERTRANZ_BRANDS,
    /** Whether transactions can be looked up; otherwise a lost answer stays unknown. */
    hasLookup: given.POWERTRANZ_LOOKUP,
    /** After a sale, until when a void is tried before a refund. */
    voidWindowMinutes: given.POWERTRANZ_VOID_MINUTES,
    cardCheck: given.POWERTRANZ_CARD_CHECK,
    /** What becomes of a card whose bank could not or would not authenticate the customer. */
    unauthenticated: given.POWERTRANZ_UNAUTHENTICATED,
    /** Beside the gateway's own: where the frame of a challenge may lead. */
    challengeOrigins: given.POWERTRANZ_CHALLENGE_ORIGINS,
  } as const;
}

/** Some of the three would look switched on and refuse every payment. */
export function powertranzMistakes(given: Partial<PowertranzValues>): string[] {
  const names = ["POWERTRANZ_URL", "POWERTRANZ_ID", "POWERTRANZ_PASSWORD"] as const;
  const missing = names.filter((name) => !given[name]);
  if (missing.length === 0 || missing.length === names.length) return [];
  return [`${missing.join(" and ")} must be set, too: PowerTranz needs all three or none.`];
}

function demandSafeGateway({ protocol, hostname, search }: URL, stage: Stage): void {
  if (search !== "") throw new Mistake("POWERTRANZ_URL must have no query.");
  if (protocol === "https:" || (stage === "development" && LOOPBACK.has(hostname))) return;
  throw new Mistake(
    "POWERTRANZ_URL must begin with https://; http:// only leads to this machine, in development.",
  );
}

function policySources(about: string, options: { preset: string }): Setting<readonly string[]> {
  const sources = list(about, options);
  return {
    ...sources,
    read(given, context) {
      const found = sources.read(given, context);
      // They go into a header as they are: nothing else of a policy may come with them.
      if (found.every((source) => POLICY_SOURCE.test(source))) return found;
      throw new Mistake(`${context.name} must be https: or origins, as https://bank.example.`);
    },
  };
}

function wordsOf<const Word extends string>(
  words: readonly Word[],
  about: string,
): Setting<readonly Word[]> {
  const names = list(about);
  return {
    ...names,
    read(given, context) {
      const found = names.read(given, context);
      const known = words.filter((word) => found.includes(word));
      if (known.length === found.length) return found.length === 0 ? words : known;
      throw new Mistake(`${context.name} must name ${words.join(", ")}, with commas between.`);
    },
  };
}

function credentialsByCurrency(
  about: string,
): Setting<Readonly<Partial<Record<Currency, Credentials>>>> {
  const entries = list(about, { example: "USD:88800002:its-password" });
  return {
    ...entries,
    read(given, context) {
      const found: Partial<Record<Currency, Credentials>> = {};
      for (const entry of entries.read(given, context)) {
        const [code = "", id = "", ...password] = entry.split(":");
        const currency = CURRENCIES.find((one) => one === code);
        if (currency === undefined || id === "" || password.join(":") === "")
          throw new Mistake(`${context.name} must be currency:id:password, with commas between.`);
        found[currency] = { id, password: password.join(":") };
      }
      return found;
    },
  };
}
