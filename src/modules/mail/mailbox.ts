/** The mails that did not leave the machine in the development stage, newest first. */

import type { Infra } from "../../infra/context.ts";
import { type Sql, sql, sqlOf } from "../../infra/db/query.ts";
import { columns, pick } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import { openContent } from "./mail-content.ts";
import type { RenderedMail } from "./render-mail.ts";

export const MAILBOX_MAX = 200;

export interface MailboxMail extends RenderedMail {
  readonly id: string;
  readonly to: string;
  readonly at: Date;
}

const KEPT = pick(
  tables.mails,
  "mail_id",
  "recipient",
  "content_key_id",
  "content_box",
  "ended_at",
);

export function readMailbox(ctx: Pick<Infra, "config" | "db">): Promise<MailboxMail[]> {
  return readMails(ctx, sql`true`);
}

export async function findInMailbox(
  ctx: Pick<Infra, "config" | "db">,
  id: string,
): Promise<MailboxMail | undefined> {
  const [found] = await readMails(ctx, sql`mail_id = ${id}`);
  return found;
}

async function readMails(
  { config, db }: Pick<Infra, "config" | "db">,
  isWanted: Sql,
): Promise<MailboxMail[]> {
  const rows = await db.rows(sqlOf(KEPT)`
    select ${columns(KEPT)} from mails
    where state <> 'waiting' and content_box is not null and ${isWanted}
    order by ended_at desc, mail_id limit ${MAILBOX_MAX}`);
  return rows.flatMap(({ mail_id: id, recipient: to, ended_at: at, ...row }) => {
    if (row.content_key_id === null || row.content_box === null || at === null) return [];
    const sealed = { keyId: row.content_key_id, box: row.content_box };
    const content = openContent(config.wrappingKeys, { mailId: id, recipient: to }, sealed);
    return [{ id, to, at, ...content }];
  });
}
