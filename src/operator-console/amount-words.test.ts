// The guarantee: a sentence on a page has its amounts as the page's lists have them, and nothing
// else in it changes.

import assert from "node:assert/strict";
import { test } from "node:test";
import { inAmountsOfPage } from "./amount-words.ts";

test("amounts with their currency are grouped, and keep their sign", () => {
  const shown = inAmountsOfPage("A refund of 12345.60 TTD; the rest is -0.05 JMD.").replace(
    /\s/g,
    " ",
  );
  assert.equal(shown, "A refund of TTD 12,345.60; the rest is \u2212JMD 0.05.");
});

test("what is no amount with its currency stays as it is", () => {
  for (const text of ["1-2500.00 TTD", "v1.2500.00 TTD", "2500.00 TTDX", "2500.0 TTD", "2500.00"])
    assert.equal(inAmountsOfPage(text), text);
});
