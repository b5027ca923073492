/**
 * Mails about an account's security (Decision 0085): its owners are told of a sign-in from a
 * browser not seen before, changed bank details, a new key, a new member and a changed password,
 * and so is the person it happened to. Queued in the tx of the change, so neither exists alone.
 */

import { randomUUID } from "node:crypto";
import type { Config } from "../../infra/config.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { queueMail } from "../mail/queue-mail.ts";
import { ownerEmails } from "./member.ts";

export interface SecurityNews {
  readonly accountNumber: string;
  /** Also told, where it is about them. */
  readonly person?: { readonly email: string };
  readonly subject: string;
  /** One sentence of what happened. */
  readonly what: string;
  readonly by?: { readonly name: string; readonly address: string; readonly browser: string };
}

export async function tellOwners(
  config: Pick<Config, "mail" | "wrappingKeys" | "http">,
  tx: Tx,
  { accountNumber, person, subject, what, by }: SecurityNews,
): Promise<void> {
  const owners = await ownerEmails(tx, accountNumber);
  const recipients = new Set([...owners, ...(person === undefined ? [] : [person.email])]);
  const news = randomUUID();
  const rows: [string, string][] = [["Account", accountNumber]];
  if (by !== undefined)
    rows.push(["By", by.name], ["From address", by.address], ["Browser", by.browser]);
  for (const to of recipients)
    await queueMail(config, tx, {
      reason: `security ${news} ${to}`,
      to,
      subject,
      content: {
        heading: subject,
        parts: [
          what,
          { rows },
          "If you expected this, there is nothing to do. If not, change your password and end the " +
            "sessions you do not know.",
          { link: `${config.http.publicUrl}/console/me`, text: "Look at your sessions" },
        ],
      },
    });
}
