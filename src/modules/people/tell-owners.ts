/**
 * Mails about an account's security (Decision 0085): its owners are told of a sign-in from a
 * browser not seen before, changed bank details, a new key, a new member and a changed password,
 * and so is the person it happened to. Queued in the tx of the change, so neither exists alone.
 */

import { randomUUID } from "node:crypto";
import type { Config } from "../../infra/config.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { Caller, Credential } from "../../infra/http/caller.ts";
import { queueMail } from "../mail/queue-mail.ts";
import { ownerEmails } from "./member.ts";
import { findPerson } from "./person.ts";

export interface SecurityNews {
  readonly accountNumber: string;
  /** Also told, where it is about them. */
  readonly person?: { readonly email: string };
  readonly subject: string;
  /** One sentence of what happened. */
  readonly what: string;
  readonly by?: {
    readonly name: string;
    /** Unknown of a program. */
    readonly address?: string;
    readonly browser?: string;
  };
}

/** What a caller did to its own account, whether a person in the console or a program. */
export async function tellOwnersOfCall(
  config: Parameters<typeof tellOwners>[0],
  tx: Tx,
  { accountNumber, credential }: Caller,
  news: Pick<SecurityNews, "subject" | "what">,
): Promise<void> {
  const by = await whoCalled(tx, credential);
  await tellOwners(config, tx, { accountNumber, ...news, by });
}

async function whoCalled(tx: Tx, credential: Credential): Promise<NonNullable<SecurityNews["by"]>> {
  if (credential.kind === "key") return { name: `A program with the API key ${credential.kid}` };
  if (credential.kind === "bearer") return { name: "A program that signed in with the password" };
  const { personId, address, browser } = credential;
  const person = await findPerson(tx, personId);
  return { name: person?.name ?? "A member", address, browser };
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
  if (by !== undefined) rows.push(["By", by.name]);
  if (by?.address !== undefined) rows.push(["From address", by.address]);
  if (by?.browser !== undefined) rows.push(["Browser", by.browser]);
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
          "If you expected this, there is nothing to do. If not, change your password and end " +
            "the sessions you do not know.",
          { link: `${config.http.publicUrl}/console/me`, text: "Look at your sessions" },
        ],
      },
    });
}
