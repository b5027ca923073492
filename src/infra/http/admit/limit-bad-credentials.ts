/**
 * Bad API keys and tokens from one address: so many a minute, counted for all processes, then 429
 * (Decision 0072). Credentials are judged first and only failures are counted, so a good one from
 * the same address is neither limited nor slowed.
 *
 * An address over its limit is remembered for a moment, so that a flood of guesses costs the
 * database one count a second for each process.
 */

import { LRUCache } from "lru-cache";
import { SECOND_MS } from "../../../kit/clock.ts";
import type { Log } from "../../log.ts";
import { limitedAddress } from "./client-address.ts";
import { type Count, type Hit, windowKey } from "./rate-limiter.ts";

const REMEMBERED_MAX = 10_000;
const REMEMBERED_MS = SECOND_MS;

/** Counts one from this address; undefined when that cannot be done, and the 401 must do. */
export type CountBadCredential = (address: string) => Promise<Count | undefined>;

export function createBadCredentialCount(options: {
  readonly count: (hit: Hit) => Promise<Count>;
  readonly max: number;
  readonly log: Log;
}): CountBadCredential {
  const { count, max, log } = options;
  const refused = new LRUCache<string, Count>({ max: REMEMBERED_MAX, ttl: REMEMBERED_MS });
  return async (address) => {
    const key = windowKey("bad_credentials", limitedAddress(address));
    const known = refused.get(key);
    if (known !== undefined) return known;
    try {
      const counted = await count({ key, max });
      if (!counted.granted) refused.set(key, counted);
      return counted;
    } catch (error) {
      // Without a database a malformed token is still a 401.
      log.warn({ err: error }, "a bad credential was not counted");
      return undefined;
    }
  };
}
