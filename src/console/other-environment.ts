/**
 * A record of the other environment than the session's: it is shown under the band of its own, so
 * that a link that somebody shared opens.
 */

import type { HtmlValue } from "../kit/html.ts";
import type { Environment } from "../kit/vocabulary.ts";
import { notice } from "../parts/notice.ts";
import type { Visitor } from "./visitor.ts";

interface OfEnvironment {
  readonly environment: Environment;
}

const PLACES: Readonly<Record<Environment, string>> = { sandbox: "in the sandbox", live: "live" };

/** For its page. */
export function atRecord(visitor: Visitor, { environment }: OfEnvironment): Visitor {
  return { ...visitor, environment };
}

/** `name`: what it is, such as "payment". */
export function otherEnvironment(
  { environment }: Visitor,
  record: OfEnvironment,
  name: string,
): HtmlValue {
  if (record.environment === environment) return undefined;
  return notice({
    tone: "plain",
    text:
      `This ${name} is ${PLACES[record.environment]}. Other pages show what is ` +
      `${PLACES[environment]}, until you switch above.`,
  });
}
