import { recordAudit } from "../../infra/audit.ts";
import { sql } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { Caller } from "../../infra/http/caller.ts";
import type { Shape } from "../../kit/fields/field.ts";
import { holdCredential } from "../auth/hold-credential.ts";
import { type BankKind, NoBankExists } from "./bank.ts";

export async function removeBank<Fields extends Shape>(
  tx: Tx,
  caller: Caller,
  kind: BankKind<Fields>,
): Promise<void> {
  await holdCredential(tx, caller, "read");
  const removed = await tx.run(
    sql`delete from ${kind.table} where account_number = ${caller.accountNumber}`,
  );
  if (removed === 0) throw new NoBankExists(kind.type);
  await recordAudit(tx, caller, "bank_removed", { detail: { type: kind.type } });
}
