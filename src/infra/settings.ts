/**
 * The settings of the service, each declared once: `config.ts` makes typed values of them, and
 * `npm run generate` makes `.env.example`.
 */

import { SWIFT_CODE } from "../kit/ids.ts";
import { CURRENCIES } from "../kit/money.ts";
import { COUNTRY_CODES } from "../kit/vocabulary.ts";
import { CONSOLE_DECLARED } from "./console-settings.ts";
import { DATABASE_DECLARED } from "./database-settings.ts";
import { LIMITS_DECLARED } from "./limit-settings.ts";
import { LOG_DECLARED } from "./log-settings.ts";
import { MAIL_DECLARED } from "./mail-settings.ts";
import { POWERTRANZ_DECLARED } from "./powertranz-settings.ts";
import { RETENTION_DECLARED } from "./retention-settings.ts";
import {
  flag,
  hosts,
  integer,
  keyring,
  list,
  Mistake,
  oneOf,
  optional,
  ranges,
  type Setting,
  type Stage,
  text,
  url,
} from "./setting-kinds.ts";
import { SETTLEMENT_DECLARED } from "./settlement-settings.ts";

const WEB = ["http:", "https:"];
const DECLINES = { min: 1, max: 1_000_000 };

export const DECLARED = {
  STAGE: oneOf(
    ["development", "production"],
    { preset: "development" },
    "development seeds a demo world and derives its secrets; production seeds nothing and " +
      "demands every secret. It has to be set where DATABASE_URL comes with a keyring or an " +
      "https address. A database that production has used is refused by development.",
  ),
  HOST: text("127.0.0.1", "The address to listen on; localhost means all of its addresses."),
  PORT: integer(
    { min: 0, max: 65_535, preset: "3000" },
    "The port to listen on; 0 takes a free one.",
  ),
  PUBLIC_URL: url(
    WEB,
    { isDemanded: true, check: safeAddress("PUBLIC_URL"), example: "https://api.example.com" },
    "The address callers use, in links and tokens. Without it: HOST, or localhost, and PORT.",
  ),
  PAYMENTS_PUBLIC_URL: url(
    WEB,
    { check: safeAddress("PAYMENTS_PUBLIC_URL"), example: "https://pay.example.com" },
    "The base of the payment request and the hosted page, where it differs from PUBLIC_URL.",
  ),
  ALLOWED_HOSTS: hosts(
    "Further Host headers to answer, separated by commas. Those of the two addresses above and " +
      "loopback names are always answered; a lone * answers every host.",
    { example: "api.internal.example.com" },
  ),
  REQUESTS_AT_ONCE_MAX: integer(
    { min: 1, max: 100_000, preset: "256" },
    "How many requests a process is at work on at once; more get a 503 before anything is done " +
      "for them. Payment pages are served up to twice this number.",
  ),
  TRUSTED_PROXIES: ranges(
    "10.0.0.0/8,fd00::/8",
    "Address ranges of proxies whose X-Forwarded-For is believed, separated by commas. Without " +
      "it the client is the peer of the socket.",
  ),
  ...DATABASE_DECLARED,
  WORKERS: integer({ min: 1, max: 64, preset: "1" }, "How many processes serve and work."),
  ROLE: oneOf(
    ["all", "web", "worker"],
    { preset: "all" },
    "web answers requests, worker runs background jobs, all does both.",
  ),
  ...LOG_DECLARED,
  LIVE_GATEWAY: oneOf(
    ["none", "simulator"],
    { preset: { production: "none", development: "simulator" }, inProduction: "none" },
    "Who serves live payments where POWERTRANZ_URL is not set: simulator, or none, which " +
      "refuses what needs one. Without it: simulator in development. Production takes none only.",
  ),
  ...POWERTRANZ_DECLARED,
  ...SETTLEMENT_DECLARED,
  ...MAIL_DECLARED,
  LIVE_PAYOUTS: oneOf(
    ["files", "simulator"],
    { preset: { production: "files", development: "simulator" }, inProduction: "files" },
    "Who pays live withdrawals: simulator, a simulated bank, or files, which an operator makes " +
      "and carries to the bank. Without it: simulator in development. Production takes files " +
      "only.",
  ),
  WITHDRAWALS_PER_DAY_MAX: integer(
    { min: 1, max: 1_000_000, preset: "1000" },
    "How many withdrawals an account may ask for in 24 hours, in each environment.",
  ),
  PAYOUT_ACCOUNTS: payoutAccounts(
    "Our own bank accounts that live withdrawals are paid from, as " +
      "platform:currency:account:SWIFT:name, separated by commas. Without it: made-up ones in " +
      "development; in production no bank file is made.",
  ),
  DECLINES_PER_ADDRESS_MAX: integer(
    { ...DECLINES, preset: "20" },
    "Cards declined in an hour after which one address may try no more.",
  ),
  DECLINES_PER_BIN_MAX: integer(
    { ...DECLINES, min: 2, preset: "20" },
    "The same for cards with the same first six digits, at one merchant: the sign of somebody " +
      "who makes up numbers. Of one address a fifth of it counts, at least 3 and at most half, " +
      "so that no address reaches it alone.",
  ),
  DECLINES_PER_CARD_MAX: integer(
    { ...DECLINES, preset: "5" },
    "The same for one saved card, whose security code somebody may be trying to find.",
  ),
  DECLINES_PER_MERCHANT_MAX: integer(
    { ...DECLINES, preset: "300" },
    "The same for all cards at one merchant.",
  ),
  ...CONSOLE_DECLARED,
  WEBHOOK_PRIVATE_TARGETS: oneOf(
    ["allow", "refuse"],
    { preset: { production: "refuse", development: "allow" }, inProduction: "refuse" },
    "Whether webhooks may lead to loopback and private addresses, over http and any port: " +
      "allow or refuse. Without it: allow in development. Production takes refuse only.",
  ),
  ACCEPT_LEGACY_METHOD: flag(
    "true",
    "Whether payment requests with the deprecated method credit_card are taken as " +
      "credit_card_co. false refuses them.",
  ),
  PLAIN_LIVE_RESPONSES: flag(
    { production: "false", development: "true" },
    "Whether the response_url of a live payment may begin with http://. Without it: true in " +
      "development.",
  ),
  METRICS_HOST: text("127.0.0.1", "The address that METRICS_PORT listens on."),
  METRICS_PORT: optional(
    integer(
      { min: 1, max: 65_535, preset: { production: "9464" } },
      "A port of its own for GET /metrics. Without it: 9464 in production; in development " +
        "metrics are on the public port.",
    ),
  ),
  DRAIN_SECONDS: integer(
    { min: 1, max: 300, preset: "20" },
    "How long a stopping process waits for requests and jobs under way.",
  ),
  OVERLOAD_LOOP_DELAY_MS: integer(
    { min: 0, max: 60_000, preset: { production: "200", development: "2000" } },
    "Requests get a 503 while the event loop is late by more than this in one turn of ten; 0 " +
      "switches it off. Without it: 200 in production, 2000 in development, where a laptop is " +
      "busy with other things, too.",
  ),
  PASSWORD_PEPPERS: keyring(
    "Keyring mixed into password digests, as id:base64 of 32 bytes (openssl rand -base64 32); " +
      "several separated by commas, the first is current.",
    { example: "2026a:bm90LWEtcmVhbC1rZXktanVzdC0zMi1ieXRlcy1sb24=" },
  ),
  TOKEN_PEPPERS: keyring(
    "Keyring under which refresh tokens and API keys are digested, and answers sealed that are " +
      "kept for an Idempotency-Key; same form.",
  ),
  WRAPPING_KEYS: keyring(
    "Keyring that seals what the database must keep but not reveal, such as signing keys; same " +
      "form.",
  ),
  PASSWORD_HASHING: oneOf(
    ["standard", "floor"],
    { preset: "standard", inProduction: "standard" },
    "standard, or floor: the least that is acceptable, for tests. Production takes standard " +
      "only.",
  ),
  PASSWORD_COMPLEXITY: flag(
    { production: "true", development: "false" },
    "Whether new passwords need lower and upper case, a digit and a special character. Without " +
      "it: true in production.",
  ),
  SIGN_IN_FAILURES_MAX: integer(
    { min: 0, max: 1000, preset: { production: "10", development: "0" } },
    "Failed sign-ins to one account within 30 minutes after which addresses it never signed in " +
      "from are refused; 0 switches it off. Without it: 10 in production.",
  ),
  ...RETENTION_DECLARED,
  ...LIMITS_DECLARED,
};

