/**
 * Which URLs events may be sent to (Decision 0035). Asked when one is saved and again with every
 * attempt, so that a rule that has become stricter holds for what was saved before.
 *
 * The parsed URL is judged, because the parser turns `0x7f.1` and `①②⑦.1` into 127.0.0.1; and the
 * text is judged too, because the parser corrects what should not be written. What a name leads to
 * is not known here: the connector checks that, with every connection.
 */

import net from "node:net";
import { FieldRefused } from "../../kit/errors.ts";
import type { Config } from "../config.ts";

const LENGTH_MAX = 2048;
const PORTS = ["", "443", "8443"];
const NAME_LENGTH_MAX = 253;
const NAME =
  /^(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*$/;
/** Names under these are of one machine or one network, whatever some resolver says. */
const PRIVATE_ENDINGS = [
  "localhost",
  "localdomain",
  "local",
  "internal",
  "intranet",
  "private",
  "corp",
  "home",
  "lan",
  "arpa",
  "onion",
  "svc",
  "consul",
  "docker",
];

export interface TargetRules {
  /** `allow`: http, any port and any address will do. */
  readonly privateTargets: "allow" | "refuse";
  /** Names that this service answers to: it does not write to itself. */
  readonly ownHosts: readonly string[];
}

export function targetRulesOf(config: Pick<Config, "http" | "webhooks">): TargetRules {
  const { publicUrl, paymentsPublicUrl, allowedHosts, host } = config.http;
  const named = [publicUrl, paymentsPublicUrl].map((url) => new URL(url).hostname);
  return {
    privateTargets: config.webhooks.privateTargets,
    ownHosts: [...named, ...allowedHosts, host],
  };
}

/** The URL in its one normal form, or a `FieldRefused` that says what is wrong with it. */
export function readTargetUrl(text: string, rules: TargetRules): URL {
  const isStrict = rules.privateTargets === "refuse";
  if ([...text].length > LENGTH_MAX) throw tooLong();
  const begins = isStrict ? /^https:\/\//i : /^https?:\/\//i;
  if (!begins.test(text))
    throw new FieldRefused(
      isStrict
        ? "The url must begin with https://."
        : "The url must begin with https:// or http://.",
    );
  // The parser drops line ends, reads \ as / and trims: such a text is not the URL it would become.
  if (/[\s\p{Cc}\\]/u.test(text) || !URL.canParse(text)) throw invalid();
  const authority = text.slice(text.indexOf("//") + 2).split(/[/?#]/)[0] ?? "";
  // `https:///shop.example.com` has no host; the parser would find one further on.
  if (authority === "") throw invalid();
  if (authority.includes("@"))
    throw new FieldRefused("The url must not contain a user name or password.");
  if (text.includes("#")) throw new FieldRefused("The url must not contain a fragment.");
  const url = new URL(text);
  if (url.port === "0") throw invalid();
  if (isStrict && !PORTS.includes(url.port))
    throw new FieldRefused("The url must use port 443 or 8443.");
  checkHost(url, rules);
  if (url.href.length > LENGTH_MAX) throw tooLong();
  return url;
}

function checkHost(url: URL, { privateTargets, ownHosts }: TargetRules): void {
  const isStrict = privateTargets === "refuse";
  if (addressIn(url.hostname) !== undefined) {
    if (isStrict) throw new FieldRefused("The url must name a host, not an address.");
    return;
  }
  // The dot that makes a name absolute changes neither where it leads nor what a certificate says.
  const name = url.hostname.replace(/\.$/, "");
  if (name.length > NAME_LENGTH_MAX || !NAME.test(name)) throw invalid();
  url.hostname = name;
  if (!isStrict) return;
  const ending = name.slice(name.lastIndexOf(".") + 1);
  const isOurs = ownHosts.some((own) => own.toLowerCase() === name);
  if (!name.includes(".") || PRIVATE_ENDINGS.includes(ending) || isOurs)
    throw new FieldRefused("The url must name a public host.");
}

/** The address that a host is, when it is one and not a name. */
export function addressIn(hostname: string): string | undefined {
  const bare = hostname.replace(/^\[(.*)\]$/, "$1");
  return net.isIP(bare) === 0 ? undefined : bare;
}

function invalid(): FieldRefused {
  return new FieldRefused("The url must be a valid URL.");
}

function tooLong(): FieldRefused {
  return new FieldRefused(`The url must not be longer than ${LENGTH_MAX} characters.`, {
    code: "field_too_long",
  });
}
