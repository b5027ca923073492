/**
 * The mail to an account's owners about a new API key, also one that replaces another: queued in
 * the tx that makes it, by the console and by the API alike.
 */

import type { Tx } from "../../infra/db/transaction.ts";
import type { Caller } from "../../infra/http/caller.ts";
import { tellOwnersOfCall } from "../people/tell-owners.ts";
import type { KeyRow } from "./api-key.ts";
import type { AuthContext } from "./context.ts";

export async function tellOfNewKey(
  { config }: Pick<AuthContext, "config">,
  tx: Tx,
  caller: Caller,
  { kid, name, environment }: KeyRow,
): Promise<void> {
  const key = name === null ? kid : `“${name}” (${kid})`;
  const place = environment === "live" ? "live" : "the sandbox";
  await tellOwnersOfCall(config, tx, caller, {
    subject: "A new API key",
    what: `The API key ${key} for ${place} was made.`,
  });
}
