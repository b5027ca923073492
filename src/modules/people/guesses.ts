/**
 * Guessing at passwords and codes of the console (Decision 0085): after 10 that were wrong within
 * 15 minutes for one e-mail, or 30 from one address, the next are refused unseen, with the time to
 * wait. E-mails that nobody has are counted alike.
 *
 * A guess is written before it is judged, so that guesses sent together cannot all pass; the row
 * goes when the guess was right.
 */

import type { Database } from "../../infra/db/database.ts";
import { sql, sqlOf } from "../../infra/db/query.ts";
import { int, nullable, pick } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import { limitedAddress } from "../../infra/http/admit/client-address.ts";
import { TooManyAttempts } from "../../infra/http/admit/rate-limiter.ts";

const WINDOW_SECONDS = 15 * 60;
const PER_EMAIL_MAX = 10;
const PER_ADDRESS_MAX = 30;

interface Guess {
  readonly email: string;
  readonly address: string;
}

/** Runs `judge` unless there were too many guesses; its `false` counts as a wrong one. */
export async function countedGuess<T>(
  db: Database,
  guess: Guess,
  judge: () => Promise<T | false>,
): Promise<T | false> {
  const guessId = await beginGuess(db, guess);
  try {
    const judged = await judge();
    if (judged === false) await db.run(wrong(guessId));
    else await db.run(gone(guessId));
    return judged;
  } catch (error) {
    // Not judged, so it says nothing; a row that stays for want of a database ends with its window.
    await db.run(gone(guessId));
    throw error;
  }
}

const wrong = (guessId: string) =>
  sql`update console_guesses set is_wrong = true where guess_id = ${guessId}`;
const gone = (guessId: string) => sql`delete from console_guesses where guess_id = ${guessId}`;

function beginGuess(db: Database, { email, address: client }: Guess): Promise<string> {
  const address = limitedAddress(client);
  return db.transaction(async (tx) => {
    // Those for one e-mail one after the other, or two would count the same ten.
    await tx.run(
      sql`select pg_advisory_xact_lock(hashtextextended('console guess ' || ${email}, 0))`,
    );
    const since = sql`guessed_at > real_now() - make_interval(secs => ${WINDOW_SECONDS})`;
    const { wait_seconds: wait } = await tx.one(sqlOf({ wait_seconds: nullable(int) })`
      select ceil(extract(epoch from greatest(by_email, by_address)
          + make_interval(secs => ${WINDOW_SECONDS}) - real_now()))::int as wait_seconds
      from (select
        (select guessed_at from console_guesses where email = ${email} and ${since}
         order by guessed_at desc offset ${PER_EMAIL_MAX - 1} limit 1) as by_email,
        (select guessed_at from console_guesses where address = ${address} and is_wrong and ${since}
         order by guessed_at desc offset ${PER_ADDRESS_MAX - 1} limit 1) as by_address
      ) as latest`);
    if (wait !== null) throw new TooManyAttempts(Math.max(wait, 1));
    const row = await tx.one(sqlOf(pick(tables.console_guesses, "guess_id"))`
      insert into console_guesses (email, address) values (${email}, ${address})
      returning guess_id`);
    return row.guess_id;
  });
}
