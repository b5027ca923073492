/** What a person reads after `npm start`. */

import { DEMO_ACCOUNTS, DEMO_PASSWORD } from "./demo-world.ts";
import type { Config } from "./infra/config.ts";

const SANDBOX_CARD = "4111 1111 1111 1111, any later expiry, CVV and name";

interface Facts {
  readonly address: string;
  readonly database: string;
  /** Of the first demo merchant, live; that of the sandbox is in the documents. */
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
    lines.push("", `  Hash key of 1234567890: ${facts.hashKey} live, 123 in the sandbox`);
  lines.push("", "  Ctrl-C stops it.", "", "");
  return lines.join("\n");
}
