/**
 * Whether a person has signed in with this browser before, by a cookie that the browser keeps
 * (Decision 0085). One that is new is told of by mail, in the tx that signs it in.
 */

import { sql } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { DAY_SECONDS } from "../../kit/clock.ts";
import type { Person } from "./person.ts";
import { isToken, tokenDigest } from "./random-token.ts";
import { type MailConfig, tellOwners } from "./tell-owners.ts";

/** The life of the cookie, which is set anew with each sign-in. */
export const BROWSER_SECONDS = 400 * DAY_SECONDS;

interface From {
  readonly accountNumber: string;
  /** The browser's own cookie, or what it will be. */
  readonly browserToken: string;
  readonly address: string;
  readonly browser: string;
}

export async function noteBrowser(
  config: MailConfig,
  tx: Tx,
  person: Person,
  { accountNumber, browserToken, address, browser }: From,
): Promise<void> {
  if (!isToken(browserToken)) return;
  const digest = tokenDigest(browserToken);
  const known = await tx.run(sql`
    update known_browsers set seen_at = real_now()
    where person_id = ${person.personId} and browser_digest = ${digest}`);
  if (known > 0) return;
  await tx.run(sql`
    insert into known_browsers (person_id, browser_digest)
    values (${person.personId}, ${digest}) on conflict do nothing`);
  await tellOwners(config, tx, {
    accountNumber,
    person,
    subject: "A sign-in from a new browser",
    what: `${person.name} (${person.email}) signed in from a browser not seen before.`,
    by: { name: person.name, address, browser },
  });
}
