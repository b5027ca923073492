/**
 * Where the documents of a challenge may lead (Decision 0083). The bank of a real card may stand on
 * any host, and browsers hold a page's policy against everything that its frame is led to. So the
 * payment page frames a small document of ours, and only that document, and the gateway's inside
 * it, may lead to other origins.
 */

import type { Config } from "../../../infra/config.ts";
import type { Environment } from "../../../kit/vocabulary.ts";
import type { CheckoutView } from "./checkout-view.ts";
import { pageHeaders, sourceOf } from "./page-headers.ts";

type Layout = CheckoutView["layout"];
type Sources = readonly string[];

/**
 * The gateway and the banks behind it, as sources of a policy. Undefined: the bank is simulated,
 * its pages are ours and need no script.
 */
export function bankSources(
  { powertranz }: Pick<Config, "powertranz">,
  environment: Environment,
): Sources | undefined {
  if (environment !== "live" || powertranz === undefined) return undefined;
  const gateway = sourceOf(new URL(powertranz.url));
  return [...(gateway === undefined ? [] : [gateway]), ...powertranz.challengeOrigins];
}

/** For the document around the gateway's: ours, with a frame that may be led anywhere a bank is. */
export function frameHeaders(
  config: Pick<Config, "http">,
  { layout, sources }: { readonly layout: Layout; readonly sources: Sources },
  nonce: string,
): Record<string, string> {
  const facts = { layout: "simple", framedBy: framersOf(layout), framing: sources } as const;
  return pageHeaders(config, facts, nonce);
}

/** The simple page stands in a frame itself, and all that are around a frame are asked. */
export function framersOf(layout: Layout): readonly string[] | undefined {
  return layout === "full" ? ["'self'"] : undefined;
}

/**
 * For the gateway's piece of HTML, which is not ours: it may run in our frame, but as a stranger.
 * It has no origin, so it reaches nothing of ours, and it can only send its form on.
 */
export function documentHeaders(
  { http }: Pick<Config, "http">,
  { layout, sources = [] }: { readonly layout: Layout; readonly sources: Sources | undefined },
): Record<string, string> {
  const leadsTo = [new URL(http.paymentsPublicUrl).origin, ...sources].join(" ");
  const framers = framersOf(layout);
  return {
    "content-security-policy": [
      "sandbox allow-forms allow-scripts",
      "default-src 'none'",
      "script-src 'unsafe-inline'",
      "style-src 'unsafe-inline'",
      `frame-src ${leadsTo}`,
      `form-action ${leadsTo}`,
      ...(framers === undefined ? [] : [`frame-ancestors ${framers.join(" ")}`]),
      "base-uri 'none'",
    ].join("; "),
  };
}
