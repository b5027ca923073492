/**
 * The context of a process that is going to be killed: a checkout as the app wires it, on a
 * database of a test, whose steps the victim watches and whose gateways it may wrap.
 */

import type { Config } from "../../src/infra/config.ts";
import { type Database, openDatabase } from "../../src/infra/db/database.ts";
import type { Log } from "../../src/infra/log.ts";
import { createCheckoutBatches } from "../../src/modules/checkout/session/checkout-batches.ts";
import type { CheckoutContext, Failpoint } from "../../src/modules/checkout/session/context.ts";
import { paymentPurpose } from "../../src/modules/checkout/session/payment-purpose.ts";
import { createGateways } from "../../src/modules/gateway/create-gateways.ts";
import type { Gateway } from "../../src/modules/gateway/port.ts";
import { linkPurpose } from "../../src/modules/payment-links/link-purpose.ts";
import { chargingPurpose } from "../../src/modules/trusted-cards/charging-purpose.ts";
import { savingPurpose } from "../../src/modules/trusted-cards/saving-purpose.ts";
import { withWaiting } from "../../testkit/checkout-sessions.ts";

interface Victim {
  readonly url: string;
  readonly config: Config;
  readonly log: Log;
  readonly failpoint: Failpoint;
  /** What the gateways do with the database. */
  readonly watchDatabase?: (db: Database) => Database;
  readonly wrapGateway?: (gateway: Gateway) => Gateway;
  /** Attempts and answers go as those do whose sessions are locked elsewhere. */
  readonly waitsForLocks?: boolean;
}

const CONNECTIONS_MAX = 4;

export function openVictim(victim: Victim): CheckoutContext {
  const { url, config, log, failpoint } = victim;
  const db = openDatabase({ url, connectionsMax: CONNECTIONS_MAX, log });
  const { watchDatabase = (one) => one, wrapGateway = (one) => one } = victim;
  const { live, sandbox } = createGateways({ db: watchDatabase(db), config, log });
  const purposes = {
    payment: paymentPurpose,
    card: savingPurpose,
    charge: chargingPurpose,
    link: linkPurpose,
  };
  const batches = createCheckoutBatches({ db, log, config, purposes });
  return {
    config,
    db,
    log,
    gateways: { live: live && wrapGateway(live), sandbox: sandbox && wrapGateway(sandbox) },
    purposes,
    batches: victim.waitsForLocks ? withWaiting({ db, log, config, purposes }, batches) : batches,
    failpoint,
  };
}
