/**
 * Counts the mails that an account causes to addresses of its choice, whatever becomes of what they
 * are about: an account is no means of sending mail to strangers.
 */

import type { Tx } from "../../infra/db/transaction.ts";
import { countWithin, TooManyAttempts, windowKey } from "../../infra/http/admit/rate-limiter.ts";
import { DAY_SECONDS, HOUR_SECONDS } from "../../kit/clock.ts";

const SENT_MAX = {
  /** Also for those that were withdrawn or replaced. */
  invitations: {
    byAccount: { hour: 30, day: 100 },
    toOneByAccount: { hour: 3, day: 6 },
    toOne: { hour: 10, day: 20 },
  },
  /** To both addresses. A main merchant may have many accounts to correct (Decision 0149). */
  "moved e-mails": {
    byAccount: { hour: 200, day: 1_000 },
    toOneByAccount: { hour: 6, day: 12 },
    toOne: { hour: 10, day: 20 },
  },
} as const;

export async function countMails(
  tx: Tx,
  about: keyof typeof SENT_MAX,
  { accountNumber, email }: { readonly accountNumber: string; readonly email: string },
): Promise<void> {
  const { byAccount, toOneByAccount, toOne } = SENT_MAX[about];
  for (const [subject, max] of [
    [accountNumber, byAccount],
    [`${accountNumber} ${email}`, toOneByAccount],
    [email, toOne],
  ] as const)
    for (const [length, seconds] of [
      ["hour", HOUR_SECONDS],
      ["day", DAY_SECONDS],
    ] as const) {
      const key = windowKey(`${about} a ${length}`, subject);
      const { granted, retryAfterSeconds } = await countWithin(
        tx,
        { key, max: max[length] },
        seconds,
      );
      if (!granted) throw new TooManyAttempts(retryAfterSeconds);
    }
}
