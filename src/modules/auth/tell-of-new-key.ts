/**
 * The mail to an account's owners about a new API key, also one that replaces another: queued in
 * the tx that makes it, by the console and by the API alike.
 */

import type { Tx } from "../../infra/db/transaction.ts";
import type { Caller } from "../../infra/http/caller.ts";
import { findPerson } from "../people/person.ts";
import { tellOwners } from "../people/tell-owners.ts";
import type { KeyRow } from "./api-key.ts";
import type { AuthContext } from "./context.ts";

export async function tellOfNewKey(
  { config }: Pick<AuthContext, "config">,
  tx: Tx,
  { accountNumber, credential }: Caller,
  { kid, name, environment }: KeyRow,
): Promise<void> {
  const key = name === null ? kid : `“${name}” (${kid})`;
  const place = environment === "live" ? "live" : "the sandbox";
  const news = { accountNumber, subject: "A new API key" };
  const what = `The API key ${key} for ${place} was made`;
  if (credential.kind !== "session") {
    await tellOwners(config, tx, { ...news, what: `${what} by a program that had signed in.` });
    return;
  }
  const person = await findPerson(tx, credential.personId);
  const by = { name: person?.name ?? "somebody", ...credential };
  await tellOwners(config, tx, { ...news, what: `${what} in the console.`, by });
}
