/**
 * Queues the mails about noted events (Decision 0143): one for each member who wants it, in the tx
 * that takes the note.
 */

import type { Config } from "../../infra/config.ts";
import type { Infra } from "../../infra/context.ts";
import { prepared, sql, sqlOf } from "../../infra/db/query.ts";
import { int, pick, type Row, word } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { type NotedWork, type NoteTable, takeNote } from "../../infra/jobs/due-notes.ts";
import { queueMails } from "../mail/queue-mail.ts";
import { choicesOfMembers, type NotificationChoices } from "./notification-choices.ts";
import {
  moreWithdrawalsNotification,
  paymentNotification,
  withdrawalNotification,
} from "./notification-mail.ts";
import type { NotifyingEvent } from "./notifications-due.ts";

/** Of an account, environment and kind. */
const WITHDRAWALS_PER_HOUR_MAX = 10;

type MailingContext = Pick<Infra, "config" | "db" | "log">;

const NOTES: NoteTable = { name: sql`notifications_due`, id: sql`event_id` };

const EVENT = {
  ...pick(tables.events, "event_id", "account_number", "environment", "resource", "occurred_at"),
  event: word<NotifyingEvent>(),
};
type NotedEvent = Row<typeof EVENT>;

export function notificationsDue(ctx: MailingContext): NotedWork {
  return {
    table: NOTES,
    run: (tx, eventId) => mailNotification(ctx, tx, eventId),
    onError: (err, eventId) =>
      ctx.log.error({ err, eventId }, "a notification could not be queued; it is tried again"),
    onUnread: (err) => ctx.log.error({ err }, "notifications could not be read; they wait"),
  };
}

async function mailNotification(
  { config }: MailingContext,
  tx: Tx,
  eventId: string,
): Promise<void> {
  const taking = sqlOf(EVENT)`
    with taken as (${takeNote(NOTES, eventId)} returning event_id)
    select event_id, account_number, environment, resource, occurred_at, event from events
    where event_id = (select event_id from taken)`;
  const noted = await tx.maybeOne(prepared("take-due-notification", taking));
  if (noted !== undefined) await queueNotifications(config, tx, noted);
}

async function queueNotifications(
  config: Pick<Config, "mail" | "wrappingKeys" | "http">,
  tx: Tx,
  noted: NotedEvent,
): Promise<void> {
  const { event, event_id: eventId } = noted;
  const members = await choicesOfMembers(tx, noted.account_number);
  const { isByLink, reason, ...mail } = event.startsWith("withdrawal.")
    ? { isByLink: false, ...(await mailOfWithdrawal(config, tx, noted)) }
    : { reason: eventId, ...(await paymentNotification(tx, config, noted)) };
  const recipients = members
    .filter((choices) => isWanted(choices, event, isByLink))
    .map(({ personId, email: to }) => ({ reason: `notification ${reason} ${personId}`, to }));
  await queueMails(config, tx, { recipients, ...mail });
}

/** The bank may return a list of hundreds at once: those beyond the first share a mail. */
async function mailOfWithdrawal(config: Pick<Config, "http">, tx: Tx, noted: NotedEvent) {
  const { account_number: accountNumber, environment, event } = noted;
  const hour = new Date(noted.occurred_at);
  hour.setUTCMinutes(0, 0, 0);
  const { earlier } = await tx.one(sqlOf({ earlier: int })`
    select count(*)::integer as earlier from (
      select from events
      where account_number = ${accountNumber} and environment = ${environment}
        and occurred_at >= ${hour} and event = ${event}
        and (occurred_at, event_id) < (${noted.occurred_at}, ${noted.event_id})
      limit ${WITHDRAWALS_PER_HOUR_MAX}) as one`);
  if (earlier < WITHDRAWALS_PER_HOUR_MAX)
    return { reason: noted.event_id, ...(await withdrawalNotification(tx, config, noted)) };
  const reason = `${accountNumber} ${environment} ${event} ${hour.toISOString()}`;
  return { reason, ...(await moreWithdrawalsNotification(tx, config, noted)) };
}

function isWanted(
  { payments, disputes, withdrawals }: NotificationChoices,
  event: NotifyingEvent,
  isByLink: boolean,
): boolean {
  if (event === "payment.success")
    return payments === "all" || (payments === "by_link" && isByLink);
  return event.startsWith("withdrawal.") ? withdrawals : disputes;
}
