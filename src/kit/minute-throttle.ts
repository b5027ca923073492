/** For what is recorded at most once a minute per subject, so that a flood writes little. */

import { LRUCache } from "lru-cache";
import { MINUTE_SECONDS, SECOND_MS } from "./clock.ts";

/** Past this many the oldest are forgotten early, and may be recorded once more. */
const SUBJECTS_MAX = 10_000;

export interface MinuteThrottle {
  /** Whether this is the first call for the subject within a minute. */
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
