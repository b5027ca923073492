/** Where each table's rows would live: a house test demands that none is missing. */

import type { Places } from "./place.ts";
import { PLACES_OF_MONEY } from "./places-of-money.ts";
import { PLACES_OF_PEOPLE } from "./places-of-people.ts";
import { PLACES_OF_THE_REST } from "./places-of-the-rest.ts";

export const PLACES: Places = { ...PLACES_OF_MONEY, ...PLACES_OF_PEOPLE, ...PLACES_OF_THE_REST };

const COPIED: readonly (string | undefined)[] = ["person", "everywhere", "account and house"];

/** Whether a row may stand in several parts. */
export function isCopied(table: string): boolean {
  return COPIED.includes(PLACES[table]?.lives);
}

/** Whether its rows go anywhere at all. */
export function isMoved(table: string): boolean {
  return PLACES[table]?.lives !== "each part's own";
}
