/**
 * The guides as pages, made from the project's Markdown, so that there is one text of each
 * (Decision 0050). Where code is given in several languages, one is shown, chosen for the whole
 * page and without a script.
 */

import path from "node:path";
import { Marked, type Token, type Tokens } from "marked";
import { escapeXml } from "../kit/escape-xml.ts";
import { attributes, html } from "../kit/html.ts";
import { CHOSEN_LANGUAGES, codeFigure, languageChoice } from "./code-figure.ts";
import type { Heading } from "./frame.ts";
import { guideText } from "./guide-text.ts";
import { GUIDES, type Guide } from "./guides.ts";
import { highlighted, languageName } from "./highlight.ts";

const IMAGES = "docs/images/";
const AMOUNT = /\b[A-Z]{3} \d[\d,]*\.\d\d\b|\b\d[\d,]*\.\d\d [A-Z]{3}\b/g;
/** A word of code up to this length fits a phone. */
const WHOLE_LENGTH_MAX = 32;

export interface RenderedGuide {
  readonly main: string;
  readonly contents: readonly Heading[];
}

export function renderGuide(guide: Guide, publicUrl: string): RenderedGuide {
  const text = guideText(guide, publicUrl);
  const isInAll = CHOSEN_LANGUAGES.every((name) => text.includes(`\n\`\`\`${name}\n`));
  const anchor = anchors();
  const contents: Heading[] = [];
  const marked = new Marked({
    walkTokens: keepAmountsWhole,
    renderer: {
      code: ({ text: code, lang = "" }) =>
        codeFigure({
          title: languageName(lang),
          code: highlighted(code, lang),
          onlyIn: isInAll && CHOSEN_LANGUAGES.includes(lang) ? lang : undefined,
        }).toString(),
      codespan: ({ text: code }) => inlineCode(code),
      paragraph({ tokens }) {
        const onlyIn = isInAll ? languageOf(tokens) : undefined;
        const shown = attributes({ "data-in": onlyIn });
        return `<p${shown}>${this.parser.parseInline(tokens)}</p>\n`;
      },
      heading({ tokens, depth, text: raw }) {
        const id = anchor(raw);
        const inner = this.parser.parseInline(tokens);
        if (depth === 2) contents.push({ id, text: plainWords(inner) });
        return `${headingHtml(depth, id, inner)}\n`;
      },
      link: linkFrom(guide.file),
      image: ({ href, text: alt }) => pictureHtml(guide.file, href, alt),
      html: ({ text: raw }) => withPicture(guide.file, raw),
      table,
    },
  });
  const body = marked.parse(text, { async: false });
  const [title = "", ...rest] = body.split(/(?<=<\/h1>\n)/);
  return { main: `${title}${isInAll ? languageChoice() : ""}${rest.join("")}`, contents };
}

/** "TTD 105.20" and "100.00 TTD" stay on one line. */
function keepAmountsWhole(token: Token): void {
  if (token.type !== "text") return;
  token.text = token.text.replace(AMOUNT, (amount: string) => amount.replace(" ", "\u00a0"));
}

/** Breaks at spaces, and within a long word behind a slash; never at a hyphen. */
function inlineCode(code: string): string {
  const words = code.split(" ").map((word) => {
    if (word.length > WHOLE_LENGTH_MAX) return escapeXml(word).replaceAll("/", "/<wbr>");
    return word.includes("-") ? `<span class="whole">${escapeXml(word)}</span>` : escapeXml(word);
  });
  return `<code>${words.join(" ")}</code>`;
}

/** A paragraph about one language begins with its name in bold, and is shown with its code. */
function languageOf([first]: readonly Token[]): string | undefined {
  if (first?.type !== "strong") return undefined;
  return CHOSEN_LANGUAGES.find((name) => languageName(name) === first.text);
}

/** With a link to itself where it can be linked to. */
function headingHtml(depth: number, id: string, inner: string): string {
  if (depth === 1) return `<h1 id="${id}">${inner}</h1>`;
  return `<h${depth} id="${id}"><a class="anchor" href="#${id}">${inner}</a></h${depth}>`;
}

/** The anchors that GitHub gives headings, which links in the texts use; each once on a page. */
export function anchors(): (heading: string) => string {
  const used = new Map<string, number>();
  return (heading) => {
    const name = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_\- ]/gu, "")
      .replaceAll(" ", "-");
    const before = used.get(name) ?? 0;
    used.set(name, before + 1);
    return before === 0 ? name : `${name}-${before}`;
  };
}

/** Of a piece of HTML that we made. */
function plainWords(inner: string): string {
  const entities: Record<string, string> = { "&lt;": "<", "&gt;": ">", "&quot;": '"' };
  return inner
    .replace(/<[^>]+>/g, "")
    .replace(/&(lt|gt|quot);/g, (entity) => entities[entity] ?? "")
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
}

/** Links to other guides lead to their pages; links to other files of the project are dropped. */
function linkFrom(from: string) {
  return function link(this: Parsing, { href, tokens }: Tokens.Link): string {
    const words = this.parser.parseInline(tokens);
    const [target = "", place] = href.split("#");
    const file = path.posix.join(path.posix.dirname(from), target);
    const guide = target === "" ? undefined : GUIDES.find((one) => one.file === file);
    const isAddress = /^https?:/.test(href) || href.startsWith("#") || href.startsWith("/");
    if (guide === undefined && !isAddress) return words;
    const address = guide === undefined ? href : guide.path + (place ? `#${place}` : "");
    return `<a href="${escapeXml(address)}">${words}</a>`;
  };
}

function pictureHtml(from: string, href: string, alt: string): string {
  const file = path.posix.join(path.posix.dirname(from), href);
  if (!file.startsWith(IMAGES)) return "";
  return html`<img src="/${file}" alt="${alt}" loading="lazy">`.toString();
}

/** HTML of a guide is pictures of a given width, and nothing else. */
function withPicture(from: string, raw: string): string {
  const found = /^<img src="([^"]+)" width="(\d+)" alt="([^"]+)">\s*$/.exec(raw);
  if (found === null) return escapeXml(raw);
  const [, src = "", width = "", alt = ""] = found;
  return pictureHtml(from, src, alt).replace("<img ", `<img width="${width}" `);
}

/** Scrolls by itself, so that a wide table does not widen the page on a phone. */
function table(this: Parsing, { header, rows }: Tokens.Table): string {
  const row = (cells: readonly Tokens.TableCell[], tag: "th" | "td") => {
    const shown = cells.map(({ tokens }) => this.parser.parseInline(tokens));
    // A heading without words would be read out as one.
    const name = (cell: string) => (cell === "" ? "td" : tag);
    return `<tr>${shown.map((cell) => `<${name(cell)}>${cell}</${name(cell)}>`).join("")}</tr>\n`;
  };
  const body = rows.map((cells) => row(cells, "td")).join("");
  const parts = `<thead>${row(header, "th")}</thead><tbody>${body}</tbody>`;
  return `<div class="wide" tabindex="0"><table>${parts}</table></div>\n`;
}

interface Parsing {
  readonly parser: { parseInline(tokens: Token[]): string };
}
