/**
 * The guarantee: of an SVG only what is drawn reaches the renderer, written anew, and no more of it
 * than can be drawn in a moment. What points outside the file, or is not an SVG, is refused.
 */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { PictureRefused, type RefusalReason } from "../../src/infra/images/picture-refused.ts";
import { readSvg } from "../../src/infra/images/read-svg.ts";
import { weighSvg } from "../../src/infra/images/weigh-svg.ts";
import { writeSvg } from "../../src/infra/images/write-svg.ts";
import { svg, useBomb } from "../../testkit/pictures.ts";

function rewritten(file: Buffer): string {
  const root = readSvg(file);
  weighSvg(root, "thumbnail");
  return writeSvg(root, "thumbnail");
}

/** What is written inside of the picture itself. */
function inside(file: Buffer): string {
  return rewritten(file).replace(/^<svg[^>]*><svg[^>]*>(.*)<\/svg><\/svg>$/s, "$1");
}

const RECT = '<rect width="9" height="9"/>';
const DRAWN = '<rect width="9" height="9"></rect>';
const bare = (text: string) => Buffer.from(text);
const SVG = 'xmlns="http://www.w3.org/2000/svg"';

describe("what is drawn", () => {
  const KEPT: [string, Buffer, string][] = [
    ["shapes", svg(RECT), DRAWN],
    ["a file without a namespace", bare(`<svg>${RECT}</svg>`), DRAWN],
    ["a prefix", bare('<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:g/></s:svg>'), "<g></g>"],
    ["a byte order mark", bare(`\uFEFF<svg>${RECT}</svg>`), DRAWN],
    ["a plain doctype", bare(`<!DOCTYPE svg PUBLIC "a" "b"><svg>${RECT}</svg>`), DRAWN],
    ["references inside", svg('<use href="#a"/>'), '<use xlink:href="#a"></use>'],
    ["those of XLink", svg('<use xlink:href=" #a "/>'), '<use xlink:href="#a"></use>'],
    ["paint by reference", svg("<g fill=\"url( '#a')\"/>"), "<g fill=\"url( '#a')\"></g>"],
    ["style", svg("<style><![CDATA[a>b{fill:red}]]></style>"), "<style>a&gt;b{fill:red}</style>"],
    ["entities", svg('<g id="&lt;&#65;&#x42;&amp;"/>'), '<g id="&lt;AB&amp;"></g>'],
    ["either quotes", svg("<g id='\"'/>"), '<g id="&quot;"></g>'],
  ];
  for (const [what, file, expected] of KEPT)
    test(`${what}: kept`, () => assert.equal(inside(file), expected));

  const LEFT_OUT: [string, string][] = [
    ["scripts", "<script>alert(1)</script>"],
    [
      "foreign markup",
      `<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"/></foreignObject>`,
    ],
    ["metadata", '<metadata><x:y xmlns:x="u" x:z="http://example.com"/></metadata>'],
    ["drawing programs' notes", '<n:view xmlns:n="http://example.com/n" n:a="1"><rect/></n:view>'],
    ["animation", '<animate attributeName="href" to="javascript:alert(1)"/>'],
    ["text, for which there are no fonts", "<text>Hello</text>"],
    ["comments", "<!-- <rect/> -->"],
    ["instructions", "<?xpacket begin?>"],
  ];
  for (const [what, markup] of LEFT_OUT)
    test(`${what}: left out`, () => assert.equal(inside(svg(markup + RECT)), DRAWN));

  test("handlers and foreign attributes: left out", () => {
    const given = '<g onload="alert(1)" ONCLICK="a" xml:base="u" n:a="1" xmlns:n="u" id="a"/>';
    assert.equal(inside(svg(given)), '<g id="a"></g>');
  });
});

