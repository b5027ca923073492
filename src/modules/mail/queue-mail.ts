/**
 * Mail to people: queued in the tx that wants it, sent by a worker (Decision 0086).
 *
 * The row is written only if that tx commits, once for each reason. Where nobody sends mail nothing
 * is written: `canSendMail` lets pages say so.
 */

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { Config } from "../../infra/config.ts";
import { prepared, type Queryable, sql, sqlOf } from "../../infra/db/query.ts";
import { pick } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { unnest } from "../../infra/db/unnest.ts";
import { normalEmail } from "../../kit/fields/text.ts";
import { sealContent } from "./mail-content.ts";
import { type MailContent, renderMail } from "./render-mail.ts";

export interface Mail {
  /** Such as `password reset <id>`. It is stored and logged as it is: no secret belongs in it. */
  readonly reason: string;
  readonly to: string;
  readonly subject: string;
  readonly content: MailContent;
}

/** The same words to several people. */
export interface SharedMail extends Omit<Mail, "reason" | "to"> {
  readonly recipients: readonly Pick<Mail, "reason" | "to">[];
}

const NEW_MAIL = {
  mailId: "uuid",
  reason: "text",
  recipient: "text",
  keyId: "text",
  box: "bytea",
} as const;

export function canSendMail({ mail }: Pick<Config, "mail">): boolean {
  return mail.transport.kind !== "none";
}

/** A second mail for a reason changes nothing, whatever it says. */
export async function queueMail(
  config: Pick<Config, "mail" | "wrappingKeys">,
  tx: Tx,
  { reason, to, ...words }: Mail,
): Promise<void> {
  await queueMails(config, tx, { ...words, recipients: [{ reason, to }] });
}

/** In one statement, however many they are: others may wait for what the tx has locked. */
export async function queueMails(
  config: Pick<Config, "mail" | "wrappingKeys">,
  tx: Tx,
  { recipients, subject, content }: SharedMail,
): Promise<void> {
  if (!canSendMail(config) || recipients.length === 0) return;
  const rendered = renderMail({ subject, content });
  const mails = recipients.map(({ reason, to }) => {
    const recipient = normalEmail(to);
    assert(
      recipient !== undefined,
      "a mail goes to one address, which was checked when it was given",
    );
    const mailId = randomUUID();
    const sealed = sealContent(config.wrappingKeys, { mailId, recipient }, rendered);
    return { mailId, reason, recipient, ...sealed };
  });
  const adding = sql`
    insert into mails (mail_id, reason, recipient, content_key_id, content_box)
    select mail_id, reason, recipient, key_id, box from ${unnest("mail", mails, NEW_MAIL)}
    on conflict (reason) do nothing`;
  await tx.run(prepared("queue-mails", adding));
}

/** Those for which there is a mail: it waits, or has ended within the last 30 days. */
export async function knownReasons(
  db: Queryable,
  reasons: readonly string[],
): Promise<ReadonlySet<string>> {
  if (reasons.length === 0) return new Set();
  const rows = await db.rows(sqlOf(pick(tables.mails, "reason"))`
    select reason from mails where reason = any (${reasons})`);
  return new Set(rows.map(({ reason }) => reason));
}
