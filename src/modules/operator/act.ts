/**
 * What an operator does: one tx with the effect and one audit entry of who, why and when
 * (Decision 0031). A refusal leaves neither.
 */

import assert from "node:assert/strict";
import { insertAudit } from "../../infra/audit.ts";
import type { Database } from "../../infra/db/database.ts";
import { sqlOf } from "../../infra/db/query.ts";
import { pick, type Row } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { scrub } from "../../kit/scrub.ts";
import type { Act, Done, Report, Signature } from "./command.ts";
import { words } from "./render.ts";

const ENTRY = pick(tables.audit_entries, "entry_id", "action", "actor");

/** What else belongs to the tx of an action. */
export interface ActHooks {
  /** First, and may refuse. */
  before?(tx: Tx): Promise<void>;
  /** Last, with what is said. */
  after?(tx: Tx, report: Report): Promise<void>;
}

export function createAct(
  db: Database,
  { by, why, from = {} }: Signature,
  { before, after }: ActHooks = {},
): Act {
  // The trail is never changed, so a card number or a key must not get into it.
  const signature = { by: scrub(by), why: scrub(why), from };
  const actor = `operator ${signature.by}`;
  return <D extends Done>(work: (tx: Tx, signature: Signature) => Promise<D>) => {
    let written: { entryId: bigint; action: string; report: Report & { done: D } } | undefined;
    return db.transaction(
      async (tx) => {
        await before?.(tx);
        const done = await work(tx, signature);
        const { entry, data, text, blocks, isBad = false, isPersonal = false } = done;
        if (entry !== undefined)
          await insertAudit(tx, {
            ...entry,
            actor,
            detail: { why: signature.why, ...from, ...entry.detail },
          });
        const { entry_id: entryId, action } = await ownEntry(tx, actor);
        const last = `Audit entry ${entryId}.`;
        const report = {
          data: { action, ...data, audit_entry: Number(entryId) },
          text: `${text}\n${last}`,
          ...(blocks && { blocks: [...blocks, words(last)] }),
          isBad,
          isPersonal,
          done,
        };
        await after?.(tx, report);
        written = { entryId, action, report };
        return report;
      },
      {
        async confirm() {
          if (written === undefined) return undefined;
          const { entryId, action, report } = written;
          // A number that was rolled back may be drawn again, after a crash of the database.
          const found = await db.maybeOne(sqlOf({})`
            select from audit_entries
            where entry_id = ${entryId} and actor = ${actor} and action = ${action}`);
          return found === undefined ? undefined : report;
        },
      },
    );
  };
}

/** The last number that this connection drew: of the entry that this tx wrote. */
async function ownEntry(tx: Tx, actor: string): Promise<Row<typeof ENTRY>> {
  const entry = await tx.maybeOne(sqlOf(ENTRY)`
    select entry_id, action, actor from audit_entries
    where entry_id = currval(pg_get_serial_sequence('audit_entries', 'entry_id'))`);
  assert.equal(entry?.actor, actor, "an action is not in the audit trail");
  return entry;
}
