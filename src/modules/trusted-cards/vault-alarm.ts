/**
 * Alarms of the vault: what does not open was changed by a client of the database. Each is logged,
 * counted and audited (Decision 0044).
 */

import { insertAudit } from "../../infra/audit.ts";
import type { Infra } from "../../infra/context.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { unopenedCards } from "./card-metrics.ts";
import type { CardRow } from "./trusted-card.ts";

interface Alarm {
  readonly action: string;
  readonly message: string;
  readonly accountNumber: string;
  readonly detail: { readonly uuid?: string };
}

export function cardAlarm(row: Pick<CardRow, "card_uuid" | "account_number">): Alarm {
  return {
    action: "stored_card_unopened",
    message: "ALARM: a stored card does not open: its row was changed",
    accountNumber: row.account_number,
    detail: { uuid: row.card_uuid },
  };
}

export function fingerprintAlarm(accountNumber: string): Alarm {
  return {
    action: "fingerprint_key_unopened",
    message: "ALARM: the key of an account's fingerprints does not open: its row was changed",
    accountNumber,
    detail: {},
  };
}

/** Where no tx is open. */
export async function raiseAlarm(
  { db, log }: Pick<Infra, "db" | "log">,
  alarm: Alarm,
): Promise<void> {
  report(log, alarm);
  await insertAudit(db, entryOf(alarm));
}

/** Within a tx that goes on: logged once it is committed. */
export async function noteAlarm({ log }: Pick<Infra, "log">, tx: Tx, alarm: Alarm): Promise<void> {
  await insertAudit(tx, entryOf(alarm));
  tx.afterCommit(() => report(log, alarm));
}

function report(log: Infra["log"], { message, accountNumber, detail }: Alarm): void {
  unopenedCards.inc();
  log.error({ ...detail, accountNumber }, message);
}

function entryOf({ action, accountNumber, detail }: Alarm) {
  return { action, accountNumber, actor: "trusted cards", detail };
}
