/**
 * A worker that dies by kill -9 at a named step of one refund: run by `refund-kill.test.ts` as a
 * process of its own, with the database's address, the refund and the step as its arguments.
 */

import process from "node:process";
import { readConfig } from "../../../src/infra/config.ts";
import { openDatabase } from "../../../src/infra/db/database.ts";
import { createLog } from "../../../src/infra/log.ts";
import { createGateways } from "../../../src/modules/gateway/create-gateways.ts";
import type { Gateway } from "../../../src/modules/gateway/port.ts";
import { settleRefund } from "../../../src/modules/transactions/settle-refunds.ts";
import { dieAt, watchedDatabase } from "../../../testkit/dying-process.ts";

const [, , url = "", refundId = "", step = ""] = process.argv;

const reach = dieAt(step);

function dangerous(gateway: Gateway): Gateway {
  return {
    ...gateway,
    async refund(order) {
      reach("before the gateway does it");
      const answer = await gateway.refund(order);
      reach("after the gateway did it");
      return answer;
    },
  };
}

const log = createLog({ level: "silent" });
const db = openDatabase({ url, connectionsMax: 3, log });
const config = readConfig({});
const gateway = createGateways({ db, config, log }).sandbox;
if (gateway === undefined) throw new Error("the sandbox has a gateway");
const live = dangerous(gateway);
const gateways = { live, sandbox: live };
// The first tx claims, the second writes down what the gateway said.
const watched = watchedDatabase(db, ["claim", "outcome"], reach);
await settleRefund({ config, log, db: watched, gateways }, refundId);
await db.close();
