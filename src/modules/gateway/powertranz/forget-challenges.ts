/**
 * Deletes tokens that died unused, with the documents of the banks: no customer came back for them.
 * Their sales moved no money and never will.
 */

import type { Infra } from "../../../infra/context.ts";
import { defineJob } from "../../../infra/jobs/job.ts";
import { forgetUnused } from "./sale-journal.ts";

const AT_ONCE = 1_000;

export const forgetChallenges = defineJob({
  name: "forget-challenges",
  everyHourAtMinute: 23,
  async run({ db }: Infra) {
    while ((await forgetUnused(db, AT_ONCE)) === AT_ONCE);
  },
});
