/** Everything that must hold, one function each: books, journals, clients, events, access. */

import { SETTLE_SECONDS_MAX } from "../settle.ts";
import {
  deadCredentialsStayDead,
  limitsCountOnceForAll,
  nobodySeesWhatIsAnothers,
} from "./access.ts";
import { muchMoneyNeedsTwo } from "./approvals.ts";
import { balancesAreTheirMovements, moneySumsToZero, nobodyIsOverdrawn } from "./books.ts";
import { formsTakeEffectOnce } from "./console.ts";
import { everyChangeIsTold } from "./events.ts";
import type { Check, Evidence } from "./evidence.ts";
import { plannedFaultsHappened } from "./faults.ts";
import { endsStayEnds, nothingWasRewritten } from "./history.ts";
import { noMoreGoesBackThanWasPaid, withdrawalsArePaidOnce } from "./journals.ts";
import { linksArePaidOnce } from "./links.ts";
import { liveIsWhatTheAcquirerHas } from "./live.ts";
import { promisedMailIsSent } from "./mail.ts";
import { mailArrives } from "./post.ts";
import { theRequestLogIsTrue } from "./requests.ts";
import { answersWereDocumented, picturesAreWhole, secretsAreNowhere } from "./rest.ts";
import { whatWasSimulatedHappened } from "./sandbox.ts";
import { nothingHappenedTwice, whatWasToldIsThere } from "./told.ts";

export interface Verdict {
  readonly name: string;
  readonly looked: number;
  readonly wrong: readonly string[];
  readonly seconds: number;
}

/** After the last fault everything under way comes to its end within a minute. */
const allSettles: Check = async ({ settled: { seconds, left } }) => ({
  looked: 1,
  wrong: [
    ...Object.entries(left).map(([what, count]) => `${count} ${what} never ended`),
    ...(seconds > SETTLE_SECONDS_MAX ? [`it took ${seconds.toFixed(1)} s`] : []),
  ],
});

export const CHECKS: Readonly<Record<string, Check>> = {
  "planned faults happened": plannedFaultsHappened,
  "money sums to zero": moneySumsToZero,
  "balances are their movements": balancesAreTheirMovements,
  "nobody is overdrawn": nobodyIsOverdrawn,
  "no more goes back than was paid": noMoreGoesBackThanWasPaid,
  "withdrawals are paid once": withdrawalsArePaidOnce,
  "live payments are the acquirer's": liveIsWhatTheAcquirerHas,
  "payment links are paid once": linksArePaidOnce,
  "the console's forms take effect once": formsTakeEffectOnce,
  "promised mail is sent": promisedMailIsSent,
  "mail arrives": mailArrives,
  "much money needs two": muchMoneyNeedsTwo,
  "what was simulated happened": whatWasSimulatedHappened,
  "the request log is true": theRequestLogIsTrue,
  "what was told is there": whatWasToldIsThere,
  "nothing happened twice": nothingHappenedTwice,
  "every change is told": everyChangeIsTold,
  "nothing was rewritten": nothingWasRewritten,
  "ends stay ends": endsStayEnds,
  "secrets are nowhere": secretsAreNowhere,
  "dead credentials stay dead": deadCredentialsStayDead,
  "nobody sees what is another's": nobodySeesWhatIsAnothers,
  "all settles within a minute": allSettles,
  "limits count once for all": limitsCountOnceForAll,
  "pictures are whole": picturesAreWhole,
  "answers were documented": answersWereDocumented,
};

export async function checkAll(
  evidence: Evidence,
  say: (line: string) => void = () => {},
): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  const all = Object.entries(CHECKS);
  for (const [index, [name, check]] of all.entries()) {
    const beganAt = performance.now();
    say(`checking that ${name} (${index + 1} of ${all.length})`);
    const { looked, wrong } = await check(evidence).catch((error: Error) => ({
      looked: 1,
      wrong: [`it could not be looked at: ${error.message}`],
    }));
    const unseen = looked === 0 ? ["there was nothing to look at"] : [];
    verdicts.push({
      name,
      looked,
      wrong: [...unseen, ...wrong],
      seconds: (performance.now() - beganAt) / 1_000,
    });
  }
  return verdicts;
}
