/** Pages of the console as answers: never kept by a cache, and never framed by anybody. */

import type { Answer } from "../infra/http/answer.ts";
import { HTML_TYPE } from "../parts/page.ts";

export function redirect(location: string, cookies?: readonly string[]): Answer {
  return {
    status: 303,
    body: "",
    contentType: HTML_TYPE,
    headers: { location },
    ...(cookies === undefined ? {} : { cookies }),
  };
}

/** Of characters that an address is written in, so that it is also a header. */
const OUR_PATH = /^\/(?:console|invite)(?:[/?][\x21-\x5b\x5d-\x7e]*)?$/;

/** A path of ours to go on to, or the console: never another site's address. */
export function safeNext(next: string | undefined): string {
  return next !== undefined && OUR_PATH.test(next) ? next : "/console";
}
