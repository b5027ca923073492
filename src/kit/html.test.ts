/** What a page shows of others' words can never become markup. */

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { attributes, html, trusted } from "./html.ts";

test("values are escaped, and HTML inside HTML is not escaped again", () => {
  const name = `<b>"Tom" & 'Sue'</b>`;
  const inner = html`<em>${name}</em>`;
  assert.equal(
    String(html`<p title="${name}">${inner}</p>`),
    `<p title="&lt;b&gt;&quot;Tom&quot; &amp; &#39;Sue&#39;&lt;/b&gt;">` +
      `<em>&lt;b&gt;&quot;Tom&quot; &amp; &#39;Sue&#39;&lt;/b&gt;</em></p>`,
  );
});

test("lists are joined, and what is absent leaves nothing", () => {
  const items = ["a", "<"].map((each) => html`<li>${each}</li>`);
  assert.equal(
    String(html`<ul>${items}${undefined}${null}${false}${[]}${0}</ul>`),
    "<ul><li>a</li><li>&lt;</li>0</ul>",
  );
});

test("attributes: true has no value, false and undefined are left out", () => {
  const all = attributes({ id: "x", required: true, hidden: false, title: undefined, max: 3 });
  assert.equal(String(html`<input${all}>`), '<input id="x" required max="3">');
  assert.equal(String(attributes({ value: '"><script>' })), ' value="&quot;&gt;&lt;script&gt;"');
});

test("no text can open a tag or leave an attribute", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      assert.doesNotMatch(String(html`${text}`), /[<>"']/);
      assert.equal(String(html`${trusted(text)}`), text);
    }),
  );
});