describe("what is refused", () => {
  const OUTSIDE = [
    '<image href="http://127.0.0.1/a.png"/>',
    '<image xlink:href="file:///etc/passwd"/>',
    '<image href="/etc/passwd"/>',
    '<image href="data:image/svg+xml,%3Csvg/%3E"/>',
    '<feImage href="other.png"/>',
    '<use href="other.svg#a"/>',
    '<use x:href="other.svg#a" xmlns:x="http://www.w3.org/1999/xlink"/>',
    '<use HREF="other.svg#a"/>',
    '<a xlink:href="javascript:alert(1)"/>',
    '<a href="https://example.com"/>',
    '<script href="https://example.com/a.js"/>',
    '<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="file:///etc/passwd"/>',
    '<g fill="url(http://example.com/a.svg#b)"/>',
    '<g style="fill:URL( &quot;//example.com&quot;)"/>',
    '<g style="fill:u\\72l(http://example.com)"/>',
    '<g style="fill:image-set(http://example.com)"/>',
    "<style>@import 'a.css';</style>",
    "<style>@font-face{src:url(a.woff)}</style>",
    "<style>g{fill:url(#a)}</style><style>g{fill:url(a)}</style>",
    "<style>g{fill:ur<!-- -->l(a)}</style>",
    "<style>g{fill:u&#114;l(a)}</style>",
    "<style>g{fill:ur<![CDATA[l(a)]]>}</style>",
    '<?xml-stylesheet href="a.css"?>',
  ];
  const nested = (depth: number) => svg("<g>".repeat(depth) + "</g>".repeat(depth));
  const pattern = '<pattern id="p"><rect fill="url(#p)"/></pattern>';
  const COMPLEX: [string, Buffer][] = [
    ["use inside use, a hundred million times", useBomb(10, 8)],
    ["use inside use, a bit more than 10,000 times", useBomb(22, 3)],
    ["5,001 elements", svg("<g/>".repeat(5_000))],
    ["65 levels", nested(64)],
    ["201 attributes", svg(`<g ${Array.from({ length: 201 }, (_, i) => `a${i}=""`).join(" ")}/>`)],
    ["more style than anybody reads", svg(`<style>${"a".repeat(200_001)}</style>`)],
    ["something that uses itself", svg('<g id="a"><use href="#a"/></g>')],
    ["two that use each other", svg('<use id="a" href="#b"/><use id="b" href="#a"/>')],
    ["a pattern painted with itself", svg(pattern)],
    ["patterns inside patterns", svg(layers('<pattern id="p0"/>', "p", "fill"))],
    ["masks inside masks", svg(layers('<mask id="p0"/>', "p", "mask"))],
    ["two with one id, one of them heavy", svg(`<g id="a0"/>${inside(useBomb(9, 3))}`.repeat(20))],
  ];
  const DAMAGED = [
    "<svg>",
    "<svg><g></svg>",
    "<svg><g></g></g></svg>",
    "<svg></svg><svg></svg>",
    "<svg></svg>text",
    "<svg><g a></g></svg>",
    "<svg><g a=1></g></svg>",
    "<svg><g a='1' a='2'/></svg>",
    "<svg><g a='<'/></svg>",
    "<svg><g a='&nbsp;'/></svg>",
    "<svg><g a='&#0;'/></svg>",
    "<svg><g a='&#xd800;'/></svg>",
    "<svg><style>&evil;</style></svg>",
    "<svg><!DOCTYPE svg></svg>",
    "<svg><!-- </svg>",
    "<svg width='0'/>",
    "<svg width='-1'/>",
    "<svg width='1e400'/>",
    "<svg width='wide'/>",
    "<svg viewBox='0 0 0 9'/>",
    "<svg viewBox='0 0 -9 9'/>",
    "<svg viewBox='0 0 NaN 9'/>",
    "<svg viewBox='NaN 0 9 9'/>",
    "<svg viewBox='0 0 9'/>",
  ];
  const NO_SVG: [string, Buffer][] = [
    ["HTML", bare("<!DOCTYPE html><html><body><svg></svg></body></html>")],
    ["PHP", bare("<?php echo 1; ?>")],
    ["an SVG of another namespace", bare('<svg xmlns="http://example.com"/>')],
    ["entities of its own", bare('<!DOCTYPE svg [<!ENTITY a "b">]><svg>&a;</svg>')],
    ["a subset of its own", bare("<!DOCTYPE svg []><svg/>")],
    ["two doctypes", bare("<!DOCTYPE svg><!DOCTYPE svg><svg/>")],
    ["UTF-16", Buffer.from("\uFEFF<svg/>", "utf16le")],
    ["bytes that are not UTF-8", Buffer.concat([bare("<svg "), Buffer.from([0xff]), bare("/>")])],
    ["a control character", bare("<svg>\0</svg>")],
    ["nothing but a comment", bare("<!-- svg -->")],
    ["UTF-7", bare("+ADw-svg+AD4-")],
  ];
  const refuses = (file: Buffer, reason: RefusalReason) =>
    assert.throws(
      () => rewritten(file),
      (error) => error instanceof PictureRefused && error.reason === reason,
    );
  for (const markup of OUTSIDE)
    test(`${markup} points outside`, () => refuses(svg(RECT + markup), "outside"));
  for (const [what, file] of COMPLEX)
    test(`${what} is too complex`, () => refuses(file, "complex"));
  for (const text of DAMAGED) test(`${text} is damaged`, () => refuses(bare(text), "damaged"));
  for (const [what, file] of NO_SVG) test(`${what} is no SVG`, () => refuses(file, "type"));
});

describe("the size", () => {
  const SIZES: [string, string][] = [
    ['width="30" height="20"', "0 0 30 20"],
    ['width="1in" height="72pt"', "0 0 96 96"],
    ['width="2.54cm" height="25.4mm"', "0 0 96 96"],
    ['viewBox="5 5 30 20"', "0 0 30 20"],
    ['viewBox="5,5,30,20" width="100%" height="100%"', "0 0 30 20"],
    ['viewBox="0 0 30 20" width="60"', "0 0 60 40"],
    ['viewBox="0 0 30 20" height="40"', "0 0 60 40"],
    ['width="1e9" height="1e9"', "0 0 1000000000 1000000000"],
    ["", "0 0 300 150"],
    ['width="40"', "0 0 40 150"],
  ];
  for (const [attributes, view] of SIZES)
    test(`${attributes || "none"} is drawn as ${view}`, () => {
      const text = rewritten(bare(`<svg ${SVG} ${attributes}/>`));
      assert.match(text, new RegExp(`width="200" height="200" viewBox="${view}"`));
    });
});

