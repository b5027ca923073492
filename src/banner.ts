/** What a person reads after `npm start`. */

import {
  DEMO_ACCOUNTS,
  DEMO_MEMBERS,
  DEMO_OPERATORS,
  DEMO_PASSWORD,
  DEMO_TOTP_SECRET,
  demoEmailOf,
  MEMBERS_OF,
} from "./demo-world.ts";
import type { Config } from "./infra/config.ts";
import { localUrl } from "./infra/local-url.ts";
import { SANDBOX_ACCOUNT, SANDBOX_KEYS } from "./modules/checkout/result/payment-keys.ts";

const SANDBOX_CARD = "4111 1111 1111 1111, any later expiry, CVV and name";

/** Where `npx windward` and the example shops look when nothing else is said. */
const TOOL_URL = "http://localhost:3000";

interface Facts {
  /** Where it listens. */
  readonly address: string;
  readonly database: string;
  /** Of the first demo merchant, live; those of the sandbox are the same everywhere. */
  readonly hashKey: string | undefined;
}

export function banner(config: Config, facts: Facts): string {
  const { hostname, port } = new URL(facts.address);
  const base = localUrl({ host: hostname.replace(/^\[|\]$/g, ""), port });
  const lines = [
    "",
    `  Windward is running at ${base}`,
    "",
    `  Console      ${base}/console`,
    ...(config.mail.transport.kind === "mailbox" ? [`  Mailbox      ${base}/dev/mail`] : []),
    `  Documents    ${base}/docs`,
    `  Get started  ${base}/docs/start`,
    `  Verifier     ${base}/verify`,
    `  OpenAPI      ${base}/openapi.json`,
    `  Health       ${base}/readyz`,
    `  Database     ${facts.database}`,
    `  Live cards   ${liveGateway(config)}`,
    ...(base === TOOL_URL ? [] : [`  For the tool export WINDWARD_URL=${base}`]),
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
      ...DEMO_MEMBERS.map(
        (member) =>
          `    ${demoEmailOf(member).padEnd(24)} ${MEMBERS_OF}  ${member.role}` +
          (member.alsoViewerOf === undefined ? "" : `, and viewer of ${member.alsoViewerOf}`),
      ),
    );
  if (config.demoWorld)
    lines.push(
      "",
      `  Operators (password ${DEMO_PASSWORD}, authenticator secret ${DEMO_TOTP_SECRET}):`,
      ...DEMO_OPERATORS.map((email) => `    ${email.padEnd(28)} ${base}/operator`),
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
