import { recordAudit } from "../../infra/audit.ts";
import { sql } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { Caller } from "../../infra/http/caller.ts";
import { holdCredential } from "../auth/hold-credential.ts";
import { phoneField } from "../platforms/phone.ts";

/** Two accounts may share a phone, so a change never reveals another account (Decision 0020). */
export async function changePhone(tx: Tx, caller: Caller, sent: string): Promise<void> {
  const phone = phoneField(caller.countryCode).read(sent, "phone");
  await holdCredential(tx, caller, "write");
  await tx.run(sql`
    update accounts set phone = ${phone} where account_number = ${caller.accountNumber}`);
  await recordAudit(tx, caller, "phone_changed");
}
