/**
 * Mails about an account's security (Decision 0085): its owners are told of a sign-in from a
 * browser not seen before, changed bank details, a new key, replaced payment keys, a new member, a
 * changed password, another e-mail and a changed sign-in to the API, and so is the person it
 * happened to. Second factors are their person's own affair: only that person is told. Queued in
 * the tx of the change, so neither exists alone.
 */

import { randomUUID } from "node:crypto";
import type { Config } from "../../infra/config.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { Caller, Credential } from "../../infra/http/caller.ts";
import { maskEmail } from "../../kit/mask-email.ts";
import type { EmailChange } from "../accounts/context.ts";
import { queueMails } from "../mail/queue-mail.ts";
import { countMails } from "./count-mails.ts";
import { membershipsOf, ownerEmails } from "./member.ts";
import { findPerson, type Person } from "./person.ts";

interface News {
  readonly subject: string;
  /** One sentence of what happened. */
  readonly what: string;
  readonly by?: Doer;
}

interface Doer {
  readonly name: string;
  /** Unknown of a program. */
  readonly address?: string;
  readonly browser?: string;
}

export interface SecurityNews extends News {
  readonly accountNumber: string;
  /** Also told, where it is about them. */
  readonly person?: { readonly email: string };
}

export type MailConfig = Pick<Config, "mail" | "wrappingKeys" | "http">;

/** What a caller did to its own account, whether a person in the console or a program. */
export async function tellOwnersOfCall(
  config: MailConfig,
  tx: Tx,
  { accountNumber, credential }: Caller,
  news: News,
): Promise<void> {
  const by = await whoCalled(tx, credential);
  await tellOwners(config, tx, { accountNumber, ...news, by });
}

export async function whoCalled(tx: Tx, credential: Credential): Promise<Doer> {
  if (credential.kind === "key") return { name: `A program with the API key ${credential.kid}` };
  if (credential.kind === "bearer") return { name: "A program that signed in with the password" };
  const { personId, address, browser } = credential;
  const person = await findPerson(tx, personId);
  return { name: person?.name ?? "A member", address, browser };
}

/**
 * Another e-mail of an account (Decision 0138), also to the old one: links for a new password go to
 * the new one. Who reads the old mailbox by now may be a stranger, so the new one is masked there.
 * A main merchant's owners are told of those that it made.
 */
export async function tellOfEmail(
  config: MailConfig,
  tx: Tx,
  { accountNumber: callersNumber, credential }: Caller,
  { accountNumber, from, to }: EmailChange,
): Promise<void> {
  // In one order, so that two changes at once never wait for each other.
  for (const email of [from, to].toSorted())
    await countMails(tx, "moved e-mails", { accountNumber: callersNumber, email });
  const owners = await ownerEmails(tx, accountNumber);
  const callersOwners = await ownerEmails(tx, callersNumber);
  const by = await whoCalled(tx, credential);
  const email = `The e-mail of account ${accountNumber}'s sign-in`;
  const inFull = new Set([...owners, ...callersOwners]);
  for (const [recipients, shown] of [
    [[from], maskEmail(to)],
    [inFull, to],
  ] as const)
    await queueNews(config, tx, {
      subject: "Another e-mail to sign in with",
      what: `${email} was changed from ${from} to ${shown}.`,
      by,
      recipients,
      about: [["Account", accountNumber]],
      otherwise:
        "tell us at once: links for a new password go to the new e-mail now. End the API key or " +
        "the sign-in that did it, if it is yours.",
    });
}

/** A changed password: the owners of every account that the person acts for. */
export async function tellOfPassword(
  config: MailConfig,
  tx: Tx,
  person: Person,
  { how, by }: { readonly how: string; readonly by?: Doer },
): Promise<void> {
  if (person.isOperator) return tellOperatorOfPassword(config, tx, person, { how, by });
  for (const { account_number: accountNumber } of await membershipsOf(tx, person.personId))
    await tellOwners(config, tx, {
      accountNumber,
      person,
      subject: "A changed password",
      what: `The password of ${person.name} (${person.email}) was changed ${how}.`,
      ...(by === undefined ? {} : { by }),
    });
}

type ToldSelf = { readonly person: Person } & (
  | { readonly caller: Caller }
  | { readonly from: { readonly address: string; readonly browser: string } }
);

/** What somebody signed in changed of their own sign-in. */
export async function tellSelf(
  config: MailConfig,
  tx: Tx,
  self: ToldSelf,
  news: News,
): Promise<void> {
  await queueNews(config, tx, {
    ...news,
    recipients: [self.person.email],
    about: [["Sign-in", self.person.email]],
    profile: self.person.isOperator ? "/operator/me" : "/console/me",
    by:
      "caller" in self
        ? await whoCalled(tx, self.caller.credential)
        : { name: self.person.name, ...self.from },
  });
}

async function tellOperatorOfPassword(
  config: MailConfig,
  tx: Tx,
  { email }: Person,
  { how, by }: { readonly how: string; readonly by: Doer | undefined },
): Promise<void> {
  await queueNews(config, tx, {
    subject: "A changed password",
    what: `The password of your sign-in at the operator's console was changed ${how}.`,
    recipients: [email],
    about: [["Sign-in", email]],
    profile: "/operator/me",
    ...(by === undefined ? {} : { by }),
  });
}

export async function tellOwners(
  config: MailConfig,
  tx: Tx,
  { accountNumber, person, ...news }: SecurityNews,
): Promise<void> {
  const owners = await ownerEmails(tx, accountNumber);
  const recipients = new Set([...owners, ...(person === undefined ? [] : [person.email])]);
  await queueNews(config, tx, { ...news, recipients, about: [["Account", accountNumber]] });
}

const CHANGE_PASSWORD = "change your password and end the sessions you do not know.";

interface AddressedNews extends News {
  readonly recipients: Iterable<string>;
  readonly about: readonly (readonly [string, string])[];
  /** The page of the sign-in that it is about. */
  readonly profile?: string;
  /** What to do about it, where it was not expected. */
  readonly otherwise?: string;
}

async function queueNews(
  config: MailConfig,
  tx: Tx,
  { recipients, about, subject, what, by, ...more }: AddressedNews,
): Promise<void> {
  const { profile = "/console/me", otherwise = CHANGE_PASSWORD } = more;
  const news = randomUUID();
  const rows = [...about];
  if (by !== undefined) rows.push(["By", by.name]);
  if (by?.address !== undefined) rows.push(["From address", by.address]);
  if (by?.browser !== undefined) rows.push(["Browser", by.browser]);
  await queueMails(config, tx, {
    recipients: [...recipients].map((to, at) => ({ reason: `security ${news} ${at}`, to })),
    subject,
    content: {
      heading: subject,
      parts: [
        what,
        { rows },
        `If you expected this, there is nothing to do. If not, ${otherwise}`,
        { link: `${config.http.publicUrl}${profile}`, text: "Look at your sessions" },
      ],
    },
  });
}
