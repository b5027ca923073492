/** Whether it was a storm at all: what holds in calm has been shown by other tests. */

import type { Check } from "./evidence.ts";

/** A few may miss what they were meant for; of each kind, half must not. */
const SHARE_MIN = 0.5;

export const plannedFaultsHappened: Check = async ({ weather: { planned, counts } }) => ({
  looked: [...planned.values()].reduce((sum, count) => sum + count, 0),
  wrong: [...planned].flatMap(([kind, count]) => {
    const happened = counts.get(kind) ?? 0;
    return happened >= count * SHARE_MIN ? [] : [`${kind}: ${happened} of ${count} happened`];
  }),
});
