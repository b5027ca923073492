/** A page of `/operator`: its content in the frame, with what the visitor's role may see. */

import type { Answer } from "../infra/http/answer.ts";
import { type HtmlValue, html } from "../kit/html.ts";
import type { OperatorRight } from "../kit/operator-roles.ts";
import { WAITING } from "../modules/operator/approvals/run-for-operator.ts";
import { COUNTED_MAX } from "../modules/operator/waiting/count-waiting.ts";
import type { Asset } from "../parts/assets.ts";
import { consoleScript, consoleStyle } from "../parts/console-assets.ts";
import { consoleFrame } from "../parts/console-frame.ts";
import type { IconName } from "../parts/icon.ts";
import { flash } from "../parts/notice.ts";
import { pageAnswer, renderDocument } from "../parts/page.ts";
import { inPageWords } from "./page-words.ts";
import type { OperatorVisitor } from "./visitor.ts";

interface Place {
  readonly href: string;
  readonly right: OperatorRight;
}

const SECTIONS = {
  Home: { href: "/operator", right: "look", icon: "home" },
  Accounts: { href: "/operator/accounts", right: "look", icon: "balance" },
  Withdrawals: { href: "/operator/withdrawals", right: "look", icon: "withdrawals" },
  Disputes: { href: "/operator/disputes", right: "look", icon: "alert" },
  Approvals: { href: "/operator/approvals", right: "look", icon: "check" },
  Webhooks: { href: "/operator/webhooks", right: "look", icon: "developers" },
  System: { href: "/operator/health", right: "look", icon: "settings" },
} as const satisfies Readonly<Record<string, Place & { icon: IconName }>>;

export type OperatorSection = keyof typeof SECTIONS;

const TABS: Partial<Record<OperatorSection, Readonly<Record<string, Place>>>> = {
  Home: {
    "What waits": { href: "/operator", right: "look" },
    Payments: { href: "/operator/payments", right: "look" },
  },
  Accounts: {
    "All accounts": { href: "/operator/accounts", right: "look" },
    "Callers of 1.x": { href: "/operator/v1-callers", right: "look" },
  },
  Withdrawals: {
    Queue: { href: "/operator/withdrawals", right: "look" },
    "Bank files": { href: "/operator/bank-files", right: "money" },
  },
  System: {
    Health: { href: "/operator/health", right: "look" },
    Reconciliation: { href: "/operator/reconciliation", right: "audit" },
    Settlement: { href: "/operator/settlement", right: "money" },
    "Audit log": { href: "/operator/audit", right: "audit" },
    Operators: { href: "/operator/operators", right: "manage" },
  },
};

export interface OperatorPageParts {
  readonly title: string;
  /** Absent: a page of the person, which is in no section. */
  readonly section?: OperatorSection;
  /** The tab of the section. */
  readonly tab?: string;
  readonly back?: { readonly name: string; readonly href: string };
  readonly beside?: HtmlValue;
  /** What is wrong with a form, above everything else. */
  readonly problem?: HtmlValue;
  readonly content: HtmlValue;
  readonly scripts?: readonly Asset[];
  readonly status?: number;
}

export function operatorPage(visitor: OperatorVisitor, parts: OperatorPageParts): Answer {
  const { formToken, person, role } = visitor;
  const body = consoleFrame({
    accountName: "Operator",
    homeHref: "/operator",
    helpHref: "/docs",
    csrf: formToken,
    navigation: Object.entries(SECTIONS)
      .filter(([, { right }]) => visitor.may(right))
      .map(([name, { href, icon }]) => ({
        name,
        href,
        icon,
        isCurrent: name === parts.section,
        count: countText(visitor.waits[name]),
      })),
    tabs: tabsOf(visitor, parts),
    person: {
      name: person.name,
      about: `${person.email}, ${role}`,
      profileHref: "/operator/me",
      signOutAction: "/operator/sign-out",
    },
    heading: parts.title,
    back: parts.back,
    beside: parts.beside,
    message: parts.problem ?? (visitor.said !== undefined && saidNotice(visitor.said)),
    content: parts.content,
  });
  const document = renderDocument({
    title: `${parts.title} · Operator · Windward`,
    body,
    styles: [consoleStyle],
    scripts: [consoleScript, ...(parts.scripts ?? [])],
  });
  return pageAnswer(document, { status: parts.status ?? 200 });
}

/** Beside a section's name, where something waits there. */
function countText(count = 0): string | undefined {
  if (count === 0) return undefined;
  return count > COUNTED_MAX ? `${COUNTED_MAX}+` : String(count);
}

/** What an action said that led here. What only waits is no success. */
function saidNotice(said: string): HtmlValue {
  const text = html`<span class="lines">${inPageWords(said)}</span>`;
  if (!said.startsWith(WAITING)) return flash({ tone: "good", text });
  const action = html`<a href="/operator/approvals">See what waits</a>`;
  return flash({ tone: "warn", text, action });
}

function tabsOf(visitor: OperatorVisitor, { section, tab }: OperatorPageParts) {
  const tabs = section && TABS[section];
  if (tabs === undefined || tab === undefined) return undefined;
  const items = Object.entries(tabs)
    .filter(([, { right }]) => visitor.may(right))
    .map(([name, { href }]) => ({ name, href, isCurrent: name === tab }));
  return { label: section ?? "", items };
}
