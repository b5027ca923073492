/** What the routes of both feeds ask for, and when a request is one of many that ask in vain. */

import { oneOf } from "../../kit/fields/choice.ts";
import { described, optional } from "../../kit/fields/field.ts";
import { ENVIRONMENTS } from "../../kit/vocabulary.ts";

export const environmentField = described(
  optional(oneOf(ENVIRONMENTS)),
  "Absent: that of the API key, or live with a bearer token.",
  "sandbox",
);

/** `windward listen` asks each second, and a log full of it shows nothing else (Decision 0144). */
export function isEmptyPoll(url: string, found: readonly unknown[]): boolean {
  return found.length === 0 && new URL(url).searchParams.has("after");
}
