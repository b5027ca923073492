/**
 * Sends a mail: claimed with a lease, handed to the mail server with no tx open, and its end
 * written in a second tx (Decision 0086).
 *
 * A process may die after the server accepted a mail and before its end is written. Then the lease
 * runs out and it is sent again, with the same Message-ID, by which most mail programs show it
 * once. What is due is looked for (Decision 0137): new ones, retries and what a crash left.
 */

import type { Infra } from "../../infra/context.ts";
import { leaseEnd } from "../../infra/db/clock.ts";
import { prepared, sqlOf } from "../../infra/db/query.ts";
import { columns, pick, type Row } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import type { Loop } from "../../infra/jobs/loop.ts";
import { createSweepLoop } from "../../infra/jobs/sweep-loop.ts";
import { MINUTE_SECONDS } from "../../kit/clock.ts";
import { openContent } from "./mail-content.ts";
import { canSendMail } from "./queue-mail.ts";
import { ATTEMPTS_MAX, recordOutcome } from "./record-outcome.ts";
import { failureOf, type Outcome, SEND_SECONDS_MAX, type SendMessage } from "./send-over-smtp.ts";

/** Longer than a message can take. */
const LEASE_SECONDS = SEND_SECONDS_MAX + 2 * MINUTE_SECONDS;
const SENDING_AT_ONCE = 4;
const PAUSE_MS = 500;

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

/** Runs in every process that does background work. */
export function createMailLoop(ctx: MailContext): Loop {
  return createSweepLoop({
    name: "send mails",
    pauseMs: PAUSE_MS,
    underWayMax: SENDING_AT_ONCE,
    claim: () => claimMails(ctx),
    onError: (err) => ctx.log.warn({ err }, "mails could not be sent; they wait"),
  });
}

/** Those that are due, the longest first, each as the work of sending it. */
export async function* claimMails(ctx: MailContext): AsyncIterable<() => Promise<void>> {
  if (!canSendMail(ctx.config)) return;
  for (let mail = await claimNext(ctx); mail !== undefined; mail = await claimNext(ctx)) {
    const claimed = mail;
    yield () => send(ctx, claimed);
  }
}

async function claimNext({ db }: MailContext): Promise<Claimed | undefined> {
  const [mail] = await db.transactionOf(
    prepared(
      "claim-next-mail",
      sqlOf(CLAIMED)`
        update mails set attempt_count = attempt_count + 1, next_try_at = ${leaseEnd(LEASE_SECONDS)}
        where mail_id = (
          select mail_id from mails where state = 'waiting' and next_try_at <= (select app_now())
          order by next_try_at limit 1 for update skip locked)
        returning ${columns(CLAIMED)}`,
    ),
  );
  return mail;
}

async function send(ctx: MailContext, mail: Claimed): Promise<void> {
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
