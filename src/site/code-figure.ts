/** Code on a page of the site: named, highlighted, copied with one click. */

import { attributes, type Html, html } from "../kit/html.ts";
import { icon } from "../parts/icon.ts";
import { languageName } from "./highlight.ts";

/** The languages that guides show every step in, of which a reader chooses one. */
export const CHOSEN_LANGUAGES: readonly string[] = ["sh", "ts", "php", "python"];

export function codeFigure(parts: {
  readonly title: string;
  readonly code: Html;
  /** Shown only while it is the chosen language. */
  readonly onlyIn?: string | undefined;
}): Html {
  const { title, code, onlyIn } = parts;
  // Something that scrolls must be reachable by keyboard.
  return html`<figure class="code"${attributes({ "data-in": onlyIn })}>
<figcaption>${title}<button type="button" class="button quiet small copy" data-copy="">
<span class="copy-text">${icon("copy")}Copy</span><span class="unseen"> this code</span></button>
</figcaption>
<pre tabindex="0"><code>${code}</code></pre>
</figure>
`;
}

/** Works without a script: the style hides the others. The script remembers the choice. */
export function languageChoice(): Html {
  const inputs = CHOSEN_LANGUAGES.map((name, at) => {
    const chosen = attributes({ id: `in-${name}`, value: name, checked: at === 0 });
    const input = html`<input type="radio" name="language"${chosen}>`;
    return html`<label>${input}<span>${languageName(name)}</span></label>\n`;
  });
  return html`<fieldset class="languages"><legend>Show the code in</legend>${inputs}</fieldset>`;
}
