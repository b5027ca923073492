/**
 * Every setting of the service: read once and checked together.
 *
 * `infra/settings.ts` lists each variable with its meaning and default; here they become typed
 * values. All mistakes are reported at once, so that an operator mends a deployment in one round.
 * Behaviour never branches on the stage: the stage only chooses defaults and what must be set
 * (Decision 0007).
 */

import { randomBytes } from "node:crypto";
import { accessSync, constants } from "node:fs";
import path from "node:path";
import { deriveKey, type Keyring } from "../kit/secrets.ts";
import { type PayoutAccount, readPayoutAccounts } from "./payout-accounts.ts";
import { SETTINGS } from "./settings.ts";
import { SettingsReader } from "./settings-reader.ts";

interface Limits {
  readonly signIn: number;
  readonly refresh: number;
  readonly revoke: number;
  readonly keys: number;
  readonly password: number;
  readonly phone: number;
  readonly verify: number;
  readonly picture_create: number;
  readonly picture_update: number;
  readonly picture_delete: number;
  readonly payment_request: number;
  readonly payment_merchant: number;
  readonly bad_credentials: number;
  readonly general: number;
}
export type LimitName = keyof Limits;

export interface Config {
  readonly http: {
    readonly host: string;
    readonly port: number;
    readonly publicUrl: string;
    readonly paymentsPublicUrl: string;
    readonly allowedHosts: readonly string[];
    readonly trustedProxies: readonly string[];
    /** Warns at start when no proxy is trusted. */
    readonly expectsProxy: boolean;
    /** Undefined: metrics are a route of the public port (never in production). */
    readonly metricsPort: number | undefined;
    readonly metricsHost: string;
    readonly requestsAtOnceMax: number;
    readonly overloadLoopDelayMs: number;
    readonly drainSeconds: number;
  };
  readonly database: {
    readonly url: string | undefined;
    readonly dataDir: string;
    readonly connectionsMax: number;
  };
  readonly processes: { readonly workers: number; readonly role: "all" | "web" | "worker" };
  readonly logLevel: string;
  readonly limitsPerMinute: Limits;
  readonly passwords: {
    readonly peppers: Keyring;
    readonly hashing: "standard" | "floor";
    readonly complexity: boolean;
    /** 0 switches the throttle off. */
    readonly failuresMax: number;
  };
  readonly tokenPeppers: Keyring;
  readonly wrappingKeys: Keyring;
  /** Which acquirer live payments go through; `none` refuses what would need one. */
  readonly liveGateway: "none" | "simulator";
  readonly withdrawals: {
    /** Who pays live ones: a simulated bank, or files that an operator carries to a real one. */
    readonly livePaidBy: "files" | "simulator";
    readonly perDayMax: number;
  };
  /** Where the money of bank files comes from, at most one for a platform and currency. */
  readonly payoutAccounts: readonly PayoutAccount[];
  /** Cards declined in an hour after which no more may be tried (Decision 0040). */
  readonly declinesPerHour: {
    readonly perAddress: number;
    readonly perBin: number;
    readonly perCard: number;
    readonly perMerchant: number;
  };
  readonly webhooks: {
    /** Whether events may be sent to loopback, private and link-local addresses (Decision 0035). */
    readonly privateTargets: "allow" | "refuse";
  };
  readonly checkout: {
    /** Whether the old method credit_card is taken for credit_card_co (Decision 0036). */
    readonly acceptLegacyMethod: boolean;
    /** Whether the result of a live payment may travel over plain http. */
    readonly plainLiveResponses: boolean;
  };
  readonly demoWorld: boolean;
}

