/** Where a browser goes next: redirects, and the addresses that they may lead to. */

import type { Answer } from "../infra/http/answer.ts";
import { optional } from "../kit/fields/field.ts";
import { text } from "../kit/fields/text.ts";
import { seeOther } from "../parts/page.ts";

const NEXT_LENGTH_MAX = 2_000;

/** The address to go on to, as a page was given it: for `safeNext`. */
export const nextField = optional(text({ max: NEXT_LENGTH_MAX }));

export function redirect(location: string, cookies?: readonly string[]): Answer {
  return { ...seeOther(location), ...(cookies === undefined ? {} : { cookies }) };
}

/** Of characters that an address is written in, so that it is also a header. */
const OUR_PATH = /^\/(?:console|invite)(?:[/?][\x21-\x5b\x5d-\x7e]*)?$/;

/** A path of ours to go on to, or the console: never another site's address. */
export function safeNext(next: string | undefined): string {
  return next !== undefined && OUR_PATH.test(next) ? next : "/console";
}
