/** Which bank pays the withdrawals of which environment. */

import type { Infra } from "../../../infra/context.ts";
import type { Banks } from "./bank.ts";
import { createSandboxBank } from "./sandbox-bank.ts";

export function createBanks({ db, config }: Pick<Infra, "db" | "config">): Banks {
  const simulator = createSandboxBank(db);
  return {
    sandbox: simulator,
    live: config.withdrawals.livePaidBy === "simulator" ? simulator : undefined,
  };
}
