/**
 * Lines of the request log that mention a customer, to be shown or blanked (Decision 0122). No
 * index knows what a line says, so an account's lines are read a thousand at a time, in the order
 * of time.
 */

import { type Queryable, sql, sqlOf } from "../../infra/db/query.ts";
import { bool, pick, type Row, timestamp } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";

const LINES_AT_ONCE = 1_000;
const ENVIRONMENTS = ["live", "sandbox", "any"];
const LINE = pick(tables.logged_requests, "request_id", "at", "environment", "method", "path");

export interface Mentions {
  readonly accountNumber: string;
  /** Undefined: all. */
  readonly environment: string | undefined;
  readonly email: string;
  readonly transactionIds: readonly string[];
}

type MentioningLine = Row<typeof LINE>;

export async function linesAbout(
  db: Queryable,
  { accountNumber, environment, email, transactionIds }: Mentions,
): Promise<MentioningLine[]> {
  const words = [email, encodeURIComponent(email), ...transactionIds].map((word) =>
    word.toLowerCase(),
  );
  const found: MentioningLine[] = [];
  for (const one of environment === undefined ? ENVIRONMENTS : [environment, "any"])
    for (let after = new Date(0); ; ) {
      const lines = await db.rows(sqlOf({ ...LINE, mentions: bool, at: timestamp })`
        select request_id, at, environment, method, path,
          exists (
            select from unnest(${words}::text[]) as word
            where strpos(lower(concat_ws(' ', path, order_id, request_body, response_body, detail)),
              word) > 0
          ) as mentions
        from logged_requests
        where account_number = ${accountNumber} and environment = ${one} and at > ${after}
        order by at fetch first ${LINES_AT_ONCE} rows with ties`);
      for (const { mentions, ...line } of lines) if (mentions) found.push(line);
      const end = lines.at(-1);
      if (end === undefined || lines.length < LINES_AT_ONCE) break;
      after = end.at;
    }
  return found;
}

/** When it was, what it was and how it ended stays. */
export async function blankLines(
  db: Queryable,
  email: string,
  lines: readonly MentioningLine[],
): Promise<void> {
  for (let at = 0; at < lines.length; at += LINES_AT_ONCE) {
    const some = lines.slice(at, at + LINES_AT_ONCE);
    const times = some.map((line) => line.at.getTime());
    // The times leave out other days.
    await db.run(sql`
      update logged_requests set request_body = null, response_body = null, address = '',
        path = case when strpos(lower(path), ${email}) > 0
            or strpos(lower(path), ${encodeURIComponent(email).toLowerCase()}) > 0
          then '/' else path end,
        detail = '{"request":{},"response":{}}'
      where request_id = any (${some.map(({ request_id }) => request_id)})
        and at >= ${new Date(Math.min(...times))}
        and at <= ${new Date(Math.max(...times))}`);
  }
}

/** Those of the accounts that have lines: the others are not read. */
export async function loggedAccounts(
  db: Queryable,
  accounts: readonly string[],
): Promise<string[]> {
  const rows = await db.rows(sqlOf(pick(tables.logged_requests, "account_number"))`
    select account_number from unnest(${accounts}::text[]) as wanted (account_number)
    where exists (
      select from logged_requests as line where line.account_number = wanted.account_number)`);
  return rows.map(({ account_number }) => account_number);
}
