/** Where a browser goes next: redirects, and the addresses that they may lead to. */

import type { Answer } from "../infra/http/answer.ts";
import { optional } from "../kit/fields/field.ts";
import { text } from "../kit/fields/text.ts";

const NEXT_LENGTH_MAX = 2_000;

/** The address to go on to, as a page was given it: for `safeNext`. */
export const nextField = optional(text({ max: NEXT_LENGTH_MAX }));

export function redirect(location: string, cookies?: readonly string[]): Answer {
  return {
    status: 303,
    body: "",
    contentType: "text/html; charset=utf-8",
    headers: { location },
    ...(cookies === undefined ? {} : { cookies }),
  };
}

/** A path of ours to go on to, or the console: never another site's address. */
export function safeNext(next: string | undefined): string {
  if (next === undefined || !/^\/(console|invite)(?:[/?]|$)/.test(next)) return "/console";
  return /[\\\s]/.test(next) ? "/console" : next;
}
