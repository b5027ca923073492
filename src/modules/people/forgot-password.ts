/**
 * A forgotten password (Decision 0085): a request only adds a job, for any address, so that its
 * answer is the same in words and time. The job sends a link, at most three an hour for an e-mail,
 * to a person who acts for an open account; others get nothing.
 */

import { insertAudit } from "../../infra/audit.ts";
import type { Queryable } from "../../infra/db/query.ts";
import { countWithin } from "../../infra/http/admit/rate-limiter.ts";
import { addJob, defineJob } from "../../infra/jobs/job.ts";
import { HOUR_SECONDS } from "../../kit/clock.ts";
import type { PeopleContext } from "./context.ts";
import { mailResetLink } from "./mail-reset-link.ts";
import { membershipsOf } from "./member.ts";
import { findPerson, findPersonByEmail, lockPerson } from "./person.ts";
import { makeResetLink } from "./reset-link.ts";

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
    // Who had their e-mail before sets no password of theirs (Decision 0147).
    const isStillTheirs = (await findPerson(tx, person.personId))?.email === person.email;
    if (credentialEpoch === undefined || !isStillTheirs) return;
    const window = { key: `reset_link ${email}`, max: LINKS_PER_HOUR };
    if (!(await countWithin(tx, window, HOUR_SECONDS)).granted) return;
    const link = await makeResetLink(ctx.config, tx, { ...person, credentialEpoch });
    await mailResetLink(ctx.config, tx, person, { ...link, madeFor: "who_forgot" });
    await insertAudit(tx, {
      action: "password_reset_asked",
      accountNumber: membership.account_number,
      actor: address,
      detail: { person_id: person.personId },
    });
  });
}
