/**
 * What is kept in the vault and does not open was changed by somebody with a client of the
 * database: that is told loudly, by log, metric and audit trail (Decision 0044).
 */

import { insertAudit } from "../../infra/audit.ts";
import type { Infra } from "../../infra/context.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { countUnopened } from "./card-metrics.ts";
import type { CardRow } from "./trusted-card.ts";

interface Alarm {
  readonly action: string;
  readonly said: string;
  readonly accountNumber: string;
  readonly detail: { readonly uuid?: string };
}

export function cardAlarm(row: Pick<CardRow, "card_uuid" | "account_number">): Alarm {
  return {
    action: "stored_card_unopened",
    said: "ALARM: a stored card does not open: its row was changed",
    accountNumber: row.account_number,
    detail: { uuid: row.card_uuid },
  };
}

export function fingerprintAlarm(accountNumber: string): Alarm {
  return {
    action: "fingerprint_key_unopened",
    said: "ALARM: the key of an account's fingerprints does not open: its row was changed",
    accountNumber,
    detail: {},
  };
}

/** Where no tx is open. */
export async function raiseAlarm(
  { db, log }: Pick<Infra, "db" | "log">,
  alarm: Alarm,
): Promise<void> {
  tell(log, alarm);
  await insertAudit(db, entryOf(alarm));
}

/** Within a tx that goes on: logged once it is committed. */
export async function noteAlarm({ log }: Pick<Infra, "log">, tx: Tx, alarm: Alarm): Promise<void> {
  await insertAudit(tx, entryOf(alarm));
  tx.afterCommit(() => tell(log, alarm));
}

function tell(log: Infra["log"], { said, accountNumber, detail }: Alarm): void {
  countUnopened();
  log.error({ ...detail, accountNumber }, said);
}

function entryOf({ action, accountNumber, detail }: Alarm) {
  return { action, accountNumber, actor: "trusted cards", detail };
}
