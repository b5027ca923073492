/** A page of the console: its content in the frame, with what the visitor's role may see. */

import type { Answer } from "../infra/http/answer.ts";
import { type HtmlValue, html } from "../kit/html.ts";
import type { Asset } from "../parts/assets.ts";
import { consoleScript, consoleStyle, liveScript } from "../parts/console-assets.ts";
import { consoleFrame, type NavigationItem, type Tab } from "../parts/console-frame.ts";
import { postForm } from "../parts/form.ts";
import type { IconName } from "../parts/icon.ts";
import { narrowFrame } from "../parts/narrow-frame.ts";
import { flash } from "../parts/notice.ts";
import { pageAnswer, renderDocument } from "../parts/page.ts";
import { maySee, type PageAccess, type Visitor } from "./visitor.ts";

const SECTIONS = {
  Home: { href: "/console", right: "balances", icon: "home" },
  Payments: { href: "/console/payments", right: "payments", icon: "payments" },
  Balance: { href: "/console/balance", right: "balances", icon: "balance" },
  Withdrawals: { href: "/console/withdrawals", right: "withdrawals", icon: "withdrawals" },
  Links: { href: "/console/links", right: "links", icon: "links", onlyBusiness: true },
  Cards: { href: "/console/cards", right: "cards", icon: "cards", onlyBusiness: true },
  Developers: { href: "/console/developers", right: "request_log", icon: "developers" },
  Settings: { href: "/console/settings", right: "self", icon: "settings" },
} as const satisfies Readonly<Record<string, PageAccess & { href: string; icon: IconName }>>;

export type Section = keyof typeof SECTIONS;

export interface PageParts {
  readonly title: string;
  /** Absent: a page of the person, which is in no section. */
  readonly section?: Section;
  readonly tabs?: { readonly label: string; readonly items: readonly Tab[] } | undefined;
  readonly back?: { readonly name: string; readonly href: string };
  readonly beside?: HtmlValue;
  /** What is wrong with a form, above everything else. */
  readonly problem?: HtmlValue;
  /** Words of this page for what the last form did, once there is more to say. */
  readonly done?: Readonly<Record<string, string>>;
  readonly content: HtmlValue;
  /** Beside the one of every page. */
  readonly scripts?: readonly Asset[];
  readonly status?: number;
}

export function consolePage(visitor: Visitor, parts: PageParts): Answer {
  const { account, environment, formToken, person, role, here } = visitor;
  const body = consoleFrame({
    accountName: account.name,
    environment,
    isLiveSimulated: visitor.live.isSimulated,
    environmentForm: { action: "/console/environment", hidden: { next: here } },
    csrf: formToken,
    navigation: navigationFor(visitor, parts.section),
    tabs: parts.tabs,
    person: {
      name: person.name,
      about: `${person.email}, ${role}`,
      profileHref: "/console/me",
      signOutAction: "/console/sign-out",
      more: otherAccounts(visitor),
    },
    heading: parts.title,
    back: parts.back,
    beside: parts.beside,
    message: parts.problem ?? doneMessage(visitor, parts.done),
    content: parts.content,
  });
  const document = renderDocument({
    title: `${parts.title} · Windward`,
    body,
    styles: [consoleStyle],
    scripts: [consoleScript, liveScript, ...(parts.scripts ?? [])],
    bodyAttributes: liveSource(visitor),
  });
  return pageAnswer(document, { status: parts.status ?? 200 });
}

/** Says for which account and environment the page was made, and from where on it is told more. */
function liveSource({ account, environment, feedPosition }: Visitor) {
  const feed = new URLSearchParams({ account_number: account.accountNumber, environment });
  return { "data-live-source": `/console/live?${feed}`, "data-live-seen": `${feedPosition}` };
}

function navigationFor(visitor: Visitor, current: Section | undefined): NavigationItem[] {
  return Object.entries(SECTIONS)
    .filter(([, access]) => maySee(visitor, access))
    .map(([name, { href, icon }]) => ({ name, href, icon, isCurrent: name === current }));
}

