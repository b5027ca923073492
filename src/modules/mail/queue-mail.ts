/**
 * Mail to people: queued in the tx that wants it, sent by a worker (Decision 0086).
 *
 * The row is written only if that tx commits, once for each reason. Where nobody sends mail nothing
 * is written: `canSendMail` lets pages say so.
 */

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { Config } from "../../infra/config.ts";
import { prepared, sql } from "../../infra/db/query.ts";
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
