/**
 * Sends a mail: claimed with a lease, handed to the mail server with no tx open, and its end
 * written in a second tx (Decision 0086).
 *
 * A process may die after the server accepted a mail and before its end is written. Then the lease
 * runs out and it is sent again, with the same Message-ID, by which most mail programs show it
 * once. Retries and what a crash left are found by a sweep every minute.
 */

import type { Infra } from "../../infra/context.ts";
import { leaseEnd } from "../../infra/db/clock.ts";
import { sqlOf } from "../../infra/db/query.ts";
import { columns, pick, type Row } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import { defineJob } from "../../infra/jobs/job.ts";
import { MINUTE_SECONDS } from "../../kit/clock.ts";
import { openContent } from "./mail-content.ts";
import { canSendMail, SEND_MAIL, scheduleMail } from "./queue-mail.ts";
import { ATTEMPTS_MAX, recordOutcome } from "./record-outcome.ts";
import { failureOf, type Outcome, SEND_SECONDS_MAX, type SendMessage } from "./send-over-smtp.ts";

/** Longer than a message can take. */
const LEASE_SECONDS = SEND_SECONDS_MAX + 2 * MINUTE_SECONDS;
const SWEPT_AT_ONCE = 500;
const SENDING_AT_ONCE = 4;

export interface MailContext extends Infra {
  readonly sendMessage: SendMessage;
}

const CLAIMED = pick(
  tables.mails,
  "mail_id",
  "reason",
  "recipient",
  "attempt_count",
  "content_key_id",
  "content_box",
  "created_at",
);
type Claimed = Row<typeof CLAIMED>;

export const sendMailJob = defineJob({
  name: SEND_MAIL,
  lane: { name: "mail", concurrentMax: SENDING_AT_ONCE },
  async run(ctx: MailContext, { mailId }: { mailId?: string }) {
    if (mailId !== undefined) await sendMail(ctx, mailId);
  },
});

export const sweepMailsJob = defineJob({
  name: "sweep-mails",
  everyMinute: true,
  followsTheClock: true,
  run: sweepMails,
});

/** Adds a job for each mail that is due. */
export async function sweepMails({ config, db }: Infra): Promise<void> {
  if (!canSendMail(config)) return;
  const due = await db.rows(sqlOf(pick(tables.mails, "mail_id"))`
    select mail_id from mails
    where state = 'waiting' and next_try_at <= (select app_now())
    order by next_try_at limit ${SWEPT_AT_ONCE}`);
  for (const { mail_id } of due) await scheduleMail(db, mail_id);
}

/** Does nothing when the mail has ended, is not due, or is claimed. */
export async function sendMail(ctx: MailContext, mailId: string): Promise<void> {
  if (!canSendMail(ctx.config)) return;
  const [mail] = await ctx.db.transactionOf(sqlOf(CLAIMED)`
    update mails set attempt_count = attempt_count + 1, next_try_at = ${leaseEnd(LEASE_SECONDS)}
    where mail_id = ${mailId} and state = 'waiting' and next_try_at <= (select app_now())
    returning ${columns(CLAIMED)}`);
  if (mail === undefined) return;
  const outcome = await attempt(ctx, mail);
  await ctx.db.transaction((tx) => recordOutcome(ctx, tx, mail, outcome));
}

async function attempt(ctx: MailContext, mail: Claimed): Promise<Outcome> {
  // Each attempt before may have died with its process: that must end, too.
  if (mail.attempt_count > ATTEMPTS_MAX) return { kind: "failed", why: { code: "EINTERRUPTED" } };
  try {
    const { mail_id: mailId, recipient: to, created_at: at } = mail;
    const sealed = { keyId: mail.content_key_id ?? "", box: mail.content_box ?? Buffer.alloc(0) };
    const content = openContent(ctx.config.wrappingKeys, { mailId, recipient: to }, sealed);
    return await ctx.sendMessage({ mailId, to, at, ...content });
  } catch (error) {
    return { kind: "failed", why: failureOf(error) };
  }
}
