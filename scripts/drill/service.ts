/** The real service on the drill's database: two web processes and a worker, and its merchants. */

import { openDatabase } from "../../src/infra/db/database.ts";
import { createLog } from "../../src/infra/log.ts";
import { demoSignIn } from "../../testkit/ask.ts";
import { fund } from "../../testkit/books.ts";
import { NO_LIMITS, OUT_OF_THE_WAY } from "../../testkit/no-limits.ts";
import { type Running, start, UNHINDERED } from "../../testkit/processes.ts";
import type { Merchant } from "./callers.ts";

const MERCHANTS = 8;
const PASSWORD = "Drill-2026-x";
const SCOPES = "svc-user-all svc-withdrawals-all svc-transactions-all";
const BANK = { bank_name: "First Citizens", bank_account: "0012345678", name_in_bank: "D. Rill" };

export interface DrillService {
  readonly webs: readonly string[];
  readonly merchants: readonly Merchant[];
}

export async function startService(databaseUrl: string): Promise<DrillService> {
  const settings = drillSettings(databaseUrl);
  const first = await start({ settings: { ...settings, ROLE: "web" } });
  const [second] = await Promise.all([
    start({ settings: { ...settings, ROLE: "web" } }),
    start({ settings: { ...settings, ROLE: "worker" } }),
  ]);
  const merchants = await openMerchants(first, databaseUrl);
  return { webs: [first.url, second.url], merchants };
}

export function drillSettings(databaseUrl: string): Record<string, string> {
  return {
    ...UNHINDERED,
    DATABASE_URL: databaseUrl,
    ...NO_LIMITS,
    WITHDRAWALS_PER_DAY_MAX: OUT_OF_THE_WAY,
    LOG_LEVEL: "fatal",
  };
}

/** Made by the demo world's main merchant, and rich enough for every withdrawal. */
export async function openMerchants(
  web: Pick<Running, "ask">,
  databaseUrl: string,
): Promise<Merchant[]> {
  const log = createLog({ level: "silent" });
  const db = openDatabase({ url: databaseUrl, connectionsMax: 2, log });
  try {
    const asMain = demoSignIn("merchant@example.com", "svc-accounts-create");
    const { access_token: token } = (await web.ask("/auth/tokens", asMain)).body;
    const merchants: Merchant[] = [];
    for (let number = 1; number <= MERCHANTS; number++) {
      const email = `drill-${number}@example.com`;
      const name = { first_name: "D", last_name: "Rill", account_type: "BUSINESS" };
      const made = await web.ask("/accounts", {
        method: "POST",
        token,
        json: { email, password: PASSWORD, ...name },
      });
      if (made.status !== 201) throw new Error(`an account was refused: ${made.text}`);
      const { account_number: accountNumber } = made.body.data;
      const signIn = { email, password: PASSWORD, scopes: SCOPES };
      const signedIn = await web.ask("/auth/tokens", { method: "POST", json: signIn });
      const own = { token: signedIn.body.access_token as string };
      await web.ask("/user/banks/local", { method: "POST", ...own, json: BANK });
      await fund(db, accountNumber, "9000000.00 TTD");
      merchants.push({ accountNumber, ...own });
    }
    return merchants;
  } finally {
    await db.close();
  }
}