function otherAccounts({ accounts, account, formToken }: Visitor): HtmlValue {
  return accounts
    .filter(({ accountNumber }) => accountNumber !== account.accountNumber)
    .map(({ accountNumber, name }) =>
      postForm({
        action: "/console/account",
        csrf: formToken,
        hidden: { account_number: accountNumber },
        className: "inline-form",
        content: html`<button>Switch to ${name} (${accountNumber})</button>`,
      }),
    );
}

/** What the last form did: a word in the address that leads to one of our sentences. */
function doneMessage({ here }: Visitor, ofPage: PageParts["done"] = {}): HtmlValue {
  const word = new URLSearchParams(here.split("?")[1] ?? "").get("done") ?? "";
  const text = doneText({ ...DONE, ...ofPage }, word);
  return text && html`<div id="done" data-live>${flash({ tone: "good", text })}</div>`;
}

/** Of a word that anybody can write into an address. */
export function doneText(
  texts: Readonly<Record<string, string>>,
  word: string,
): string | undefined {
  return Object.hasOwn(texts, word) ? texts[word] : undefined;
}

/** After a post the browser goes to `?done=<word>`; the sentence is ours, never the address's. */
const DONE: Readonly<Record<string, string>> = {
  saved: "Saved.",
  keys_replaced: "The keys have been replaced. Put these into your shop now.",
  receipt: "The receipt is being sent.",
  receiver: "The receiver is simulated from now on.",
  receiver_back: "Deliveries are sent to the address again.",
  simulated: "Simulated. The new state is below.",
  refund: "The refund was requested. What became of it stands below.",
  withdrawal: "The withdrawal was requested. What became of it stands below.",
  cancelled: "The withdrawal has been cancelled, and its money is available again.",
  payouts: "All payments of the list were requested. What became of them stands below.",
  bank: "The bank details have been saved.",
  bank_removed: "The bank details have been removed.",
  link: "The link has been made. Share it below.",
  link_on: "The link is switched on: it can be paid.",
  link_off: "The link is switched off: it can no longer be paid.",
  card_deleted: "The card has been deleted.",
  key: "The key has been made. It was shown once and cannot be shown again.",
  key_revoked: "The key has been revoked. It no longer works, anywhere.",
  secret: "The secret has been made. It was shown once and cannot be shown again.",
  endpoint: "The endpoint has been saved.",
  endpoint_removed: "The endpoint has been removed.",
  sent: "The event was queued to be sent again. What became of it stands below.",
  tested: "A test event was queued. What became of it stands below.",
  endpoint_on: "The endpoint is enabled. What happens from now on is sent to it.",
  endpoint_off: "The endpoint is disabled. Nothing is sent to it.",
  replayed_none: "Nothing in that time has to be sent again.",
  replayed_part:
    "The first of them are being sent again. Replay again from a later day for the rest.",
  replayed: "The events are being sent again.",
  invited: "The invitation has been sent.",
  withdrawn: "The invitation has been cancelled.",
  member: "The changes to the member have been saved.",
  removed: "The member has been removed, and signed out.",
  joined: "Welcome. You are now a member of this account.",
  authenticator: "The authenticator app has been set up.",
  authenticator_removed: "The authenticator app has been removed.",
  passkey: "The passkey has been added.",
  passkey_removed: "The passkey has been removed.",
  session_ended: "That session has been ended.",
  sessions_ended: "You are signed out everywhere else.",
  filter_saved: "The filter has been saved.",
  filter_removed: "The filter has been removed.",
};

export interface NarrowParts {
  readonly title: string;
  readonly message?: HtmlValue;
  readonly content: HtmlValue;
  readonly below?: HtmlValue;
  readonly scripts?: readonly Asset[];
  readonly status?: number;
}

/** For a browser that is not signed in, or has to show something first. */
export function narrowPage(parts: NarrowParts): Answer {
  const document = renderDocument({
    title: `${parts.title} · Windward`,
    body: narrowFrame({ ...parts, heading: parts.title }),
    styles: [consoleStyle],
    scripts: [consoleScript, ...(parts.scripts ?? [])],
  });
  return pageAnswer(document, { status: parts.status ?? 200 });
}
