/**
 * The guides as pages, made from the Markdown of `docs/`, so that there is one text of each
 * (Decision 0050). Where code is given in several languages, one is shown, chosen for the whole
 * page and without a script.
 */

import { readFileSync } from "node:fs";
import { Marked, type Token, type Tokens } from "marked";
import { escapeXml } from "../kit/escape-xml.ts";
import { GUIDES, type Guide } from "./guides.ts";
import { LANGUAGES, pageHtml, preHtml } from "./page.ts";

const FOLDER = new URL("../../docs/", import.meta.url);
/** The service's address in the texts. */
const WRITTEN_BASE = "http://localhost:3000";

export function guideHtml({ file, title }: Guide, publicUrl: string): string {
  const text = readFileSync(new URL(file, FOLDER), "utf8").replaceAll(WRITTEN_BASE, publicUrl);
  const isInAll = Object.keys(LANGUAGES).every((name) => text.includes(`\n\`\`\`${name}\n`));
  const code = isInAll ? codeInOne : plainCode;
  const marked = new Marked({ renderer: { heading, code, link, table } });
  const main = `${isInAll ? languageChoice() : ""}${marked.parse(text)}`;
  return pageHtml({ title: `${title} · Windward`, main });
}

function languageChoice(): string {
  const inputs = Object.entries(LANGUAGES).map(([name, words], at) => {
    const more = `id="in-${name}"${at === 0 ? " checked" : ""}`;
    return `<label><input type="radio" name="language" ${more} /> ${words}</label>`;
  });
  return `<fieldset><legend>Show the code in</legend>${inputs.join("\n")}</fieldset>`;
}

function plainCode({ text }: Tokens.Code): string {
  return `${preHtml(escapeXml(text))}\n`;
}

/** Shown only while its language is the chosen one. */
function codeInOne(block: Tokens.Code): string {
  const { lang = "" } = block;
  const plain = plainCode(block);
  return Object.hasOwn(LANGUAGES, lang) ? plain.replace("<pre", `<pre data-in="${lang}"`) : plain;
}

/** With the anchor that GitHub gives a heading, which links in the texts use. */
function heading(this: Parsing, { tokens, depth, text }: Tokens.Heading): string {
  const name = text
    .toLowerCase()
    .replace(/[^\w\- ]/g, "")
    .replaceAll(" ", "-");
  return `<h${depth} id="${name}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
}

/** Links to other guides lead to their pages; links to other files of the project are dropped. */
function link(this: Parsing, { href, tokens }: Tokens.Link): string {
  const words = this.parser.parseInline(tokens);
  const [file, place] = href.split("#");
  const guide = GUIDES.find((one) => one.file === file);
  const isOutside = /^https?:/.test(href) || href.startsWith("#");
  if (guide === undefined && !isOutside) return words;
  const address = guide === undefined ? href : guide.path + (place ? `#${place}` : "");
  return `<a href="${escapeXml(address)}">${words}</a>`;
}

/** Scrolls by itself, so that a wide table does not widen the page on a phone. */
function table(this: Parsing, { header, rows }: Tokens.Table): string {
  const row = (cells: readonly Tokens.TableCell[], tag: "th" | "td") => {
    const shown = cells.map(({ tokens }) => this.parser.parseInline(tokens));
    return `<tr>${shown.map((cell) => `<${tag}>${cell}</${tag}>`).join("")}</tr>\n`;
  };
  const body = rows.map((cells) => row(cells, "td")).join("");
  const parts = `<thead>${row(header, "th")}</thead><tbody>${body}</tbody>`;
  return `<div class="wide" tabindex="0"><table>${parts}</table></div>\n`;
}

interface Parsing {
  readonly parser: { parseInline(tokens: Token[]): string };
}
