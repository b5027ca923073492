/**
 * Every setting of the service, read once and checked together: all mistakes are reported at once,
 * so that an operator corrects a deployment in one round. Behaviour never branches on the stage:
 * the stage only chooses defaults and what must be set (Decision 0007).
 */

import { databaseMistakes, databaseOf } from "./database-settings.ts";
import { localUrl } from "./local-url.ts";
import { mailOf } from "./mail-settings.ts";
import { powertranzMistakes, powertranzOf } from "./powertranz-settings.ts";
import { retentionOf } from "./retention-settings.ts";
import { Mistake, type Setting, type Stage } from "./setting-kinds.ts";
import { DECLARED, SETTINGS } from "./settings.ts";

type Declared = typeof DECLARED;
type Values = { readonly [Name in keyof Declared]: ReturnType<Declared[Name]["read"]> };
type Environment = Readonly<Record<string, string | undefined>>;

export type Config = ReturnType<typeof arrange>;
export type LimitName = keyof Config["limitsPerMinute"];

const KEYRINGS = ["PASSWORD_PEPPERS", "TOKEN_PEPPERS", "WRAPPING_KEYS"] as const;
const ADDRESSES = ["PUBLIC_URL", "PAYMENTS_PUBLIC_URL"] as const;

/** One message for all that is wrong, a line each. */
export class BadSettings extends Error {
  constructor(mistakes: readonly string[]) {
    super(`The settings are not right:\n${mistakes.map((line) => `  - ${line}`).join("\n")}`);
  }
}

export function readConfig(env: Environment): Config {
  const mistakes: string[] = [];
  const values: Record<string, unknown> = {};
  const stage: Stage = env.STAGE === "production" ? "production" : "development";
  for (const [name, setting] of Object.entries<Setting>(DECLARED)) {
    const { preset } = setting;
    const given = env[name] || (typeof preset === "string" ? preset : preset?.[stage]);
    if (given === undefined && setting.isDemanded && stage === "production") {
      // Its meaning, less what would hold without it.
      const about = setting.about.replace(/\s*Without it\b.*$/s, "");
      mistakes.push(`${name} is missing. ${about}`);
      continue;
    }
    try {
      values[name] = setting.read(given, { name, stage });
    } catch (error) {
      if (!(error instanceof Mistake)) throw error;
      mistakes.push(error.message);
    }
  }
  mistakes.push(...powertranzMistakes(values), ...databaseMistakes(values));
  mistakes.push(...forgottenStage(env));
  if (stage === "production") mistakes.push(...unsafeTogether(values));
  if (mistakes.length > 0) throw new BadSettings(mistakes);
  return arrange(values as Values);
}

/**
 * Without STAGE a database of production would get the demo world, whose passwords stand in the
 * README. Nothing else that is set says so much of production as these do (Decision 0141).
 */
function forgottenStage(env: Environment): string[] {
  if (env.STAGE || !env.DATABASE_URL) return [];
  const given = KEYRINGS.filter((name) => env[name]);
  const addresses = ADDRESSES.filter((name) => /^https:/i.test(env[name] ?? ""));
  const [sign] = [...given, ...addresses];
  if (sign === undefined) return [];
  return [
    `STAGE is missing, and DATABASE_URL with ${sign} looks like production. Set ` +
      "STAGE=production, or STAGE=development for a demo world whose passwords are public.",
  ];
}

/** What would run in production, and would be a mistake. */
function unsafeTogether(values: Partial<Values>): string[] {
  const mistakes: string[] = [];
  const keys = KEYRINGS.flatMap((name) => values[name]?.all ?? []).map((key) =>
    key.bytes.toString("base64"),
  );
  if (new Set(keys).size < keys.length)
    mistakes.push("PASSWORD_PEPPERS, TOKEN_PEPPERS and WRAPPING_KEYS must not share a key.");
  if (values.PLAIN_LIVE_RESPONSES)
    mistakes.push("PLAIN_LIVE_RESPONSES must not be true in production.");
  const published = SETTINGS.map((setting) => setting.example ?? "").join(" ");
  if (keys.some((key) => published.includes(key)))
    mistakes.push("A keyring holds the key of the example. Make one: openssl rand -base64 32");
  return mistakes;
}

