/**
 * What the audit trail is narrowed to. It is read by its indexes: account, transaction and time. No
 * index has actors, actions and other subjects, so those are looked for in a window of time, which
 * is a few of the trail's months (Decision 0121), and not in all that is kept.
 */

import { type Sql, sql } from "../../infra/db/query.ts";
import { DAY_SECONDS, SECOND_MS } from "../../kit/clock.ts";
import { optional } from "../../kit/fields/field.ts";
import { line, text } from "../../kit/fields/text.ts";
import { TRANSACTION_ID } from "../../kit/ids.ts";
import { ACCOUNT_NUMBER, accountOption, limitOption, option, timeOption } from "./fields.ts";

export const WINDOW_DAYS = 92;

const ACTOR_LENGTH_MAX = 320;
const ACTION_LENGTH_MAX = 64;
const SUBJECT_LENGTH_MAX = 255;

export const auditFilters = {
  account: accountOption,
  actor: optional(
    option(
      line(ACTOR_LENGTH_MAX),
      "name",
      "Who did it: an operator's name or e-mail, an account number, an address.",
    ),
  ),
  action: optional(
    option(
      text({
        max: ACTION_LENGTH_MAX,
        pattern: /^[a-z][a-z0-9_]*$/,
        patternRefusal: "The action must be a word of the trail, such as account_frozen.",
      }),
      "word",
      "What was done, such as account_frozen.",
    ),
  ),
  subject: optional(
    option(
      line(SUBJECT_LENGTH_MAX),
      "id",
      "To what: an account, a transaction, or another id or word of the entry.",
    ),
  ),
  since: timeOption("Not before this: a day of UTC, or a time."),
  until: timeOption("Before this."),
  limit: limitOption(50),
};

export interface AuditFilters {
  readonly account?: string | undefined;
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  readonly subject?: string | undefined;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
}

/** How actors are written, before what somebody calls them. */
const KINDS = ["", "operator ", "account ", "person "];

/** `windowFrom`: what is older was not looked at. */
export function filterTrail(filters: AuditFilters, at: Date) {
  const { account, actor, action, subject, until } = filters;
  const windowFrom = needsWindow(filters) ? windowBefore(until ?? at) : undefined;
  const since = filters.since ?? windowFrom;
  const conditions = [
    account !== undefined && sql`account_number = ${account}`,
    actor !== undefined && sql`actor = any(${KINDS.map((kind) => kind + actor)})`,
    action !== undefined && sql`action = ${action}`,
    subject !== undefined && isAbout(subject),
    since !== undefined && sql`happened_at >= ${since}`,
    until !== undefined && sql`happened_at < ${until}`,
  ].filter((one) => one !== false);
  const condition = conditions.reduce((all, one) => sql`${all} and ${one}`, sql`true`);
  return { condition, windowFrom };
}

function needsWindow({ account, actor, action, subject, since }: AuditFilters): boolean {
  if (since !== undefined || account !== undefined) return false;
  if (subject !== undefined) return !ACCOUNT_NUMBER.test(subject) && !TRANSACTION_ID.test(subject);
  return actor !== undefined || action !== undefined;
}

function windowBefore(end: Date): Date {
  return new Date(end.getTime() - WINDOW_DAYS * DAY_SECONDS * SECOND_MS);
}

/** The reason is somebody's words, and no subject. */
function isAbout(subject: string): Sql {
  if (ACCOUNT_NUMBER.test(subject)) return sql`account_number = ${subject}`;
  if (TRANSACTION_ID.test(subject)) return sql`detail ->> 'transaction_id' = ${subject}`;
  return sql`exists (select from jsonb_each_text(detail) as told
    where told.value = ${subject} and told.key <> 'why')`;
}