export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const read = new SettingsReader(env);
  const stage = read.oneOf("STAGE", ["development", "production"]);
  const production = stage === "production";
  if (production)
    read.demand([
      "DATABASE_URL",
      "PUBLIC_URL",
      "PASSWORD_PEPPERS",
      "TOKEN_PEPPERS",
      "WRAPPING_KEYS",
    ]);
  const config: Config = {
    http: readHttp(read, production),
    database: {
      url: readDatabaseUrl(read),
      dataDir: path.resolve(read.text("DATA_DIR")),
      // Each lane of jobs keeps one to be told of new ones; the work needs some, too.
      connectionsMax: read.integer("DATABASE_CONNECTIONS_MAX", { min: 6, max: 100 }),
    },
    processes: {
      workers: read.integer("WORKERS", { min: 1, max: 64 }),
      role: read.oneOf("ROLE", ["all", "web", "worker"]),
    },
    logLevel: read.oneOf("LOG_LEVEL", LOG_LEVELS, production ? "info" : "warn"),
    limitsPerMinute: readLimits(read),
    passwords: {
      peppers: readKeyring(read, "PASSWORD_PEPPERS", production),
      hashing: read.oneOf("PASSWORD_HASHING", production ? ["standard"] : ["standard", "floor"]),
      complexity: read.boolean("PASSWORD_COMPLEXITY", production),
      failuresMax: read.integer("SIGN_IN_FAILURES_MAX", { min: 0, max: 1000 }, production ? 10 : 0),
    },
    tokenPeppers: readKeyring(read, "TOKEN_PEPPERS", production),
    wrappingKeys: readKeyring(read, "WRAPPING_KEYS", production),
    liveGateway: read.oneOf(
      "LIVE_GATEWAY",
      production ? ["none"] : ["none", "simulator"],
      production ? "none" : "simulator",
    ),
    withdrawals: readWithdrawals(read, production),
    payoutAccounts: readPayoutAccounts(read, production),
    declinesPerHour: readDeclines(read),
    webhooks: {
      privateTargets: read.oneOf(
        "WEBHOOK_PRIVATE_TARGETS",
        production ? ["refuse"] : ["allow", "refuse"],
        production ? "refuse" : "allow",
      ),
    },
    checkout: readCheckout(read, production),
    demoWorld: !production,
  };
  if (production) demandSafety(read, config);
  read.finish();
  return config;
}

/** With the files that TLS needs: they are opened for each connection, long after the start. */
function readDatabaseUrl(read: SettingsReader): string | undefined {
  const url = read.optionalUrl("DATABASE_URL", ["postgres:", "postgresql:"]);
  if (url === undefined) return undefined;
  const parameters = new URL(url).searchParams;
  for (const name of ["sslrootcert", "sslcert", "sslkey"]) {
    const file = parameters.get(name);
    if (file !== null && !isReadable(file))
      read.refuse(`DATABASE_URL names a file that cannot be read: ${name}=${file}.`);
  }
  return url;
}

function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

/** What would run, and would be a mistake. */
function demandSafety(read: SettingsReader, config: Config): void {
  const { protocol, username, search } = new URL(config.http.publicUrl);
  const isSafe = protocol === "https:" && username === "" && search === "";
  // That it is missing has been said.
  if (read.isGiven("PUBLIC_URL") && !isSafe)
    read.refuse("PUBLIC_URL must begin with https:// in production, without user or query.");
  const rings = [config.passwords.peppers, config.tokenPeppers, config.wrappingKeys];
  const keys = rings.flatMap((ring) => ring.all.map((key) => key.bytes.toString("base64")));
  if (new Set(keys).size < keys.length)
    read.refuse("PASSWORD_PEPPERS, TOKEN_PEPPERS and WRAPPING_KEYS must not share a key.");
  if (config.checkout.plainLiveResponses)
    read.refuse("PLAIN_LIVE_RESPONSES must not be true in production.");
  const published = SETTINGS.map((setting) => setting.example ?? "").join(" ");
  if (keys.some((key) => published.includes(key)))
    read.refuse("A keyring holds the key of the example. Make one: openssl rand -base64 32");
}

