/**
 * What surrounds every page of the console: the band of the sandbox, the header with the account
 * and the environment, navigation, the person's menu, the page's heading and messages. Everything
 * in it works without scripts; on a phone the navigation is a bar at the bottom (Decision 0089).
 */

import { attributes, type Html, type HtmlValue, html } from "../kit/html.ts";
import type { Environment } from "../kit/vocabulary.ts";
import { postForm } from "./form.ts";
import { brandMark, type IconName, icon } from "./icon.ts";

export interface NavigationItem {
  readonly name: string;
  readonly href: string;
  readonly icon: IconName;
  readonly isCurrent?: boolean;
  /** How much waits there. */
  readonly count?: string | undefined;
}

export interface Tab {
  readonly name: string;
  readonly href: string;
  readonly isCurrent?: boolean;
}

export interface ConsoleFrameParts {
  /** Below the service's name: the account, or whose console it is. */
  readonly accountName: string;
  /** Where the brand leads. */
  readonly homeHref?: string;
  readonly helpHref?: string;
  /** Absent where a console shows both. */
  readonly environment?: Environment;
  /** Without a real acquirer live looks real, and is not. */
  readonly isLiveSimulated?: boolean;
  /** Where the environment's form is sent, and what it takes along: the address to come back to. */
  readonly environmentForm?: {
    readonly action: string;
    readonly hidden?: Readonly<Record<string, string>>;
  };
  /** Of every form of the frame. */
  readonly csrf: string;
  readonly navigation: readonly NavigationItem[];
  /** The pages of a section, below its heading. */
  readonly tabs?: { readonly label: string; readonly items: readonly Tab[] } | undefined;
  readonly person: {
    readonly name: string;
    readonly about?: string;
    readonly profileHref: string;
    readonly signOutAction: string;
    /** Other accounts to switch to, and the like. */
    readonly more?: HtmlValue;
  };
  readonly heading: string;
  /** Where the page's parent is: a link above the heading. */
  readonly back?: { readonly name: string; readonly href: string } | undefined;
  /** Buttons and badges beside the heading. */
  readonly beside?: HtmlValue;
  /** Flash message or problem summary. */
  readonly message?: HtmlValue;
  readonly content: HtmlValue;
}

const BAND = html`<aside class="band" aria-label="Environment">
Sandbox: no real money moves here</aside>`;

/** The guide of the merchants' console; a phone has it in the menu. */
const HELP = "/docs/console";

const LIVE_SIMULATED = html`<aside class="stage" aria-label="Stage">
Development: live is simulated too, no money moves</aside>`;

export function consoleFrame(parts: ConsoleFrameParts): Html {
  const { homeHref = "/console" } = parts;
  return html`<div class="console">
<a class="skip" href="#main">Skip to content</a>
${parts.environment === "sandbox" ? BAND : parts.isLiveSimulated && LIVE_SIMULATED}
<header class="top">
<a class="brand" href="${homeHref}">${brandMark()}<span class="brand-text"><strong>Windward</strong>
<span class="account">${parts.accountName}</span></span></a>
${helpLink(parts)}
${parts.environmentForm && environmentSwitch(parts, parts.environmentForm)}
${personMenu(parts)}
</header>
<nav class="side" aria-label="Main">${parts.navigation.map(navigationLink)}</nav>
<main class="page" id="main" tabindex="-1">
${pageHead(parts)}
${parts.message}
${parts.content}
</main>
<p class="unseen" role="status" id="announcer"></p>
</div>`;
}

function environmentSwitch(
  { environment, csrf }: ConsoleFrameParts,
  environmentForm: NonNullable<ConsoleFrameParts["environmentForm"]>,
): Html {
  const choice = (value: Environment, name: string) => {
    const current = value === environment ? "true" : undefined;
    const about = attributes({ name: "environment", value, "aria-current": current });
    return html`<button class="${value}"${about}>${name}</button>`;
  };
  return postForm({
    ...environmentForm,
    csrf,
    className: "switch",
    content: html`<div role="group" aria-label="Environment">
${choice("sandbox", "Sandbox")}${choice("live", "Live")}</div>`,
  });
}

function helpLink({ helpHref = HELP }: ConsoleFrameParts): Html {
  return html`<a class="help-link" href="${helpHref}">Help</a>`;
}

function personMenu({ person, csrf, helpHref = HELP }: ConsoleFrameParts): Html {
  const { name, about, profileHref, signOutAction, more } = person;
  const initials = name
    .split(/\s+/)
    .map((word) => [...word][0] ?? "")
    .slice(0, 2)
    .join("");
  const signOut = html`<button>Sign out</button>`;
  return html`<details class="menu"><summary aria-label="${initials}, menu of ${name}">
<span class="initials" aria-hidden="true">${initials}</span>${icon("chevron")}</summary>
<div class="menu-panel"><p class="menu-name"><strong>${name}</strong>
${about !== undefined && html`<span class="soft">${about}</span>`}</p>
${more}
<a href="${profileHref}">Your profile</a>
<a href="${helpHref}">Help</a>
${postForm({ action: signOutAction, csrf, className: "inline-form", content: signOut })}
</div></details>`;
}

function navigationLink(item: NavigationItem): Html {
  const { name, href, icon: iconName, isCurrent = false, count } = item;
  const about = attributes({ href, "aria-current": isCurrent ? "page" : undefined });
  const waits =
    count !== undefined &&
    html` <span class="waits">${count}<span class="unseen"> waiting</span></span>`;
  return html`<a${about}>${icon(iconName)}<span>${name}</span>${waits}</a>`;
}

function pageHead({ heading, back, beside, tabs }: ConsoleFrameParts): Html {
  const tabBar =
    tabs && html`<nav class="tabs" aria-label="${tabs.label}">${tabs.items.map(tabLink)}</nav>`;
  return html`<div class="page-head">
${back !== undefined && html`<a class="back" href="${back.href}">${back.name}</a>`}
<div class="page-title"><h1>${heading}</h1>
${beside !== undefined && html`<div class="buttons">${beside}</div>`}</div>
${tabBar}
</div>`;
}

function tabLink({ name, href, isCurrent = false }: Tab): Html {
  const about = attributes({ href, "aria-current": isCurrent ? "page" : undefined });
  return html`<a${about}>${name}</a>`;
}
