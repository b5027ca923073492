/**
 * HTML from typed functions: `html` is a template tag whose values are escaped, except those that
 * are HTML themselves. A page is a function of its data, so the compiler checks what it shows.
 *
 * By hand, because Node runs our TypeScript by removing its types and so takes no JSX, and the
 * packages with such a tag bring a web framework with them.
 */

/** Text that is safe between tags. Only `html`, `attributes` and `trusted` make it. */
export class Html {
  readonly #text: string;

  private constructor(text: string) {
    this.#text = text;
  }

  static of(text: string): Html {
    return new Html(text);
  }

  toString(): string {
    return this.#text;
  }
}

/** Nothing is shown for `undefined`, `null` and `false`, so that `condition && html` reads well. */
export type HtmlValue = Html | string | number | bigint | undefined | null | false | HtmlList;
type HtmlList = readonly HtmlValue[];

export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  let text = parts[0] ?? "";
  for (let i = 0; i < values.length; i++) text += shown(values[i]) + (parts[i + 1] ?? "");
  return Html.of(text);
}

/** For what is known to be HTML: files of this repository, the output of a library. Never input. */
export function trusted(text: string): Html {
  return Html.of(text);
}

export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * Attributes by their names: `true` is one without a value, `undefined` and `false` are left out.
 * Names are written in the code, never taken from input.
 */
export function attributes(values: Attributes): Html {
  let text = "";
  for (const name of Object.keys(values)) {
    const value = values[name];
    if (value === undefined || value === false) continue;
    text += value === true ? ` ${name}` : ` ${name}="${escaped(`${value}`)}"`;
  }
  return Html.of(text);
}

function shown(value: HtmlValue): string {
  if (value === undefined || value === null || value === false) return "";
  if (value instanceof Html) return value.toString();
  if (typeof value === "object") return value.map(shown).join("");
  return escaped(String(value));
}

const SPECIAL = /[&<>"']/;

/** Between tags and inside quoted attributes of either kind. */
function escaped(text: string): string {
  // Most text needs nothing, and looking is cheaper than replacing.
  if (!SPECIAL.test(text)) return text;
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? "");
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
