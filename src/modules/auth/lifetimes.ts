/** How long credentials live (Interface §2.1, Decision 0009). */

import { DAY_SECONDS, HOUR_SECONDS } from "../../kit/clock.ts";

export const ACCESS_TOKEN_SECONDS = 43_200;
/** A refresh token outlives the access token it came with by this much. */
export const REFRESH_EXTRA_SECONDS = 6 * HOUR_SECONDS;
/** A client that lost the response to a refresh may repeat it for this long. */
export const REFRESH_GRACE_SECONDS = 10;
/** How far the clock of a token's verifier may differ. */
export const CLOCK_LEEWAY_SECONDS = 5;
/** How long a rotated API key may work beside its successor, at most. */
export const KEY_OVERLAP_SECONDS_MAX = 7 * DAY_SECONDS;
