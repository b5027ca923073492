/**
 * An SVG counts as light only when its markup proves it, and weighing takes time in proportion to
 * the file's length (Decision 0069). Time is the processor's: other tests run beside this one.
 */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { PictureRefused } from "../../src/infra/images/picture-refused.ts";
import { readSvg } from "../../src/infra/images/read-svg.ts";
import { weighSvg } from "../../src/infra/images/weigh-svg.ts";
import { svg } from "../../testkit/pictures.ts";

/** What the light lane accepts. */
const LIGHT_MS_MAX = 80;

const costMs = (markup: string) => weighSvg(readSvg(svg(markup)), "thumbnail");
const rect = (more: string) => `<rect width="200" height="200" ${more}/>`;
const mask = (id: string) => `<mask id="${id}">${rect("")}</mask>`;

describe("a picture is light", () => {
  const LIGHT: Record<string, string> = {
    "a bare reference": mask("m") + rect('mask="url(#m)"'),
    "spaces around it": mask("m") + rect('mask="url( #m )"'),
    "single quotes": mask("m") + rect(`mask="url('#m')"`),
    "double quotes": mask("m") + rect(`mask='url( "#m")'`),
    "a fallback": `<linearGradient id="g"/>${rect('fill="url(#g) red"')}`,
    "two in a style": mask("m") + rect('style="mask:url(#m);fill:url(#g-1.a:b)"'),
    "a reference by href": `<g id="a"/><use href="#a"/>`,
    "a class that contains url": rect('class="curly"'),
    "an empty id": rect('id=""'),
    "colours that look like large numbers": rect('fill="#1e5a99" stroke="#123456"'),
    "decimals of many digits": rect('x="1.2345678"'),
    "a modest scale": `<g transform="scale(3.78) translate(10, 20)">${rect("")}</g>`,
  };
  for (const [what, markup] of Object.entries(LIGHT))
    test(`with ${what}`, () => assert(costMs(markup) <= LIGHT_MS_MAX));
});

describe("a picture is heavy", () => {
  for (const sign of ["'", "&quot;", "\u00a0", " ", "&#10;", "\u3000", "é", "(", "%20", ","]) {
    const id = `m${sign}x`;
    test(`with masks behind the id ${JSON.stringify(id)}`, () => {
      for (const used of [`mask="url(#${id})"`, `style="mask:url(#${id})"`])
        assert.equal(costMs(mask(id) + rect(used)), Number.POSITIVE_INFINITY);
    });
    test(`with a reference by href to the id ${JSON.stringify(id)}`, () => {
      assert.equal(costMs(`<use href="#${id}"/>`), Number.POSITIVE_INFINITY);
      assert.equal(costMs(`<g id="${id}"/>`), Number.POSITIVE_INFINITY);
    });
  }

  const LARGE: Record<string, string> = {
    "a large number": rect('x="100000"'),
    "an exponent": rect('x="1e6"'),
    "a large scale": rect('transform="rotate(20) scale(5000)"'),
    "a large matrix": rect('transform="matrix(1 0 0 500 0 0)"'),
    "scales inside scales": `<g transform="scale(20)"><g transform="scale(20)"/></g>`,
    "a skew": rect('transform="skewX(89.999)"'),
    "a tiny view box": `<svg viewBox="0 0 .001 .001"/>`,
    "a transform in a style": rect('style="transform:scale(9999)"'),
  };
  for (const [what, markup] of Object.entries(LARGE))
    test(`with ${what}`, () => assert.equal(costMs(markup), Number.POSITIVE_INFINITY));

  const ODD: Record<string, string> = {
    "a reference without an end": "url(#m",
    "a quote without an end": "url('#m)",
    "two kinds of quotes": "url('#m&quot;)",
    "a quote only at the end": "url(#m')",
    "no id": "url(#)",
    "a space before the bracket": "url (#m)",
    "a line's end before it": "url(&#10;#m)",
  };
  for (const [what, value] of Object.entries(ODD))
    test(`with ${what}`, () =>
      assert.equal(costMs(mask("m") + rect(`mask="${value}"`)), Number.POSITIVE_INFINITY));

  test("with any filter, whose region may have any size", () => {
    const filter = '<filter id="f"><feOffset dx="1"/></filter>';
    for (const used of ['filter="url(#f)"', 'style="filter:url(#f)"', 'filter="blur(1)"'])
      assert.equal(costMs(filter + rect(used)), Number.POSITIVE_INFINITY);
    assert(costMs(filter + rect('filter="none"')) <= LIGHT_MS_MAX);
  });

  test("with a strange id in a part that nothing refers to", () => {
    assert.equal(costMs(`<defs>${mask("m'")}</defs>`), Number.POSITIVE_INFINITY);
  });
});

describe("weighing takes time in proportion to the length", () => {
  const CPU_MS_MAX = 700;
  const long = 60_000;
  const names = (prefix: string) =>
    Array.from({ length: 190 }, (_, n) => `xmlns:${prefix}${n}="x"`).join(" ");
  const nested = Array.from({ length: 60 }, (_, depth) => `<g ${names(`a${depth}_`)}>`).join("");
  const FLOODS: Record<string, string> = {
    "lines without end in a reference": rect(`fill="url(${"\n".repeat(long)}"`),
    "the same with a quote": rect(`fill="url('${"\n".repeat(long)}"`),
    "the same before a good one": rect(`fill="url(#a) url(${"\n".repeat(long)}#a)"`),
    "the same in a style sheet": `<style>a{fill:url(${"\n".repeat(long)}}</style>`,
    "references without an end": rect(`fill="${"url(#a ".repeat(long)}"`),
    "spaces in references": rect(`fill="${`url(${" ".repeat(200)}#a`.repeat(long / 200)}"`),
    "nested namespaces": `${nested}${'<g xmlns:z="x"/>'.repeat(4_000)}${"</g>".repeat(60)}`,
    "one id for all": '<g id="a"/>'.repeat(4_900),
  };
  for (const [what, markup] of Object.entries(FLOODS))
    test(`of ${what}`, () => {
      const before = process.cpuUsage();
      try {
        costMs(markup);
      } catch (error) {
        assert(error instanceof PictureRefused, String(error));
      }
      const { user, system } = process.cpuUsage(before);
      const ms = (user + system) / 1_000;
      assert(ms <= CPU_MS_MAX, `it took ${ms} ms`);
    });
});
