/** For what is recorded at most once a minute per subject, so that a flood writes little. */

import { LRUCache } from "lru-cache";
import { MINUTE_SECONDS, SECOND_MS } from "./clock.ts";

/** Past this many the oldest are forgotten early, and may be recorded once more. */
const SUBJECTS_MAX = 10_000;

export interface MinuteThrottle {
  /** Whether it was not asked about this subject within the last minute. */
  isFirst(subject: string): boolean;
}

export function createMinuteThrottle(): MinuteThrottle {
  const seen = new LRUCache<string, true>({ max: SUBJECTS_MAX, ttl: MINUTE_SECONDS * SECOND_MS });
  return {
    isFirst(subject) {
      if (seen.has(subject)) return false;
      seen.set(subject, true);
      return true;
    },
  };
}
