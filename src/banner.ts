/** What a person reads after `npm start`. */

import { DEMO_ACCOUNTS, DEMO_PASSWORD } from "./demo-world.ts";
import type { Config } from "./infra/config.ts";
import { SANDBOX_ACCOUNT, SANDBOX_KEYS } from "./modules/checkout/result/payment-keys.ts";

const SANDBOX_CARD = "4111 1111 1111 1111, any later expiry, CVV and name";

interface Facts {
  readonly address: string;
  readonly database: string;
  /** Of the first demo merchant, live; those of the sandbox are the same everywhere. */
  readonly hashKey: string | undefined;
}

export function banner(config: Config, facts: Facts): string {
  const base = facts.address;
  const lines = [
    "",
    `  Windward is running at ${base}`,
    "",
    `  Get started  ${base}/docs/start`,
    `  Reference    ${base}/docs`,
    `  Verifier     ${base}/verify`,
    `  OpenAPI      ${base}/openapi.json`,
    `  Health       ${base}/readyz`,
    `  Database     ${facts.database}`,
    `  Live cards   ${liveGateway(config)}`,
  ];
  if (config.demoWorld)
    lines.push(
      `  Sandbox card ${SANDBOX_CARD}`,
      "",
      `  Sign in (password ${DEMO_PASSWORD}):`,
      ...DEMO_ACCOUNTS.map(
        ({ email, accountNumber, countryCode, accountType, isMainMerchant }) =>
          `    ${email.padEnd(24)} ${accountNumber}  ${countryCode} ${accountType}` +
          (isMainMerchant ? ", main merchant" : ""),
      ),
    );
  if (facts.hashKey !== undefined)
    lines.push(
      "",
      `  Keys of ${SANDBOX_ACCOUNT} in the sandbox: hash key ${SANDBOX_KEYS.hashKey},`,
      `  signing secret ${SANDBOX_KEYS.signingSecret}. Its live hash key: ${facts.hashKey}`,
    );
  lines.push("", "  Ctrl-C stops it.", "", "");
  return lines.join("\n");
}

/** Who charges them. */
function liveGateway({ liveGateway: name, powertranz }: Config): string {
  if (powertranz !== undefined) return `PowerTranz at ${new URL(powertranz.url).host}`;
  return name === "simulator" ? "simulator: no money moves" : "refused: no acquirer is configured";
}