function readHttp(read: SettingsReader, production: boolean): Config["http"] {
  const host = read.text("HOST");
  const port = read.integer("PORT", { min: 0, max: 65535 });
  const shownHost = host === "0.0.0.0" || host === "::" ? "localhost" : host;
  const local = `http://${shownHost.includes(":") ? `[${shownHost}]` : shownHost}:${port}`;
  const publicUrl = withoutSlash(read.optionalUrl("PUBLIC_URL", ["http:", "https:"]) ?? local);
  const paymentsUrl = read.optionalUrl("PAYMENTS_PUBLIC_URL", ["http:", "https:"]);
  return {
    host,
    port,
    publicUrl,
    paymentsPublicUrl: paymentsUrl === undefined ? publicUrl : withoutSlash(paymentsUrl),
    allowedHosts: read.list("ALLOWED_HOSTS"),
    trustedProxies: read.cidrs("TRUSTED_PROXIES"),
    expectsProxy: production,
    metricsPort: read.optionalInteger(
      "METRICS_PORT",
      { min: 1, max: 65535 },
      production ? 9464 : undefined,
    ),
    metricsHost: read.text("METRICS_HOST"),
    requestsAtOnceMax: read.integer("REQUESTS_AT_ONCE_MAX", { min: 1, max: 100_000 }),
    overloadLoopDelayMs: read.integer(
      "OVERLOAD_LOOP_DELAY_MS",
      { min: 0, max: 60_000 },
      production ? 200 : 2_000,
    ),
    drainSeconds: read.integer("DRAIN_SECONDS", { min: 1, max: 300 }),
  };
}

function readCheckout(read: SettingsReader, production: boolean): Config["checkout"] {
  return {
    acceptLegacyMethod: read.boolean("ACCEPT_LEGACY_METHOD", true),
    plainLiveResponses: read.boolean("PLAIN_LIVE_RESPONSES", !production),
  };
}

function readLimits(read: SettingsReader): Limits {
  const bounds = { min: 1, max: 100_000_000 };
  return {
    signIn: read.integer("LIMIT_SIGN_IN", bounds),
    refresh: read.integer("LIMIT_REFRESH", bounds),
    revoke: read.integer("LIMIT_REVOKE", bounds),
    keys: read.integer("LIMIT_KEYS", bounds),
    password: read.integer("LIMIT_PASSWORD", bounds),
    phone: read.integer("LIMIT_PHONE", bounds),
    verify: read.integer("LIMIT_VERIFY", bounds),
    picture_create: read.integer("LIMIT_PICTURE_CREATE", bounds),
    picture_update: read.integer("LIMIT_PICTURE_UPDATE", bounds),
    picture_delete: read.integer("LIMIT_PICTURE_DELETE", bounds),
    payment_request: read.integer("LIMIT_PAYMENT_REQUEST", bounds),
    payment_merchant: read.integer("LIMIT_PAYMENT_MERCHANT", bounds),
    bad_credentials: read.integer("LIMIT_BAD_CREDENTIALS", bounds),
    general: read.integer("LIMIT_GENERAL", bounds),
  };
}

function readWithdrawals(read: SettingsReader, production: boolean): Config["withdrawals"] {
  return {
    livePaidBy: read.oneOf(
      "LIVE_PAYOUTS",
      production ? ["files"] : ["files", "simulator"],
      production ? "files" : "simulator",
    ),
    perDayMax: read.integer("WITHDRAWALS_PER_DAY_MAX", { min: 1, max: 1_000_000 }),
  };
}

function readDeclines(read: SettingsReader): Config["declinesPerHour"] {
  const bounds = { min: 1, max: 1_000_000 };
  return {
    perAddress: read.integer("DECLINES_PER_ADDRESS_MAX", bounds),
    // One address alone must not reach it (Decision 0068).
    perBin: read.integer("DECLINES_PER_BIN_MAX", { ...bounds, min: 2 }),
    perCard: read.integer("DECLINES_PER_CARD_MAX", bounds),
    perMerchant: read.integer("DECLINES_PER_MERCHANT_MAX", bounds),
  };
}

/**
 * Outside production a missing keyring is derived from its own name: what it protects is a demo
 * world whose passwords stand in the README. In production the same gap stops the start.
 */
function readKeyring(read: SettingsReader, name: string, production: boolean): Keyring {
  const given = read.keyring(name);
  if (given !== undefined) return given;
  const bytes = production
    ? randomBytes(32) // never used: a missing keyring is a mistake that `finish` reports
    : deriveKey(Buffer.from("windward development world"), name);
  const key = { id: "development", bytes };
  return { current: key, all: [key], byId: (id) => (id === key.id ? key : undefined) };
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, "");
}
