/** What the account routes need beside the ground: a hasher, and who knows of money left. */

import type { Infra } from "../../infra/context.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { Caller } from "../../infra/http/caller.ts";
import type { Passwords } from "./passwords.ts";

/**
 * Asked before an account is closed, inside the closing tx and while the account's row is locked:
 * the sentence that tells why it must stay open, or undefined. Open payments belong to modules that
 * stand later in the import line, so `app.ts` hands the questions in.
 */
export type ReasonToStayOpen = (tx: Tx, accountNumber: string) => Promise<string | undefined>;

type HoldCredential = (tx: Tx, caller: Caller, accountRow: "read" | "write") => Promise<unknown>;

export interface AccountsContext extends Infra {
  readonly passwords: Passwords;
  readonly reasonsToStayOpen: readonly ReasonToStayOpen[];
  /** From `auth`, which stands later: refuses when the credential ended in the meantime. */
  readonly holdCredential: HoldCredential;
}
