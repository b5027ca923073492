/**
 * What browsers report when something on a payment page broke the page's own rules: an injected
 * script, a changed one, a form that would lead elsewhere. Each is a line in the log and a count,
 * which PCI DSS requires (11.6.1).
 *
 * Anybody can send a report, and it quotes the page's address, which opens a payment. So only the
 * rule and the foreign origin are kept.
 */

import { Counter } from "prom-client";
import type { Infra } from "../../../infra/context.ts";

const REPORTS_MAX = 10;
/** What browsers name; anybody can send other words, and each would be a series of its own. */
const RULES = new Set([
  ...["default-src", "connect-src", "font-src", "frame-src", "img-src", "manifest-src"],
  ...["media-src", "object-src", "worker-src", "script-src", "script-src-attr", "script-src-elem"],
  ...["style-src", "style-src-attr", "style-src-elem", "base-uri", "form-action"],
  ...["frame-ancestors", "sandbox", "script", "style"],
]);

const reports = new Counter({
  name: "windward_checkout_policy_reports_total",
  help: "What browsers reported of a payment page that broke its own rules, by rule.",
  labelNames: ["rule"],
});
// An increase is seen from 0 only: the first report is to be one.
for (const rule of [...RULES, "other"]) reports.inc({ rule }, 0);

export function takeReports({ log }: Pick<Infra, "log">, given: unknown): void {
  const list = Array.isArray(given) ? given.slice(0, REPORTS_MAX) : [];
  for (const report of list) {
    const body = bodyOf(report);
    const rule = textOf(body, "effectiveDirective", "effective-directive", "destination");
    const known = RULES.has(rule) ? rule : "other";
    reports.inc({ rule: known });
    const blocked = originOf(textOf(body, "blockedURL", "blocked-uri"));
    log.warn({ rule: known, blocked }, "a browser reports that a payment page broke its rules");
  }
}

/** Newer browsers put it under `body`, older ones under `csp-report`. */
function bodyOf(report: unknown): Record<string, unknown> {
  const { body, "csp-report": older } = Object(report) as Record<string, unknown>;
  return Object(body ?? older ?? {}) as Record<string, unknown>;
}

function textOf(body: Record<string, unknown>, ...names: string[]): string {
  const found = names.map((name) => body[name]).find((value) => typeof value === "string");
  return typeof found === "string" ? found : "";
}

/** A word, as `inline`, or the origin of an address. */
function originOf(blocked: string): string {
  if (/^[a-z-]{1,20}$/.test(blocked)) return blocked;
  return URL.canParse(blocked) ? new URL(blocked).origin : "other";
}