/** As `.env.example` shows them. */
export const SETTINGS = Object.entries<Setting>(DECLARED).map(
  ([name, { about, preset, example }]) => ({
    name,
    about,
    ...(typeof preset === "string" ? { default: preset } : {}),
    ...(example === undefined ? {} : { example }),
  }),
);

function safeAddress(name: string) {
  return ({ protocol, username, search }: URL, stage: Stage): void => {
    if (stage === "development" || (protocol === "https:" && username === "" && search === ""))
      return;
    throw new Mistake(`${name} must begin with https:// in production, without user or query.`);
  };
}

/** Our own bank accounts, at most one for a platform and currency. */
function payoutAccounts(about: string) {
  const texts = list(about, { example: "TT:TTD:0012345678:FCTTTTPS:Windward Limited" });
  return {
    ...texts,
    read(given: string | undefined, context: { name: string; stage: Stage }) {
      const isMadeUp = given === undefined && context.stage === "development";
      const found = isMadeUp ? madeUpAccounts() : texts.read(given, context);
      const accounts = found.map(payoutAccountOf);
      const seen = new Set<string>();
      for (const { countryCode, currency } of accounts) {
        const pair = `${currency} of ${countryCode}`;
        if (seen.has(pair)) throw new Mistake(`PAYOUT_ACCOUNTS names two accounts for ${pair}.`);
        seen.add(pair);
      }
      return accounts;
    },
  };
}

function payoutAccountOf(text: string) {
  const [country, code, account = "", bank = "", ...names] = text.split(":");
  const countryCode = COUNTRY_CODES.find((one) => one === country);
  const currency = CURRENCIES.find((one) => one === code);
  const name = names.join(":");
  const isRight =
    /^[A-Za-z0-9]{5,34}$/.test(account) && SWIFT_CODE.test(bank) && /^.{1,140}$/.test(name);
  if (countryCode !== undefined && currency !== undefined && isRight)
    return { countryCode, currency, account, bank, name };
  throw new Mistake(
    "PAYOUT_ACCOUNTS must be platform:currency:account:SWIFT:name, such as " +
      "TT:TTD:0012345678:FCTTTTPS:Windward Limited.",
  );
}

function madeUpAccounts(): string[] {
  return COUNTRY_CODES.flatMap((country) =>
    CURRENCIES.map((code) => `${country}:${code}:0000000001:WIND${country}00:Windward Development`),
  );
}
