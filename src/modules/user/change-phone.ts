import { sql } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { Caller } from "../../infra/http/caller.ts";
import { phoneField } from "../platforms/phone.ts";
import { auditChange } from "./audit-change.ts";
import { holdCredential } from "./hold-credential.ts";

/** Two accounts may have one phone, so nobody learns here whose it is already (Decision 0020). */
export async function changePhone(tx: Tx, caller: Caller, given: string): Promise<void> {
  const phone = phoneField(caller.countryCode).read(given, "phone");
  await holdCredential(tx, caller, "change");
  await tx.run(sql`
    update accounts set phone = ${phone} where account_number = ${caller.accountNumber}`);
  await auditChange(tx, caller, "phone_changed");
}
