/**
 * Texts that would be markup if a page did not escape them, and an eye that sees what a browser
 * would: each text is marked with the name of its field, and must have been on a page, or a test
 * that opens pages would try nothing.
 */

import assert from "node:assert/strict";
import { tagsIn } from "./html-tags.ts";
import type { TestAnswer } from "./service.ts";

const MARK = "zq-";
const ENDS = "</title></textarea></script></style></svg>-->";
export const NASTY = `"'><zq-e zq-a=1 onload=zq-b>${ENDS}<zq-e>\``;

const LINKS = ["href", "src", "action", "formaction", "xlink:href", "poster", "content"];
/** A page of ours, another place on this one, somebody's mailbox, or WhatsApp with a text. */
const OWN_LINK = /^(?:\/(?![/\\])|[?#]|mailto:|https:\/\/wa\.me\/\?text=[\w.%~-]*$)/;

export function nastyTexts() {
  const seen = new Set<string>();
  const typed = new Set<string>();

  function nasty(field: string): string {
    typed.add(field);
    return `${MARK}${field}.${NASTY}`;
  }

  /** Whatever was typed is neither a tag nor an attribute, and leads nowhere. */
  function expectText(page: string, where: string): void {
    for (const [, field = ""] of page.matchAll(/zq-(\w+)\./g)) seen.add(field);
    for (const { name, attributes } of tagsIn(page)) {
      assert.ok(!name.includes("zq"), `${where}: <${name}>`);
      for (const [key, value] of attributes) {
        assert.ok(!key.includes("zq"), `${where}: <${name} ${key}>`);
        assert.ok(!/^on|^style$|^srcdoc$/.test(key), `${where}: <${name} ${key}>`);
        if (LINKS.includes(key) && value.includes(MARK))
          assert.match(value, OWN_LINK, `${where}: <${name} ${key}="${value}">`);
      }
      if (name === "script") assert.match(attributes.get("src") ?? "", /^\/assets\//, where);
    }
  }

  function expectPage(
    { status, headers, text }: TestAnswer,
    where: string,
    statuses = [200],
  ): void {
    assert.ok(statuses.includes(status), `${where} → ${status}\n${text.slice(0, 300)}`);
    if ((headers.get("content-type") ?? "").startsWith("text/html")) expectText(text, where);
  }

  return { seen, typed, nasty, expectText, expectPage };
}
