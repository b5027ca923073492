/** How long sessions last: of members at the console, and of the operator's people alike. */

export const IDLE_MINUTES = 30;
export const LIFE_HOURS = 12;
/** Between the password and the second factor, or the first one that is set up. */
export const HALFWAY_MINUTES = 10;
export const PROOF_MINUTES = 5;
/** How often a session's last use is written down. */
export const SEEN_EVERY_SECONDS = 60;
