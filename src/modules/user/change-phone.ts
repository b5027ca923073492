import { recordAudit } from "../../infra/audit.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { Caller } from "../../infra/http/caller.ts";
import { setPhone } from "../accounts/account.ts";
import { holdCredential } from "../auth/hold-credential.ts";
import { phoneField } from "../platforms/phone.ts";

/** Two accounts may have one phone, so nobody learns here whose it is already (Decision 0020). */
export async function changePhone(tx: Tx, caller: Caller, given: string): Promise<void> {
  const phone = phoneField(caller.countryCode).read(given, "phone");
  await holdCredential(tx, caller, "write");
  await setPhone(tx, { accountNumber: caller.accountNumber, phone });
  await recordAudit(tx, caller, "phone_changed");
}
