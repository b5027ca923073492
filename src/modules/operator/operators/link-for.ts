/** The link by which somebody of the operator sets a password; only they see it where mail is. */

import type { Config } from "../../../infra/config.ts";
import type { Tx } from "../../../infra/db/transaction.ts";
import { OperatorError } from "../../../kit/errors.ts";
import { mailResetLink } from "../../people/forgot-password.ts";
import { findOperatorPerson } from "../../people/person.ts";
import { makeResetLink } from "../../people/reset-link.ts";
import { plain } from "../render.ts";

export async function linkFor(config: Config, tx: Tx, email: string) {
  const person = await findOperatorPerson(tx, email);
  if (person === undefined) throw new OperatorError(`There is no operator ${email}.`);
  const link = await makeResetLink(config, tx, person);
  await mailResetLink(config, tx, person, link);
  const until = `good until ${plain(link.expiresAt)}`;
  if (config.mail.transport.kind === "smtp")
    return {
      data: { mailed_to: email, expires_at: link.expiresAt },
      text: `A link to set the password, ${until}, goes to ${email} by mail.`,
    };
  return {
    data: { url: link.url, expires_at: link.expiresAt },
    text: `A link to set the password, ${until}, shown this once:\n${link.url}`,
  };
}
