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

export function canSendMail({ mail }: Pick<Config, "mail">): boolean {
  return mail.transport.kind !== "none";
}

/** A second mail for a reason changes nothing, whatever it says. */
export async function queueMail(
  config: Pick<Config, "mail" | "wrappingKeys">,
  tx: Tx,
  { reason, to, subject, content }: Mail,
): Promise<void> {
  if (!canSendMail(config)) return;
  const recipient = normalEmail(to);
  assert(
    recipient !== undefined,
    "a mail goes to one address, which was checked when it was given",
  );
  const mailId = randomUUID();
  const rendered = renderMail({ subject, content });
  const sealed = sealContent(config.wrappingKeys, { mailId, recipient }, rendered);
  const adding = sql`
    insert into mails (mail_id, reason, recipient, content_key_id, content_box)
    values (${mailId}, ${reason}, ${recipient}, ${sealed.keyId}, ${sealed.box})
    on conflict (reason) do nothing`;
  await tx.run(prepared("queue-mail", adding));
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
