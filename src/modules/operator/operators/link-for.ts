/** The link by which somebody of the operator sets a password. */

import type { Config } from "../../../infra/config.ts";
import type { Tx } from "../../../infra/db/transaction.ts";
import { NoSuchRecord } from "../../../kit/errors.ts";
import type { LinkMadeFor } from "../../people/mail-reset-link.ts";
import { findOperatorPerson } from "../../people/person.ts";
import { mailedLink } from "../mailed-link.ts";

export async function linkFor(config: Config, tx: Tx, email: string, madeFor: LinkMadeFor) {
  const person = await findOperatorPerson(tx, email);
  if (person === undefined) throw new NoSuchRecord(`There is no operator ${email}.`);
  return mailedLink(config, tx, person, { madeFor, title: "A link to set the password" });
}
