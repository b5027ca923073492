/**
 * The security headers of the payment page (Decision 0041): what it may load, where its forms may
 * lead, who may frame it. The common ones are written by the server.
 *
 * A page names what it needs and nothing else. Forms may end at the
 * merchant's origin, because browsers hold `form-action` against redirects, too. What others chose
 * goes into a header only after it was looked at here.
 */

import { randomBytes } from "node:crypto";
import type { Config } from "../../../infra/config.ts";
import { hostKindOf } from "../result/response-url.ts";
import type { CheckoutView } from "./checkout-view.ts";

const NONCE_BYTES = 18;
const REPORTS_PATH = "/reports/csp";

export type PageFacts = Pick<CheckoutView, "layout"> & {
  readonly responseUrl?: string | undefined;
  /** The banks of real cards stand anywhere; those of the simulator at our own origin. */
  readonly asksRealBanks?: boolean;
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
  const banks = facts.asksRealBanks === true ? " https:" : "";
  const back = facts.responseUrl === undefined ? undefined : new URL(facts.responseUrl);
  // Over http, as on a developer's machine, an upgrade would lead nowhere.
  const isEncrypted = ownUrl.startsWith("https:") && back?.protocol !== "http:";
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    `frame-src 'self'${banks}`,
    `form-action 'self'${back === undefined ? "" : sourceOf(back)}${banks}`,
    ...ancestors(facts),
    "base-uri 'none'",
    "object-src 'none'",
    "manifest-src 'none'",
    "worker-src 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    ...(isEncrypted ? ["upgrade-insecure-requests"] : []),
    "report-to csp",
  ].join("; ");
}

/** A policy has no way to write an IPv6 address, so its scheme stands for it. */
function sourceOf(back: URL): string {
  const kind = hostKindOf(back);
  if (kind === undefined) return "";
  return kind === "ipv6" ? ` ${back.protocol}` : ` ${back.origin}`;
}

function ancestors({ layout, framedBy }: PageFacts): string[] {
  if (layout === "full") return ["frame-ancestors 'none'"];
  return framedBy === undefined ? [] : [`frame-ancestors ${framedBy.join(" ")}`];
}

/**
 * For the gateway's piece of HTML, which is not ours: it may run in our frame, but as a stranger.
 * It has no origin, so it reaches nothing of ours, and it can only send its form on.
 */
export function challengeHeaders(
  { http }: Pick<Config, "http">,
  { layout, asksRealBanks = false }: Pick<PageFacts, "layout" | "asksRealBanks">,
): Record<string, string> {
  const own = new URL(http.paymentsPublicUrl).origin;
  const banks = asksRealBanks ? " https:" : "";
  // The simple page stands in a frame itself, and all that are around a frame are asked.
  const ancestors = layout === "full" ? ["frame-ancestors 'self'"] : [];
  return {
    "content-security-policy": [
      "sandbox allow-forms allow-scripts",
      "default-src 'none'",
      "script-src 'unsafe-inline'",
      "style-src 'unsafe-inline'",
      `frame-src ${own}${banks}`,
      `form-action ${own}${banks}`,
      ...ancestors,
      "base-uri 'none'",
    ].join("; "),
  };
}
