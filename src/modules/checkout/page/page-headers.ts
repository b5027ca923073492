/**
 * The security headers of the payment page (Decision 0041): what it may load, where its forms may
 * lead, who may frame it. The common ones are written by the server; those of the documents in
 * which a bank asks are in `challenge-headers.ts`.
 *
 * A page names what it needs and nothing else. Forms may end at the merchant's origin, because
 * browsers hold `form-action` against redirects, too. What others chose goes into a header only
 * after it was looked at here.
 */

import { randomBytes } from "node:crypto";
import type { Config } from "../../../infra/config.ts";
import { documentPolicy } from "../../../parts/page.ts";
import { hostKindOf } from "../result/response-url.ts";
import type { CheckoutView } from "./checkout-view.ts";

const NONCE_BYTES = 18;
const REPORTS_PATH = "/reports/csp";

export type PageFacts = Pick<CheckoutView, "layout"> & {
  readonly responseUrl?: string | undefined;
  /** What its frame may show beside our own pages, as sources of a policy. */
  readonly framing?: readonly string[] | undefined;
  /** Origins that may frame the simple page; undefined: any. */
  readonly framedBy?: readonly string[] | undefined;
};

export function newNonce(): string {
  return randomBytes(NONCE_BYTES).toString("base64url");
}

export function pageHeaders(
  { http }: Pick<Config, "http">,
  facts: PageFacts,
  nonce: string,
): Record<string, string> {
  const isFull = facts.layout === "full";
  return {
    "content-security-policy": policyOf(http.paymentsPublicUrl, facts, nonce),
    "reporting-endpoints": `csp="${REPORTS_PATH}"`,
    "integrity-policy": "blocked-destinations=(script), endpoints=(csp)",
    "cross-origin-opener-policy": isFull ? "same-origin" : "same-origin-allow-popups",
    "origin-agent-cluster": "?1",
    ...(isFull ? { "x-frame-options": "DENY" } : {}),
  };
}

function policyOf(ownUrl: string, facts: PageFacts, nonce: string): string {
  const back = facts.responseUrl === undefined ? undefined : new URL(facts.responseUrl);
  const backSource = back && sourceOf(back);
  // Over http, as on a developer's machine, an upgrade would lead nowhere.
  const isEncrypted = ownUrl.startsWith("https:") && back?.protocol !== "http:";
  return documentPolicy({
    "script-src": `'self' 'nonce-${nonce}'`,
    "font-src": "'self'",
    "connect-src": "'self'",
    "frame-src": ["'self'", ...(facts.framing ?? [])].join(" "),
    "form-action": `'self'${backSource === undefined ? "" : ` ${backSource}`}`,
    "frame-ancestors": ancestors(facts),
    "object-src": "'none'",
    "manifest-src": "'none'",
    "worker-src": "'none'",
    "require-trusted-types-for": "'script'",
    "trusted-types": "'none'",
    "upgrade-insecure-requests": isEncrypted ? "" : undefined,
    "report-to": "csp",
  });
}

/** A policy has no way to write an IPv6 address, so its scheme stands for it. */
export function sourceOf(url: URL): string | undefined {
  const kind = hostKindOf(url);
  if (kind === undefined) return undefined;
  return kind === "ipv6" ? url.protocol : url.origin;
}

function ancestors({ layout, framedBy }: PageFacts): string | undefined {
  return layout === "full" ? "'none'" : framedBy?.join(" ");
}
