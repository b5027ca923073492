/**
 * What follows from an attempt to send a mail: it has ended, or it is tried again (Decision 0086).
 * A late failure decides nothing once another attempt has begun; a success always counts.
 */

import { Counter } from "prom-client";
import type { Infra } from "../../infra/context.ts";
import { prepared, type Sql, sql } from "../../infra/db/query.ts";
import type { Row } from "../../infra/db/row.ts";
import type { tables } from "../../infra/db/tables.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS } from "../../kit/clock.ts";
import { clearBouncing, markBouncing } from "./bounces.ts";
import type { Failure, Outcome } from "./send-over-smtp.ts";

/** After each failed attempt; after the last of these comes one more, and then none. */
const WAITS_SECONDS: readonly number[] = [
  MINUTE_SECONDS,
  5 * MINUTE_SECONDS,
  30 * MINUTE_SECONDS,
  2 * HOUR_SECONDS,
  6 * HOUR_SECONDS,
  12 * HOUR_SECONDS,
  DAY_SECONDS,
];
export const ATTEMPTS_MAX = WAITS_SECONDS.length + 1;

const counted = new Counter({
  name: "windward_mails_total",
  help: "Attempts to send a mail, by what came of them.",
  labelNames: ["outcome"],
});
for (const outcome of ["sent", "bounced", "to be retried", "given up"]) counted.inc({ outcome }, 0);

type Attempted = Pick<
  Row<typeof tables.mails>,
  "mail_id" | "reason" | "recipient" | "attempt_count"
>;

export function recordOutcome(
  ctx: Infra,
  tx: Tx,
  mail: Attempted,
  outcome: Outcome,
): Promise<void> {
  switch (outcome.kind) {
    case "sent":
      return recordSent(ctx, tx, mail);
    case "bounced":
      return recordBounce(ctx, tx, mail, outcome.code);
    case "failed":
      return recordFailure(ctx, tx, mail, outcome.why);
  }
}

async function recordSent({ config }: Infra, tx: Tx, mail: Attempted): Promise<void> {
  const isKept = config.mail.transport.kind === "mailbox";
  const content = isKept ? sql`` : sql`, content_key_id = null, content_box = null`;
  const ending = sql`
    update mails set state = 'sent', ended_at = app_now(), next_try_at = null ${content}
    where mail_id = ${mail.mail_id} and state = 'waiting'`;
  await tx.run(prepared(isKept ? "keep-sent-mail" : "end-sent-mail", ending));
  await clearBouncing(tx, mail.recipient);
  tx.afterCommit(() => counted.inc({ outcome: "sent" }));
}

async function recordBounce({ log }: Infra, tx: Tx, mail: Attempted, code: number): Promise<void> {
  if (!(await endUnsent(tx, mail, sql`'bounced'`))) return;
  await markBouncing(tx, { address: mail.recipient, code });
  tx.afterCommit(() => {
    counted.inc({ outcome: "bounced" });
    log.warn({ ...factsOf(mail), status: code }, "a mail was refused and its address marked");
  });
}

async function recordFailure({ log }: Infra, tx: Tx, mail: Attempted, why: Failure): Promise<void> {
  const facts = { ...factsOf(mail), why };
  const seconds = WAITS_SECONDS[mail.attempt_count - 1];
  if (seconds === undefined) {
    if (!(await endUnsent(tx, mail, sql`'given_up'`))) return;
    tx.afterCommit(() => {
      counted.inc({ outcome: "given up" });
      log.error(facts, "a mail could not be sent and was given up");
    });
    return;
  }
  await tx.run(sql`
    update mails set next_try_at = app_now() + make_interval(secs => ${seconds})
    where ${isLastAttempt(mail)}`);
  tx.afterCommit(() => {
    counted.inc({ outcome: "to be retried" });
    log.warn({ ...facts, againInSeconds: seconds }, "a mail could not be sent yet");
  });
}

async function endUnsent(tx: Tx, mail: Attempted, state: Sql): Promise<boolean> {
  const count = await tx.run(sql`
    update mails set state = ${state}, ended_at = app_now(), next_try_at = null,
      content_key_id = null, content_box = null
    where ${isLastAttempt(mail)}`);
  return count > 0;
}

function isLastAttempt({ mail_id, attempt_count }: Attempted): Sql {
  return sql`mail_id = ${mail_id} and state = 'waiting' and attempt_count = ${attempt_count}`;
}

function factsOf({ mail_id: mailId, reason, attempt_count: attempts }: Attempted) {
  return { mailId, reason, attempts };
}
