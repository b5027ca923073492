/**
 * A process that dies by kill -9 at a named step of one withdrawal: run by
 * `withdrawal-kills.test.ts` with the database's address, what to do, who is calling, the
 * withdrawal and the step as its arguments.
 */

import process from "node:process";
import { readConfig } from "../../src/infra/config.ts";
import { openDatabase } from "../../src/infra/db/database.ts";
import type { Caller } from "../../src/infra/http/caller.ts";
import { createLog } from "../../src/infra/log.ts";
import { readFields } from "../../src/kit/fields/field.ts";
import { holdCredential } from "../../src/modules/auth/hold-credential.ts";
import { platformOf } from "../../src/modules/platforms/platform.ts";
import { cancelWithdrawal } from "../../src/modules/withdrawals/cancel-withdrawal.ts";
import type { WithdrawalsContext } from "../../src/modules/withdrawals/context.ts";
import { createWithdrawal } from "../../src/modules/withdrawals/create-withdrawal.ts";
import { createBanks } from "../../src/modules/withdrawals/payouts/sandbox-bank.ts";
import { withdrawalFields } from "../../src/modules/withdrawals/withdrawal-fields.ts";
import { sweepPayouts } from "../../testkit/sweeps.ts";

const [, , url = "", task = "", who = "{}", id = "", step = ""] = process.argv;
const { accountNumber, grantId } = JSON.parse(who) as { accountNumber: string; grantId: string };

const db = openDatabase({ url, connectionsMax: 4, log: createLog({ level: "silent" }) });
const config = readConfig({});
const ctx = {
  config,
  db,
  log: createLog({ level: "silent" }),
  banks: createBanks({ db, config }),
  holdCredential,
  failpoint(here: string) {
    if (here === step) process.kill(process.pid, "SIGKILL");
  },
} as unknown as WithdrawalsContext;
const caller: Caller = {
  accountNumber,
  accountType: "BUSINESS",
  countryCode: "TT",
  isMainMerchant: false,
  scopes: new Set(),
  credential: { kind: "bearer", grantId, expiresAt: new Date("2199-01-01") },
};

if (task === "create") {
  const asked = { withdrawal_type: "normal", currency: "TTD", amount: 100, environment: "sandbox" };
  const fields = readFields(withdrawalFields(platformOf("TT")), asked);
  await db.transaction((tx) => createWithdrawal(ctx, tx, caller, fields));
} else if (task === "cancel") {
  const asked = { transactionId: id, environment: undefined };
  await db.transaction((tx) => cancelWithdrawal(ctx, tx, caller, asked));
} else await sweepPayouts(ctx);
await db.close();
