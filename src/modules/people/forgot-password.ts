/**
 * A forgotten password (Decision 0085): a request only adds a job, whoever it names, so that its
 * answer is the same in words and time. The job sends a link, at most three an hour for an e-mail,
 * to a person who acts for an open account; the others hear nothing.
 */

import { insertAudit } from "../../infra/audit.ts";
import type { Queryable } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { countWithin } from "../../infra/http/admit/rate-limiter.ts";
import { addJob, defineJob } from "../../infra/jobs/job.ts";
import { HOUR_SECONDS } from "../../kit/clock.ts";
import { queueMail } from "../mail/queue-mail.ts";
import type { PeopleContext } from "./context.ts";
import { membershipsOf } from "./member.ts";
import { findPersonByEmail, lockPerson, type Person } from "./person.ts";
import { makeResetLink, RESET_LINK_MINUTES } from "./reset-link.ts";

const LINKS_PER_HOUR = 3;
const JOB = "send-reset-link";

interface Request {
  readonly email: string;
  readonly address: string;
}

export function askForReset(db: Queryable, request: Request): Promise<void> {
  return addJob(db, JOB, request);
}

export const sendResetLinkJob = defineJob<PeopleContext, Request>({
  name: JOB,
  run: sendResetLink,
});

export async function sendResetLink(
  ctx: PeopleContext,
  { email, address }: Request,
): Promise<void> {
  const person = await findPersonByEmail(ctx.db, email);
  if (person === undefined) return;
  const [membership] = await membershipsOf(ctx.db, person.personId);
  if (membership === undefined) return;
  await ctx.db.transaction(async (tx) => {
    const credentialEpoch = await lockPerson(tx, person);
    if (credentialEpoch === undefined) return;
    const window = { key: `reset_link ${email}`, max: LINKS_PER_HOUR };
    if (!(await countWithin(tx, window, HOUR_SECONDS)).granted) return;
    const { url, expiresAt } = await makeResetLink(ctx.config, tx, { ...person, credentialEpoch });
    await mailResetLink(ctx.config, tx, person, { url, expiresAt });
    await insertAudit(tx, {
      action: "password_reset_asked",
      accountNumber: membership.account_number,
      actor: address,
      detail: { person_id: person.personId },
    });
  });
}

/** Also for a link that an operator has made. */
export async function mailResetLink(
  config: Parameters<typeof queueMail>[0],
  tx: Tx,
  { personId, email }: Pick<Person, "personId" | "email">,
  { url, expiresAt }: { readonly url: string; readonly expiresAt: Date },
): Promise<void> {
  await queueMail(config, tx, {
    reason: `reset ${personId} ${expiresAt.toISOString()}`,
    to: email,
    subject: "Set a new password",
    content: {
      heading: "Set a new password",
      parts: [
        "Somebody, we hope you, asked for a link to set a new password.",
        { link: url, text: "Set a new password" },
        `The link works once, within ${RESET_LINK_MINUTES} minutes. Setting a password signs ` +
          "you out everywhere.",
        "If you did not ask for it, there is nothing to do: your password stays as it is.",
      ],
    },
  });
}
