/** Text of programs: requests, answers, keys. It scrolls inside itself and can be copied. */

import { type Html, html } from "../kit/html.ts";
import { copyButton } from "./copy.ts";

export function codeBlock(parts: { readonly title: string; readonly code: string }): Html {
  const { title, code } = parts;
  // Something that scrolls must be reachable by keyboard, and then needs a name.
  return html`<figure class="code">
<figcaption>${title}${copyButton(code, title)}</figcaption>
<pre tabindex="0" role="region" aria-label="${title}"><code>${code}</code></pre>
</figure>`;
}