describe("what is rewritten", () => {
  /** What is drawn of it, once it was rewritten twice: the same as after the first time. */
  function drawnTwice(file: Buffer): string {
    let once: string;
    try {
      once = rewritten(file);
    } catch (error) {
      assert(error instanceof PictureRefused, String(error));
      return "";
    }
    const picture = once.replace(/^<svg[^>]*>(.*)<\/svg>$/s, "$1");
    assert.equal(inside(bare(once)), picture);
    return picture;
  }

  test("is so again, unchanged; and no text is anything but rewritten or refused", () => {
    const mark = fc.constantFrom(..."<svg> </svg> <g /> > < &amp; & <!-- --> <![CDATA[".split(" "));
    const word = fc.constantFrom(
      ' id="a"',
      ' href="#a"',
      "<use",
      "]]>",
      "<style>",
      "</style>",
      "='",
    );
    const pieces = fc.array(fc.oneof(mark, word, fc.constant("url(#a)"), fc.string()), {
      maxLength: 12,
    });
    const file = pieces.map((given) => bare(`<svg>${given.join("")}</svg>`));
    fc.assert(
      fc.property(file, (given) => void drawnTwice(given)),
      { numRuns: 2_000 },
    );
  });

  test("is so again, unchanged, whatever its elements, attributes and styles are", () => {
    const sign = fc.constantFrom(
      ..."a|é|🌴| |\n|'|>|#a|url(#b)|&lt;|&gt;|&amp;|&quot;|&#38;".split("|"),
    );
    const words = fc.array(sign, { maxLength: 5 }).map((signs) => signs.join(""));
    const href = fc.constantFrom("#a", " #b ", "#", "#&quot;&amp;", "");
    const given = fc
      .record(
        { id: words, class: words, style: words, onload: words, "xml:space": words, href },
        { requiredKeys: [] },
      )
      .map((all) => Object.entries(all).map(([name, value]) => ` ${name}="${value}"`))
      .map((all) => all.join(""));
    const name = fc.constantFrom(
      ..."g g svg rect use path mask style script text n:view".split(" "),
    );
    const { element } = fc.letrec<{ element: string; content: string }>((tie) => ({
      element: fc
        .tuple(name, given, fc.array(tie("content"), { maxLength: 4 }))
        .map(([called, has, holds]) => `<${called}${has}>${holds.join("")}</${called}>`),
      content: fc.oneof({ depthSize: "small" }, words, fc.constant("<!-- -->"), tie("element")),
    }));
    const root = fc.tuple(given, fc.array(element, { minLength: 1, maxLength: 4 }));
    let drawn = 0;
    fc.assert(
      fc.property(root, ([has, holds]) => {
        const picture = drawnTwice(bare(`<svg${has}>${holds.join("")}</svg>`));
        if (/^<svg[^>]*><[^/]/.test(picture)) drawn++;
      }),
      { numRuns: 2_000 },
    );
    assert(drawn > 500, `only ${drawn} had anything to draw`);
  });
});

/** What takes the square of its length would take hours. */
const FOREVER_MS = 60_000;

test("4 MB of nothing much is read in a moment", () => {
  const long = 4_000_000;
  const floods = [
    `<!--${" ".repeat(long)}--><svg/>`,
    `${" ".repeat(long)}<svg/>`,
    `<svg>${"<".repeat(long)}`,
    `<svg>${"&amp;".repeat(long / 5)}</svg>`,
    `<svg ${"a".repeat(long)}`,
    `<svg ${" ".repeat(long)}`,
    `<svg><g a="${"url( ".repeat(long / 5)}"/></svg>`,
    `<svg><g a="url(${" ".repeat(long)}"/></svg>`,
    `<svg><g a="url ${"image ".repeat(long / 6)}"/></svg>`,
  ];
  for (const flood of floods) {
    const began = performance.now();
    try {
      rewritten(bare(flood));
    } catch (error) {
      assert(error instanceof PictureRefused, String(error));
    }
    const took = performance.now() - began;
    assert(took < FOREVER_MS, `${flood.slice(0, 20)} took ${took} ms`);
  }
});

/** Eight layers, each painted ten times with the one below. */
function layers(first: string, id: string, attribute: string): string {
  const name = first.slice(1, first.indexOf(" "));
  const above = Array.from({ length: 8 }, (_, level) => {
    const painted = `<rect ${attribute}="url(#${id}${level})"/>`.repeat(10);
    return `<${name} id="${id}${level + 1}">${painted}</${name}>`;
  });
  return `${first}${above.join("")}<rect ${attribute}="url(#${id}8)"/>`;
}
