/**
 * Which addresses a browser may be sent to with a result (Interface §2.4, Decision 0036).
 *
 * The text is judged as well as what the parser makes of it, because the parser drops line ends,
 * reads `\` as `/` and takes `https:shop.example` for an address. Hosts are not registered and
 * never asked: the service itself does not go there.
 */

import { FieldRefused } from "../../../kit/errors.ts";
import { holdsCardNumber } from "../../../kit/fields/card-number-inside.ts";
import { type Field, field, fieldRefused, labelOf } from "../../../kit/fields/field.ts";
import { text } from "../../../kit/fields/text.ts";

export const ONLY_HTTPS_LIVE = onlyHttpsLive("response_url");
const LENGTH_MAX = 255;
const BEGINS = /^https?:\/\/[^/?#]/i;
/** Blanks, line ends, what nobody sees or turns the text around, and the slash that is none. */
const UNFIT = /[\s\\\p{C}\p{Z}]/u;

/** What the parser leaves of a name or of an IPv4 address; it would let `;`, `*` and `'` stand. */
const NAME = /^[a-z\d-]+(?:\.[a-z\d-]+)*\.?$/;
const IPV6 = /^\[[\da-f:.]+\]$/;

export interface ResponseUrlRules {
  /** Whether a live result may travel over plain http. */
  readonly plainLiveResponses: boolean;
}

/** Undefined: a host that could be read as more than a host in a header, as in a CSP. */
export function hostKindOf({ hostname }: URL): "name" | "ipv6" | undefined {
  if (IPV6.test(hostname)) return "ipv6";
  return NAME.test(hostname) ? "name" : undefined;
}

/** The address as a browser writes it; undefined when no browser should be sent there. */
function readResponseUrl(
  given: string,
  environment: unknown,
  { plainLiveResponses }: ResponseUrlRules,
): string | undefined {
  if (!BEGINS.test(given) || UNFIT.test(given) || !URL.canParse(given)) return undefined;
  const authority = given.slice(given.indexOf("//") + 2).split(/[/?#]/)[0] ?? "";
  if (authority.includes("@")) return undefined;
  const url = new URL(given);
  if (hostKindOf(url) === undefined || url.port === "0") return undefined;
  if (holdsCardNumber(given)) return undefined;
  // Not knowing the environment yet is no reason to be generous.
  const isPlain = url.protocol === "http:";
  if (isPlain && environment !== "sandbox" && !plainLiveResponses) return undefined;
  return url.href;
}

/** Comes after `environment`. */
export function responseUrlField(rules: ResponseUrlRules): Field<string> {
  const plain = text({ min: 1, max: LENGTH_MAX });
  return field({ ...plain.schema, format: "uri" }, (value, name, { environment } = {}) => {
    const given = plain.read(value, name);
    const address = readResponseUrl(given, environment, rules);
    if (address !== undefined) return address;
    if (environment === "live" && readResponseUrl(given, "sandbox", rules) !== undefined)
      throw new FieldRefused(onlyHttpsLive(name));
    throw fieldRefused(name, "must be a valid URL");
  });
}

export function onlyHttpsLive(name: string): string {
  return `The ${labelOf(name)} must begin with https:// for a live payment.`;
}

/** The same as a question, of a request that may be wrong anywhere. */
export function fitResponseUrl(
  body: Readonly<Record<string, unknown>>,
  rules: ResponseUrlRules,
): string | undefined {
  const { response_url: given, environment } = body;
  if (typeof given !== "string" || given === "" || [...given].length > LENGTH_MAX) return undefined;
  return readResponseUrl(given, environment, rules);
}
