/** What the account routes need beside the infrastructure. */

import type { Config } from "../../infra/config.ts";
import type { Infra } from "../../infra/context.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { Caller } from "../../infra/http/caller.ts";
import type { Passwords } from "./passwords.ts";

/**
 * Called before an account is closed, inside the closing tx and while the account's row is locked:
 * the sentence that says why it must stay open, or undefined. Open payments belong to modules that
 * stand later in the import order, so `app.ts` passes these in.
 */
export type ReasonToStayOpen = (tx: Tx, accountNumber: string) => Promise<string | undefined>;

export interface EmailChange {
  readonly accountNumber: string;
  readonly from: string;
  readonly to: string;
}

export interface AccountsContext extends Infra {
  readonly passwords: Passwords;
  readonly reasonsToStayOpen: readonly ReasonToStayOpen[];
  /** From `auth`, which stands later: refuses when the credential ended in the meantime. */
  holdCredential(tx: Tx, caller: Caller, accountRow: "read" | "write"): Promise<unknown>;
  /** From `people`: mails about another e-mail of an account, in the tx of the change. */
  tellOfEmail(config: Config, tx: Tx, caller: Caller, change: EmailChange): Promise<void>;
}
