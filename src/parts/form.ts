/**
 * Forms and their buttons. A form that changes something is posted with the session's CSRF token;
 * the script sends it once.
 */

import { attributes, type Html, type HtmlValue, html } from "../kit/html.ts";
import { type IconName, icon } from "./icon.ts";

/** The name under which every form sends its token. */
export const CSRF_FIELD = "csrf_token";

export type ButtonKind = "primary" | "secondary" | "danger" | "quiet";

export interface PostFormParts {
  readonly action: string;
  readonly csrf: string;
  /** Fields that are not shown. */
  readonly hidden?: Readonly<Record<string, string>>;
  readonly className?: string;
  readonly takesFiles?: boolean;
  readonly content: HtmlValue;
}

export function postForm(parts: PostFormParts): Html {
  const { action, csrf, hidden = {}, className = "form" } = parts;
  const enctype = parts.takesFiles === true ? "multipart/form-data" : undefined;
  return html`<form${attributes({ method: "post", action, class: className, enctype })}>
${hiddenFields({ [CSRF_FIELD]: csrf, ...hidden })}
${parts.content}
</form>`;
}

export function hiddenFields(values: Readonly<Record<string, string>>): Html {
  const inputs = Object.entries(values).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  return html`${inputs}`;
}

interface ButtonParts {
  readonly text: string;
  readonly kind?: ButtonKind;
  readonly name?: string;
  readonly value?: string;
  readonly icon?: IconName;
  readonly isSmall?: boolean;
  /** Where several alike stand on a page: what this one is for, read out behind its text. */
  readonly about?: string;
}

/** Sends its form. */
export function button(parts: ButtonParts): Html {
  const { name, value } = parts;
  const about = attributes({ class: classOf(parts), name, value });
  return html`<button${about}>${labelOf(parts)}</button>`;
}

/** Looks like a button and leads somewhere. */
export function linkButton(parts: ButtonParts & { readonly href: string }): Html {
  return html`<a class="${classOf(parts)}" href="${parts.href}">${labelOf(parts)}</a>`;
}

/** Not there without scripts: the browser's own menu prints as well. */
export function printButton(): Html {
  return html`<button type="button" class="button secondary scripted" data-print>Print</button>`;
}

/** One of a few views of a page, such as its periods; the one that is shown is marked. */
export function choiceLink(parts: {
  readonly text: string;
  readonly href: string;
  readonly isCurrent: boolean;
}): Html {
  const { text, href, isCurrent } = parts;
  const about = attributes({
    class: classOf({ text, kind: isCurrent ? "secondary" : "quiet", isSmall: true }),
    href,
    "aria-current": isCurrent ? "true" : undefined,
  });
  return html`<a${about} data-swap>${text}</a>`;
}

export function buttonRow(...buttons: readonly HtmlValue[]): Html {
  return html`<div class="buttons">${buttons}</div>`;
}

/** A button in a form of its own, for an action that needs nothing else. */
export function postButton(
  parts: ButtonParts & Pick<PostFormParts, "action" | "csrf" | "hidden">,
): Html {
  return postForm({ ...parts, className: "inline-form", content: button(parts) });
}

/** What will happen, then the button that does it and the way out: in a dialog or on a page. */
export function confirmForm(
  parts: Pick<PostFormParts, "action" | "csrf" | "hidden"> & {
    readonly text: HtmlValue;
    readonly button: string;
    readonly isDangerous?: boolean;
    readonly cancelHref: string;
    /** Fields that are filled in first. */
    readonly fields?: HtmlValue;
  },
): Html {
  const kind = parts.isDangerous === true ? "danger" : "primary";
  return postForm({
    ...parts,
    content: html`<div class="prose">${parts.text}</div>
${parts.fields}
${buttonRow(button({ text: parts.button, kind }), cancelLink(parts.cancelHref))}`,
  });
}

/** Closes the dialog around it, or leads back. */
export function cancelLink(href: string): Html {
  return html`<a class="button quiet" href="${href}" data-close>Cancel</a>`;
}

function classOf({ kind = "secondary", isSmall = false }: ButtonParts): string {
  return `button ${kind}${isSmall ? " small" : ""}`;
}

function labelOf({ text, icon: name, about }: ButtonParts): Html {
  const more = about !== undefined && html`<span class="unseen"> ${about}</span>`;
  return html`${name !== undefined && icon(name)}${text}${more}`;
}
