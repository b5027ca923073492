/**
 * Live payments, against the fake of a real acquirer: a process of its own, whose memory shares
 * nothing with our database, and which nobody kills (Decision 0055).
 */

import { setTimeout as sleep } from "node:timers/promises";
import { paymentOf } from "../../../src/modules/settlement/known-orders.ts";
import { assertFakeInvariant } from "../../../testkit/powertranz/invariant.ts";
import { compareWithFake } from "../../../testkit/powertranz/live-truth.ts";
import type { Check } from "./evidence.ts";

/** A sweep each minute may begin to return an amount just now. */
const LOOKS_MAX = 10;
const LOOK_MS = 1_000;

/** Nothing is charged that is not recorded, recorded that is not charged, or still undecided. */
export const liveIsWhatTheAcquirerHas: Check = async ({ db, acquirer }) => {
  let differences = await compareWithFake(db, acquirer);
  for (let looked = 1; looked < LOOKS_MAX && differences.undecided.length > 0; looked++) {
    await sleep(LOOK_MS);
    differences = await compareWithFake(db, acquirer);
  }
  const { lost, doubled, undecided } = differences;
  const broken = await assertFakeInvariant(acquirer, { paymentOf }).then(
    () => [],
    (error: Error) => [error.message],
  );
  const sales = await acquirer.control.transactions();
  const looked = sales.filter(({ isApproved }) => isApproved).length;
  return { looked, wrong: [...lost, ...doubled, ...undecided, ...broken] };
};
