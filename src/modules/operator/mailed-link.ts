/** A link to set a password, made by an operator: only its person sees it where mail is set up. */

import type { Config } from "../../infra/config.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { type LinkMadeFor, mailResetLink } from "../people/mail-reset-link.ts";
import type { SigningPerson } from "../people/person.ts";
import { makeResetLink } from "../people/reset-link.ts";
import { plain } from "./render.ts";

interface Made {
  readonly madeFor: LinkMadeFor;
  /** Such as "A link for account 1234567890". */
  readonly title: string;
}

export async function mailedLink(
  config: Config,
  tx: Tx,
  person: SigningPerson,
  { madeFor, title }: Made,
) {
  const { url, expiresAt } = await makeResetLink(config, tx, person);
  await mailResetLink(config, tx, person, { url, expiresAt, madeFor });
  const link = `${title}, good until ${plain(expiresAt)}`;
  if (config.mail.transport.kind === "smtp")
    return {
      data: { mailed_to: person.email, expires_at: expiresAt },
      text: `${link}, goes to ${person.email} by mail.`,
    };
  return { data: { url, expires_at: expiresAt }, text: `${link}, shown this once:\n${url}` };
}