function arrange(given: Values) {
  const powertranz = powertranzOf(given);
  const http = httpOf(given);
  return {
    http,
    database: databaseOf(given, { stage: given.STAGE }),
    processes: { workers: given.WORKERS, role: given.ROLE },
    logLevel: given.LOG_LEVEL,
    /** `file` starts an OpenTelemetry SDK; undefined: nothing is traced. */
    tracing: { file: given.TRACING, oneOf: given.TRACE_ONE_OF },
    limitsPerMinute: limitsOf(given),
    passwords: {
      peppers: given.PASSWORD_PEPPERS,
      hashing: given.PASSWORD_HASHING,
      complexity: given.PASSWORD_COMPLEXITY,
      /** 0 switches the throttle off. */
      failuresMax: given.SIGN_IN_FAILURES_MAX,
    },
    tokenPeppers: given.TOKEN_PEPPERS,
    wrappingKeys: given.WRAPPING_KEYS,
    /** Which acquirer live payments go through; `none` refuses what would need one. */
    liveGateway: powertranz === undefined ? given.LIVE_GATEWAY : "powertranz",
    /** Undefined: it is not configured. */
    powertranz,
    /** How reports of the acquirer are read, and after how many days a payment is in one. */
    settlement: { columns: given.SETTLEMENT_COLUMNS, days: given.SETTLEMENT_DAYS },
    /** Who pays live ones: a simulated bank, or files that an operator carries to a real one. */
    withdrawals: { livePaidBy: given.LIVE_PAYOUTS, perDayMax: given.WITHDRAWALS_PER_DAY_MAX },
    /** Where the money of bank files comes from, at most one for a platform and currency. */
    payoutAccounts: given.PAYOUT_ACCOUNTS,
    /** Cards declined in an hour after which no more may be tried (Decisions 0040 and 0068). */
    declinesPerHour: declinesOf(given),
    /** Whether events may be sent to loopback, private and link-local addresses (Decision 0035). */
    webhooks: { privateTargets: given.WEBHOOK_PRIVATE_TARGETS },
    checkout: {
      /** Whether the old method credit_card is taken for credit_card_co (Decision 0036). */
      acceptLegacyMethod: given.ACCEPT_LEGACY_METHOD,
      /** Whether the result of a live payment may travel over plain http. */
      plainLiveResponses: given.PLAIN_LIVE_RESPONSES,
    },
    /** Who sends mail; where nobody does, none is queued (Decision 0086). */
    mail: mailOf(given, { stage: given.STAGE, publicUrl: http.publicUrl }),
    /** To move live money from the console (Decision 0090). */
    ownersNeedSecondFactor: given.OWNER_SECOND_FACTOR === "required",
    /** For how long (Decision 0122). */
    retention: retentionOf(given),
    /** At `/operator` (Decision 0119). */
    secondPersonFromTtd: given.SECOND_PERSON_FROM_TTD,
    hasRequestLog: given.REQUEST_LOG === "on",
    demoWorld: given.STAGE === "development",
    /** Whether its clock can be moved and its state restored (Decision 0104). */
    isMovable: given.STAGE === "development",
  } as const;
}

function declinesOf(given: Values) {
  return {
    perAddress: given.DECLINES_PER_ADDRESS_MAX,
    perBin: given.DECLINES_PER_BIN_MAX,
    perCard: given.DECLINES_PER_CARD_MAX,
    perMerchant: given.DECLINES_PER_MERCHANT_MAX,
  };
}

function httpOf(given: Values) {
  const { HOST: host, PORT: port } = given;
  const publicUrl = withoutSlash(given.PUBLIC_URL ?? localUrl({ host, port }));
  return {
    host,
    port,
    publicUrl,
    paymentsPublicUrl: withoutSlash(given.PAYMENTS_PUBLIC_URL ?? publicUrl),
    allowedHosts: given.ALLOWED_HOSTS,
    trustedProxies: given.TRUSTED_PROXIES,
    /** Warns at start when no proxy is trusted. */
    expectsProxy: given.STAGE === "production",
    /** Undefined: metrics are a route of the public port (never in production). */
    metricsPort: given.METRICS_PORT,
    metricsHost: given.METRICS_HOST,
    requestsAtOnceMax: given.REQUESTS_AT_ONCE_MAX,
    overloadLoopDelayMs: given.OVERLOAD_LOOP_DELAY_MS,
    drainSeconds: given.DRAIN_SECONDS,
  };
}

function limitsOf(given: Values) {
  return {
    signIn: given.LIMIT_SIGN_IN,
    refresh: given.LIMIT_REFRESH,
    revoke: given.LIMIT_REVOKE,
    keys: given.LIMIT_KEYS,
    password: given.LIMIT_PASSWORD,
    phone: given.LIMIT_PHONE,
    verify: given.LIMIT_VERIFY,
    picture_create: given.LIMIT_PICTURE_CREATE,
    picture_update: given.LIMIT_PICTURE_UPDATE,
    picture_delete: given.LIMIT_PICTURE_DELETE,
    business: given.LIMIT_BUSINESS,
    logo: given.LIMIT_LOGO,
    payment_request: given.LIMIT_PAYMENT_REQUEST,
    payment_merchant: given.LIMIT_PAYMENT_MERCHANT,
    bad_credentials: given.LIMIT_BAD_CREDENTIALS,
    general: given.LIMIT_GENERAL,
  };
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, "");
}
